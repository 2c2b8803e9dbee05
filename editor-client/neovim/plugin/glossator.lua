-- The commands. Nothing is loaded before one is used or `setup` is called.

if vim.g.loaded_glossator then
  return
end
vim.g.loaded_glossator = true

-- What other assistants are told is Markdown, whatever it is called.
vim.filetype.add({
  extension = { mdc = 'markdown' },
  filename = { ['.cursorrules'] = 'markdown' },
})

local function add(name, action, options)
  vim.api.nvim_create_user_command('Glossator' .. name, function(given)
    require('glossator')[action](given)
  end, options)
end

add('Explain', 'explain', { range = true, desc = 'Explain the function here, or what is selected' })
add('CallChain', 'call_chain', { nargs = '?', desc = 'Callers and callees of the function here' })
add('Ask', 'ask', { nargs = '*', range = true, desc = 'Ask about the workspace' })
add('Analyze', 'analyze', {
  nargs = '?',
  bang = true,
  complete = 'dir',
  desc = 'Explain a folder; with ! review what changed',
})
add('NewSession', 'new_session', { desc = 'Begin a new conversation' })
add('Sessions', 'sessions', { nargs = '*', desc = 'Go on with an earlier conversation' })
add('Check', 'check', { bang = true, desc = 'Check conventions: this file, with ! all open' })
add('Why', 'why', { nargs = '*', desc = 'What is used for this file, what is not, and why' })
add('Status', 'status', { desc = 'Server, model, knowledge and problems' })
add('RebuildIndex', 'rebuild_index', { desc = 'Read knowledge, skills and rules again' })
add('Trust', 'trust', { bang = true, desc = 'Trust this workspace; with ! no longer' })
add('Stop', 'stop', { desc = 'Stop what is running' })
add('Answer', 'show_last_answer', { desc = 'Show the last answer again' })
