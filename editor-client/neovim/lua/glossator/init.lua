--- Glossator for Neovim: `require('glossator').setup({})`. See |glossator.txt|.

local M = {}

--- Of this plug-in; a server of the same major and minor version fits it.
M.version = '0.1.0'

--- Starts Glossator in the files it is for, those that are open and those to come.
---@param options table|nil See |glossator-setup|.
function M.setup(options)
  local config = require('glossator.config')
  local starting = require('glossator.starting')
  for _, problem in ipairs(config.apply(options)) do
    require('glossator.language').complain(problem)
  end
  starting.forget_complaints()
  for name, run in pairs(require('glossator.commands').of_code_actions) do
    vim.lsp.commands[name] = run
  end
  local group = vim.api.nvim_create_augroup('glossator', { clear = true })
  vim.api.nvim_create_autocmd('VimResized', {
    group = group,
    callback = function()
      require('glossator.window').relayout()
    end,
  })
  if config.options.autostart then
    starting.start_by_itself(group)
  end
end

local function describe_outcome(check, say)
  if not check then
    return ''
  elseif check.outcome == 'findings' then
    local plural = check.nFindings == 1 and '' or 's'
    return say(' · %d finding' .. plural, ' · %d 个问题'):format(check.nFindings)
  end
  return check.outcome == 'clean' and say(' · clean', ' · 没有问题')
    or say(' · not checked', ' · 未检查')
end

--- For a status line: `gpt-5 · 31 rules · 2 findings`, `no model · 31 rules · clean`, or '' where
--- no server runs. While an answer arrives, it says so.
function M.statusline()
  local client, say = require('glossator.client'), require('glossator.language').say
  local running = client.list()[1]
  local status = running and client.last_status(running)
  if not status then
    return ''
  end
  if require('glossator.conversation').is_running() then
    return say('answering…', '正在回答…')
  end
  local model = status.model.configured and status.model.name or say('no model', '无模型')
  local index = require('glossator.compat').given(status.index)
  if not (index and index.ready) then
    return model .. say(' · reading knowledge', ' · 正在读取知识')
  end
  local outcome = describe_outcome(client.last_check(running, vim.api.nvim_get_current_buf()), say)
  return say('%s · %d rules%s', '%s · %d 条规则%s'):format(model, index.nRules, outcome)
end

--- The subcommands as functions, for key mappings: `require('glossator').explain()`.
return setmetatable(M, {
  __index = function(_, name)
    if require('glossator.commands').all[name] then
      return function(argument)
        require('glossator.commands').run(name, type(argument) == 'string' and argument or '')
      end
    end
  end,
})
