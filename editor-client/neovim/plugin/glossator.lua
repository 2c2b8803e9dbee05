-- The command. Nothing is loaded before it is used or `setup` is called.

if vim.g.loaded_glossator then
  return
end
vim.g.loaded_glossator = true

-- What other assistants are told is Markdown, whatever it is called.
vim.filetype.add({
  extension = { mdc = 'markdown' },
  filename = { ['.cursorrules'] = 'markdown' },
})

vim.api.nvim_create_user_command('Glossator', function(given)
  require('glossator.commands').run_user_command(given)
end, {
  nargs = '*',
  range = true,
  bang = true,
  complete = function(lead, line)
    return require('glossator.completion').complete_command(lead, line)
  end,
  desc = 'Explain, ask, check: see :help glossator-commands',
})
