--- What the server says about files, itself and the workspace.

local client = require('glossator.client')
local compat = require('glossator.compat')
local config = require('glossator.config')
local conversation = require('glossator.conversation')
local language = require('glossator.language')
local requests = require('glossator.requests')
local target = require('glossator.target')

local say, count = language.say, language.count
local M = {}

local function describe_check(document)
  if document.outcome == 'not-checked' then
    return say('%s was not checked: %s', '%s 未检查：%s'):format(document.path, document.reason)
  elseif document.outcome == 'clean' then
    local rules = say(count(document.nRules, 'rule'), document.nRules .. ' 条规则')
    return say('%s is clean (%s)', '%s 没有问题（%s）'):format(document.path, rules)
  end
  local findings = say(count(document.nFindings, 'finding'), document.nFindings .. ' 个问题')
  return say('%s in %s', '%s，位于 %s'):format(findings, document.path)
end

local function describe_checks(result)
  local documents = result.documents or {}
  if #documents == 1 then
    return describe_check(documents[1])
  end
  local n_unchecked = #vim.tbl_filter(function(document)
    return document.outcome == 'not-checked'
  end, documents)
  local text = say(
    ('%s in %s'):format(count(result.nFindings or 0, 'finding'), count(#documents, 'document')),
    ('%d 个文档中有 %d 个问题'):format(#documents, result.nFindings or 0)
  )
  local unchecked = say('; %d not checked', '；%d 个未检查'):format(n_unchecked)
  return text .. (n_unchecked > 0 and unchecked or '')
end

--- Checks this file's conventions; with `!`, those of every open document.
function M.check(given)
  local argument = given.bang and vim.empty_dict() or requests.name_file()
  requests.send('glossator.check', argument, function(result)
    language.tell(describe_checks(result))
  end)
end

--- Says what applies to this file, for a question if one is given, and why not what does not.
function M.why(given)
  local argument = vim.tbl_extend('force', requests.name_file(), { question = given.args })
  requests.send('glossator.why', argument, function(result, server)
    conversation.show_text(result.title, result.markdown, server)
  end)
end

--- Ranks what the knowledge has on a question.
function M.search(given)
  if given.args == '' then
    return language.tell('say what to search for: `:Glossator search WORDS`',
      '请写明搜索内容：`:Glossator search 词语`')
  end
  requests.send('glossator.search', { question = given.args }, function(result, server)
    conversation.show_text(result.title, result.markdown, server)
  end)
end

local function open_page(html)
  local folder = vim.fn.stdpath('cache') .. '/glossator'
  vim.fn.mkdir(folder, 'p')
  local path = folder .. '/figures.html'
  vim.fn.writefile(vim.split(html, '\n'), path)
  if not compat.open_in_browser(path) then
    language.tell('the page is ' .. path, '页面位于 ' .. path)
  end
end

--- Shows what turns took, of so many days or of all that is kept; with `!`, charts in the browser.
function M.figures(given)
  local argument = { open = false, days = tonumber(given.args) }
  requests.send('glossator.stats', argument, function(result, server)
    if given.bang then
      return open_page(result.html)
    end
    conversation.show_text(say('Figures', '统计'), result.markdown, server)
  end)
end

function M.trust(given)
  requests.send('glossator.trustWorkspace', { trusted = not given.bang }, function(result)
    local words = {
      trusted = say('trusted', '受信任的'), untrusted = say('not trusted', '不受信任的'),
    }
    local state = words[result.trust] or say('not trusted yet', '尚未受信任的')
    local text = say('this workspace is %s. %s', '此工作区是%s。%s'):format(state, result.message)
    language.tell(vim.trim(text))
  end)
end

--- Reads knowledge, skills and rules again.
function M.index()
  requests.send('glossator.rebuildIndex', nil, function(result, server)
    local found = say(
      ('read again: %s, %s, %s'):format(
        count(result.nDocuments, 'knowledge document'), count(result.nSkills, 'skill'),
        count(result.nRules, 'rule')
      ),
      ('已重新读取：%d 篇知识文档，%d 个技能，%d 条规则'):format(
        result.nDocuments, result.nSkills, result.nRules
      )
    )
    if #result.problems == 0 then
      return language.tell(found)
    end
    local lines = { found, '', say('**Problems**', '**问题**'), '' }
    for _, problem in ipairs(result.problems) do
      lines[#lines + 1] = ('- %s:%d %s'):format(problem.path, problem.line, problem.message)
    end
    conversation.show_text(say('Index', '索引'), table.concat(lines, '\n'), server)
  end)
end

--- How long ago knowledge was read; `at` is in milliseconds since 1970.
local function describe_age(at)
  if not at then
    return ''
  end
  local minutes = math.floor((os.time() - at / 1000) / 60)
  if minutes < 1 then
    return say('; updated just now', '；刚刚更新')
  elseif minutes < 60 then
    return say('; updated ' .. count(minutes, 'minute') .. ' ago', ('；%d 分钟前更新'):format(minutes))
  end
  return os.date(say('; updated at %H:%M', '；更新于 %H:%M'), math.floor(at / 1000))
end

local function describe_index(index)
  if not index or not index.ready then
    return say('being read', '正在读取')
  end
  return say(
    ('%s (%s), %s, %s'):format(
      count(index.nDocuments, 'document'), count(index.nSections, 'section'),
      count(index.nSkills, 'skill'), count(index.nRules, 'rule')
    ),
    ('%d 篇文档（%d 个章节），%d 个技能，%d 条规则'):format(
      index.nDocuments, index.nSections, index.nSkills, index.nRules
    )
  ) .. describe_age(compat.given(index.updatedAt))
end

local function describe_model(model)
  if not model.configured then
    return say('none. ', '无。') .. model.message
  end
  return say('`%s` at %s (from %s)', '`%s`，位于 %s（来自 %s）'):format(
    model.name, model.endpoint, model.source
  )
end

--- Which rules the check of a document rests on, and why others were left out.
local function describe_rules(document)
  local text = say(
    ('; %s checked, %d judged'):format(count(document.nRules, 'rule'), document.nJudged),
    ('；检查了 %d 条规则，由模型判断 %d 条'):format(document.nRules, document.nJudged)
  )
  for _, skipped in ipairs(document.skipped) do
    local part = say(', %d left out: %s', '，略过 %d 条：%s')
    text = text .. part:format(#skipped.ruleIds, skipped.reason)
  end
  return text
end

local function describe_status(status, server, is_file)
  local roots, lines = table.concat(status.workspace.roots, ', '), {}
  for _, check in ipairs(is_file and status.checks or {}) do
    lines[#lines + 1] = say('- **Check** ', '- **检查** ') .. describe_check(check)
      .. describe_rules(check)
  end
  vim.list_extend(lines, {
    say('- **Server** ', '- **服务器** ') .. status.version
      .. ', `' .. table.concat(server.config.cmd, ' ') .. '`',
    say('- **Model** ', '- **模型** ') .. describe_model(status.model),
    say('- **Knowledge** ', '- **知识** ') .. describe_index(compat.given(status.index)),
    say('- **Workspace** ', '- **工作区** ') .. (roots ~= '' and roots or say('none', '无'))
      .. (status.workspace.trusted and say(' (trusted)', '（受信任）')
        or say(' (not trusted)', '（不受信任）')),
  })
  if #status.problems > 0 then
    vim.list_extend(lines, { '', say('**Problems**', '**问题**'), '' })
    for _, problem in ipairs(status.problems) do
      lines[#lines + 1] = '- ' .. problem
    end
  end
  return table.concat(lines, '\n')
end

function M.status()
  local argument = requests.name_file()
  requests.send('glossator.status', argument, function(status, server)
    local text = describe_status(status, server, argument.uri ~= nil)
    conversation.show_text('Glossator', text, server)
  end)
end

--- Shows what `glossator doctor` finds for this workspace, run with the command of the server.
function M.doctor()
  local cmd = vim.deepcopy(config.options.cmd)
  local missing = require('glossator.starting').explain_missing_command()
  if missing or cmd[#cmd] ~= 'lsp' then
    return language.complain(missing or 'the option `cmd` does not end with `lsp`, so `doctor` '
      .. 'cannot be run by it; run `glossator doctor` in a terminal',
      missing or '选项 `cmd` 不以 `lsp` 结尾，无法由它运行 `doctor`；请在终端中运行 `glossator doctor`')
  end
  local _, _, server = target.find()
  if not server then
    return
  end
  cmd[#cmd] = 'doctor'
  vim.list_extend(cmd, server.config.root_dir and { '--root', server.config.root_dir } or {})
  local lines = {}
  local function take(_, chunk)
    vim.list_extend(lines, chunk)
  end
  vim.fn.jobstart(cmd, {
    env = config.options.cmd_env,
    stdout_buffered = true,
    stderr_buffered = true,
    on_stdout = take,
    on_stderr = take,
    on_exit = function()
      conversation.show_text('glossator doctor', table.concat(lines, '\n'), server)
    end,
  })
end

--- Opens Neovim's log of servers, with what Glossator wrote last, at its end.
function M.log()
  local path = compat.log_path()
  if vim.fn.filereadable(path) == 0 then
    return language.tell('nothing was logged yet', '还没有日志')
  end
  vim.cmd('botright split ' .. vim.fn.fnameescape(path))
  vim.bo.modifiable = false
  vim.cmd('normal! G')
end

local function attach_open_files(bufnrs)
  local starting = require('glossator.starting')
  for _, bufnr in ipairs(bufnrs) do
    if vim.api.nvim_buf_is_loaded(bufnr) then
      starting.attach(bufnr)
    end
  end
end

--- Ends the servers and starts them again for the files that they were attached to.
function M.restart()
  conversation.stop()
  local missing = require('glossator.starting').explain_missing_command()
  if missing then
    return language.complain(missing)
  end
  local running = client.list()
  for _, server in ipairs(running) do
    local bufnrs = vim.tbl_filter(function(bufnr)
      return vim.lsp.buf_is_attached(bufnr, server.id)
    end, vim.api.nvim_list_bufs())
    client.stop_server(server, function()
      attach_open_files(bufnrs)
    end)
  end
  if #running == 0 then
    for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
      require('glossator.starting').attach_if_wanted(bufnr)
    end
    -- A file of another type is attached as well: it was asked for.
    target.find()
  end
  language.tell('the server starts again', '服务器正在重新启动')
end

return M
