--- The subcommands of `:Glossator`: one table for the command, its completion, its menu, the chat
--- and the functions of the module.

local language = require('glossator.language')

local say = language.say
local M = {}

---@class glossator.Command
---@field module string Where its function is.
---@field action string|nil The function, when it is not called as the command.
---@field english string
---@field chinese string
---@field completion string|nil As for `getcompletion()`.
---@field is_for_chat boolean|nil Also `/name` in the chat.

---@type table<string, glossator.Command>
M.all = {
  explain = {
    module = 'asking', is_for_chat = true,
    english = 'Explain the function here, or what is selected', chinese = '解释此处的函数或选中的内容',
  },
  problem = {
    module = 'asking', is_for_chat = true,
    english = 'Explain what any server reports here', chinese = '解释任一服务器在此处报告的问题',
  },
  chain = {
    module = 'asking', is_for_chat = true,
    english = 'Who calls the function here, and what it calls', chinese = '此处函数的调用链',
  },
  ask = { module = 'asking', english = 'Ask about the workspace', chinese = '就工作区提问' },
  chat = { module = 'asking', english = 'Open the chat', chinese = '打开聊天' },
  attach = {
    module = 'asking', completion = 'file',
    english = 'Attach lines or a file to the next question; with ! nothing any more',
    chinese = '将若干行或文件附加到下一个问题；加 ! 取消',
  },
  retry = {
    module = 'asking', is_for_chat = true,
    english = 'Ask the last question again', chinese = '重新提出上一个问题',
  },
  edit = {
    module = 'asking', is_for_chat = true,
    english = 'Change the last question and ask again', chinese = '修改上一个问题后重新提问',
  },
  analyze = {
    module = 'asking', completion = 'dir', is_for_chat = true,
    english = 'Explain a folder', chinese = '解释一个文件夹',
  },
  review = {
    module = 'asking', is_for_chat = true,
    english = 'Review what changed since the last commit or a revision',
    chinese = '评审自上次提交或某版本以来的改动',
  },
  stop = {
    module = 'asking', is_for_chat = true,
    english = 'Stop the answer that is arriving', chinese = '停止正在进行的回答',
  },
  answer = {
    module = 'asking', english = 'Show the last answer again', chinese = '再次显示上一个回答',
  },
  new = {
    module = 'sessions', is_for_chat = true,
    english = 'Begin a new conversation', chinese = '开始新的对话',
  },
  sessions = {
    module = 'sessions', action = 'choose', is_for_chat = true,
    english = 'Earlier conversations: go on, rename, delete, export',
    chinese = '以往的对话：继续、改名、删除、导出',
  },
  check = {
    module = 'reports', is_for_chat = true,
    english = 'Check the conventions of this file; with ! of all that are open',
    chinese = '检查此文件的约定；加 ! 检查全部打开的文件',
  },
  fix = { module = 'findings', english = 'Repair the finding here', chinese = '修复此处的问题' },
  ignore = { module = 'findings', english = 'Ignore the finding here', chinese = '忽略此处的问题' },
  rule = { module = 'findings', english = 'Show the rule of the finding here', chinese = '查看此处问题的规则' },
  why = {
    module = 'reports', is_for_chat = true,
    english = 'What is used for this file, what is not, and why',
    chinese = '此文件用到什么、没用到什么及原因',
  },
  search = {
    module = 'reports', is_for_chat = true,
    english = 'Search the knowledge', chinese = '搜索知识',
  },
  figures = {
    module = 'reports', is_for_chat = true,
    english = 'Turns, tokens, costs, latencies; with ! as charts in the browser',
    chinese = '问答、词元、费用、延迟；加 ! 在浏览器中显示图表',
  },
  status = {
    module = 'reports', english = 'Server, model, knowledge, problems', chinese = '服务器、模型、知识、问题',
  },
  doctor = {
    module = 'reports', english = 'Examine the installation', chinese = '检查安装情况',
  },
  trust = {
    module = 'reports', english = 'Trust this workspace; with ! no longer',
    chinese = '信任此工作区；加 ! 取消信任',
  },
  index = {
    module = 'reports', english = 'Read knowledge, skills and rules again',
    chinese = '重新读取知识、技能和规则',
  },
  restart = { module = 'reports', english = 'Start the server again', chinese = '重新启动服务器' },
  log = { module = 'reports', english = "Show the server's log", chinese = '显示服务器日志' },
}

---@return string[]
function M.list_names()
  local names = vim.tbl_keys(M.all)
  table.sort(names)
  return names
end

function M.is_for_chat(name)
  return M.all[name] ~= nil and M.all[name].is_for_chat == true
end

---@return string[]
function M.list_names_for_chat()
  return vim.tbl_filter(M.is_for_chat, M.list_names())
end

--- What the argument of a command is completed by, or nil.
function M.completion_of(name)
  return M.all[name] and M.all[name].completion
end

--- Runs a subcommand.
---@param name string
---@param argument string|nil
---@param given table|nil The arguments of the user command, for its range and `!`.
function M.run(name, argument, given)
  local command = M.all[name]
  if not command then
    local names = table.concat(M.list_names(), ', ')
    return language.complain(
      ('there is no command `%s`; there are %s'):format(name, names),
      ('没有命令 `%s`；可用的有 %s'):format(name, names)
    )
  end
  local arguments = vim.tbl_extend('force', given or {}, { args = vim.trim(argument or '') })
  require('glossator.' .. command.module)[command.action or name](arguments)
end

local function choose(given)
  local prompt = 'Glossator'
  vim.ui.select(M.list_names(), {
    prompt = prompt,
    format_item = function(name)
      return ('%s: %s'):format(name, say(M.all[name].english, M.all[name].chinese))
    end,
  }, function(name)
    if name then
      M.run(name, '', given)
    end
  end)
end

--- Runs `:Glossator`; without a subcommand it offers all of them. `check!` is written as one.
function M.run_user_command(given)
  local name, bang, rest = given.args:match('^([^%s!]+)(!?)%s*(.-)$')
  if not name then
    return choose(given)
  end
  local arguments = { range = given.range, line1 = given.line1, line2 = given.line2 }
  arguments.bang = given.bang or bang == '!'
  M.run(name, rest, arguments)
end

local function run_action(english, chinese)
  return function(command, ctx)
    local title = say(english, chinese)
    local server = vim.lsp.get_client_by_id(ctx.client_id)
    if server then
      local request = {
        command = command.command, argument = command.arguments[1], bufnr = ctx.bufnr,
      }
      require('glossator.conversation').show(server, request, title)
    end
  end
end

--- Commands of code actions, which would otherwise run at the server with nobody to show the
--- answer.
M.of_code_actions = {
  ['glossator.explain'] = run_action('Explain', '解释'),
  ['glossator.callChain'] = run_action('Call chain', '调用链'),
  ['glossator.explainProblem'] = run_action('Explain this problem', '解释此问题'),
}

return M
