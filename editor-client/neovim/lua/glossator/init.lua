--- Glossator for Neovim: `require('glossator').setup({})`. See |glossator.txt|.

local M = {}

--- Starts Glossator in the files it is for, those that are open and those to come.
---@param options table|nil See |glossator-setup|.
function M.setup(options)
  local client = require('glossator.client')
  local commands = require('glossator.commands')
  for _, problem in ipairs(require('glossator.config').apply(options)) do
    vim.notify('Glossator: ' .. problem, vim.log.levels.WARN)
  end
  client.forget_complaints()
  for name, run in pairs(commands.of_code_actions) do
    vim.lsp.commands[name] = run
  end

  local group = vim.api.nvim_create_augroup('glossator', { clear = true })
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    callback = function(event)
      client.attach_if_wanted(event.buf)
    end,
  })
  vim.api.nvim_create_autocmd('VimResized', {
    group = group,
    callback = function()
      require('glossator.window').relayout()
    end,
  })
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    client.attach_if_wanted(bufnr)
  end
end

local function describe_outcome(check)
  if not check then
    return ''
  elseif check.outcome == 'findings' then
    return (' · %d finding%s'):format(check.nFindings, check.nFindings == 1 and '' or 's')
  end
  return check.outcome == 'clean' and ' · clean' or ' · not checked'
end

--- For a status line: `gpt-5 · 31 rules · 2 findings`, `no model · 31 rules · clean`, or '' where
--- no server runs.
function M.statusline()
  local client = require('glossator.client')
  local running = client.list()[1]
  local status = running and client.last_status(running)
  if not status then
    return ''
  end
  local model = status.model.configured and status.model.name or 'no model'
  local index = require('glossator.compat').given(status.index)
  if not (index and index.ready) then
    return model .. ' · reading knowledge'
  end
  local outcome = describe_outcome(client.last_check(running, vim.api.nvim_get_current_buf()))
  return ('%s · %d rules%s'):format(model, index.nRules, outcome)
end

-- The commands as functions, for key mappings.
for _, name in ipairs({
  'explain', 'call_chain', 'ask', 'analyze', 'stop', 'check', 'status', 'new_session', 'sessions',
  'rebuild_index', 'show_last_answer', 'why', 'trust',
}) do
  M[name] = function(given)
    require('glossator.commands')[name](given)
  end
end

return M
