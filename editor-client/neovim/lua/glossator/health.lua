--- `:checkhealth glossator`

local client = require('glossator.client')
local compat = require('glossator.compat')
local config = require('glossator.config')
local say = require('glossator.language').say
local starting = require('glossator.starting')

local M = {}

local health = compat.health

local function check_neovim()
  health.start('Neovim')
  if vim.fn.has('nvim-0.7') == 0 then
    return health.error(say('Neovim 0.7 or newer is needed', '需要 Neovim 0.7 或更新版本'))
  elseif compat.has_first_class_support then
    health.ok(say('This Neovim shows everything', '此 Neovim 可显示全部内容'))
  else
    health.warn(
      say('This Neovim is older than 0.10: windows have no title and status line, and other language '
        .. 'servers are not asked for what they know',
        '此 Neovim 早于 0.10：窗口没有标题和状态行，也不会询问其他语言服务器所知的内容'),
      { say('Everything else works.', '其他功能均可用。') }
    )
  end
  if compat.can_wait_in_handlers then
    health.ok(say('The server may ask what other language servers know (setting agent.askEditor)',
      '服务器可询问其他语言服务器所知的内容（设置 agent.askEditor）'))
  end
  if compat.has_first_class_support and pcall(vim.treesitter.language.add, 'markdown') then
    health.ok(say('Answers are coloured by their structure (treesitter, markdown)',
      '回答按结构着色（treesitter，markdown）'))
  else
    health.info(say('Answers are coloured by pattern: there is no treesitter parser for markdown',
      '回答按模式着色：没有 markdown 的 treesitter 解析器'))
  end
end

--- `0.1` of `glossator 0.1.3`: what has to be the same here and there.
local function read_series(version)
  return version:match('(%d+%.%d+)%.%d+')
end

local function check_version(version)
  local own = require('glossator').version
  if read_series(version) == read_series(own) then
    return health.ok(say('Version: %s, which fits this plug-in (%s)', '版本：%s，与此插件（%s）匹配')
      :format(version, own))
  end
  health.warn(say('Version: %s does not fit this plug-in, which is %s',
    '版本：%s 与此插件的版本 %s 不匹配'):format(version, own), {
    say('Update the older of the two: `pipx install --force .` in a new copy of Glossator, or the plug-in.',
      '请更新较旧的一方：在新的 Glossator 副本中运行 `pipx install --force .`，或更新插件。'),
  })
end

local function check_command()
  health.start(say('Server', '服务器'))
  local missing = starting.explain_missing_command()
  if missing then
    return health.error((missing:gsub('^t', 'T', 1)))
  end
  local cmd = vim.deepcopy(config.options.cmd)
  health.ok(say('Command: `%s`', '命令：`%s`'):format(table.concat(cmd, ' ')))
  if cmd[#cmd] ~= 'lsp' then
    return health.info(say('Its version cannot be asked for: the command does not end with `lsp`',
      '无法查询版本：命令不以 `lsp` 结尾'))
  end
  cmd[#cmd] = '--version'
  local output = vim.trim(vim.fn.system(cmd))
  if vim.v.shell_error == 0 then
    return check_version(output)
  end
  health.error(say('`%s` failed: %s', '`%s` 失败：%s'):format(table.concat(cmd, ' '), output), {
    say('Run it in a terminal; `pipx install --force .` in a copy of Glossator repairs an installation.',
      '请在终端中运行；在 Glossator 副本中运行 `pipx install --force .` 可修复安装。'),
  })
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
  return status, failure or say('no answer in 3 seconds', '3 秒内没有应答')
end

local function report_model(model)
  if model.configured then
    health.ok(say('Model: %s at %s (from %s)', '模型：%s，位于 %s（来自 %s）')
      :format(model.name, model.endpoint, model.source))
  else
    health.info(say('Model: none. ', '模型：无。') .. model.message)
  end
end

local function report_index(index)
  if index and index.ready then
    health.ok(say('Knowledge: %d documents, %d skills, %d rules',
      '知识：%d 篇文档，%d 个技能，%d 条规则')
      :format(index.nDocuments, index.nSkills, index.nRules))
  else
    health.info(say('Knowledge: being read', '知识：正在读取'))
  end
end

local function report_trust(workspace)
  if workspace.trust == 'trusted' then
    return health.ok(say('Trust: this workspace is trusted', '信任：此工作区受信任'))
  end
  local withheld = table.concat(workspace.withheld or {}, ', ')
  if withheld == '' then
    return health.info(say('Trust: this workspace is not trusted; nothing is withheld for that',
      '信任：此工作区不受信任；没有因此停用的内容'))
  end
  health.warn(say('Trust: not trusted, so these are not followed: %s',
    '信任：不受信任，因此未采用：%s'):format(withheld), {
    say('`:Glossator trust` trusts it; the option `trusted` decides it for all workspaces.',
      '`:Glossator trust` 信任它；选项 `trusted` 可为所有工作区决定。'),
  })
end

local function report_status(status)
  report_model(status.model)
  report_index(compat.given(status.index))
  report_trust(status.workspace)
  for _, problem in ipairs(status.problems) do
    health.warn(problem)
  end
end

local function check_clients()
  health.start(say('Workspaces', '工作区'))
  local running = client.list()
  if #running == 0 then
    local filetypes = config.options.filetypes
    health.info(say('No server runs. It starts in files of these types: ',
      '没有服务器在运行。它在这些类型的文件中启动：')
      .. (filetypes == '*' and say('all', '全部') or table.concat(filetypes, ', ')))
  end
  for _, each in ipairs(running) do
    local root = each.config.root_dir or say('no root', '无根目录')
    health.ok(say('%s: running, positions in %s', '%s：运行中，位置按 %s 计')
      :format(root, each.offset_encoding))
    local status, failure = ask_status(each)
    if status then
      report_status(status)
    else
      health.error(say('The server does not answer: ', '服务器没有应答：') .. failure, {
        say('`:Glossator restart` starts it again; `:Glossator log` shows what it said.',
          '`:Glossator restart` 重新启动；`:Glossator log` 查看日志。'),
      })
    end
  end
end

function M.check()
  check_neovim()
  check_command()
  check_clients()
end

return M
