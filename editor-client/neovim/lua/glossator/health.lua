--- `:checkhealth glossator`

local client = require('glossator.client')
local compat = require('glossator.compat')
local config = require('glossator.config')

local M = {}

local health = compat.health

local function check_neovim()
  health.start('Neovim')
  if compat.has_first_class_support then
    health.ok('This Neovim shows everything')
  elseif vim.fn.has('nvim-0.7') == 1 then
    health.warn('This Neovim is older than 0.10: the answer window has no title and status line', {
      'Everything else works. Neovim 0.10 or newer shows more.',
    })
  else
    health.error('Neovim 0.7 or newer is needed')
  end
end

local function check_command()
  health.start('Server')
  local missing = client.explain_missing_command()
  if missing then
    return health.error((missing:gsub('^t', 'T', 1)))
  end
  local cmd = vim.deepcopy(config.options.cmd)
  health.ok('Command: `' .. table.concat(cmd, ' ') .. '`')
  if cmd[#cmd] == 'lsp' then
    cmd[#cmd] = '--version'
    local output = vim.fn.system(cmd)
    if vim.v.shell_error == 0 then
      health.ok('Version: ' .. vim.trim(output))
    else
      health.error('`' .. table.concat(cmd, ' ') .. '` failed: ' .. vim.trim(output))
    end
  end
end

local function ask_status(running)
  local status, failure, is_over
  client.execute(running, 'glossator.status', vim.empty_dict(), {
    on_end = function(err, result)
      status, failure, is_over = result, err, true
    end,
  })
  vim.wait(3000, function()
    return is_over
  end, 20)
  return status, failure or 'no answer in 3 seconds'
end

local function report_status(status)
  local model, index = status.model, compat.given(status.index)
  if model.configured then
    health.ok(('Model: %s at %s (from %s)'):format(model.name, model.endpoint, model.source))
  else
    health.info('Model: none. ' .. model.message)
  end
  if index and index.ready then
    health.ok(('Knowledge: %d documents, %d skills, %d rules'):format(
      index.nDocuments, index.nSkills, index.nRules
    ))
  else
    health.info('Knowledge: being read')
  end
  for _, problem in ipairs(status.problems) do
    health.warn(problem)
  end
end

local function check_clients()
  health.start('Workspaces')
  local running = client.list()
  if #running == 0 then
    local filetypes = config.options.filetypes
    health.info('No server runs. It starts in files of these types: '
      .. (filetypes == '*' and 'all' or table.concat(filetypes, ', ')))
  end
  for _, each in ipairs(running) do
    local root = each.config.root_dir or 'no root'
    health.ok(('%s: running, positions in %s'):format(root, each.offset_encoding))
    local status, failure = ask_status(each)
    if status then
      report_status(status)
    else
      health.error('The server does not answer: ' .. failure)
    end
  end
end

function M.check()
  check_neovim()
  check_command()
  check_clients()
end

return M
