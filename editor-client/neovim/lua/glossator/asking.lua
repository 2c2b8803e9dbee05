--- Commands that are answered: explain, follow calls, ask, analyse; and the one that stops them.

local attachments = require('glossator.attachments')
local chat = require('glossator.chat')
local conversation = require('glossator.conversation')
local language = require('glossator.language')
local problems = require('glossator.problems')
local target = require('glossator.target')
local window = require('glossator.window')

local say = language.say
local M = {}

--- Explains the function under the cursor, or what `given` (a command's arguments) selects.
function M.explain(given)
  local win, bufnr, server = target.find()
  if not server then
    return
  end
  local place = target.make(win, bufnr, server, given)
  if not place.uri then
    return language.complain(
      'there is no code here to explain; go to a file', '此处没有可解释的代码；请转到一个文件'
    )
  end
  local request = { command = 'glossator.explain', argument = place, bufnr = bufnr }
  conversation.show(server, request, say('Explain', '解释'))
end

local function describe_problem(problem)
  local source = problem.source and problem.source .. ': ' or ''
  return source .. problem.message:gsub('%s+', ' ')
end

--- Explains what any server or linter reports at the cursor; where there is more, asks which.
function M.problem()
  local win, bufnr, server = target.find()
  if not server then
    return
  end
  local function explain(problem)
    if problem then
      local argument = {
        uri = vim.uri_from_bufnr(bufnr),
        diagnostic = problems.to_wire(problem, server.offset_encoding),
      }
      conversation.show(server, {
        command = 'glossator.explainProblem', argument = argument, bufnr = bufnr,
      }, say('Explain this problem', '解释此问题'))
    end
  end
  local found = problems.list_at_cursor(win)
  if #found == 0 then
    return language.tell('nothing is reported on this line', '此行没有报告的问题')
  elseif #found == 1 then
    return explain(found[1])
  end
  local prompt = say('Explain which problem?', '解释哪个问题？')
  vim.ui.select(found, { prompt = prompt, format_item = describe_problem }, explain)
end

function M.chain(given)
  local win, bufnr, server = target.find()
  if not server then
    return
  end
  local place = target.make(win, bufnr, server)
  if not place.uri then
    return language.complain(
      'there is no function here; go to a file', '此处没有函数；请转到一个文件'
    )
  end
  place.depth = tonumber(given.args)
  local request = { command = 'glossator.callChain', argument = place, bufnr = bufnr }
  conversation.show(server, request, say('Call chain', '调用链'))
end

local function analyze(argument, title)
  local _, bufnr, server = target.find()
  if server then
    local request = { command = 'glossator.analyze', argument = argument, bufnr = bufnr }
    conversation.ask(server, request, title)
  end
end

--- Explains the folder named, or that of this file.
function M.analyze(given)
  local bufnr = vim.api.nvim_win_get_buf(target.window())
  local folder = given.args ~= '' and vim.fn.fnamemodify(given.args, ':p')
    or vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':p:h')
  local title = say('Explain ', '解释 ') .. vim.fn.fnamemodify(folder, ':~:.')
  analyze({ task = 'package', path = folder }, title)
end

--- Reviews what changed since the last commit, or since the revision named.
function M.review(given)
  analyze({ task = 'change', revision = given.args }, say('Review changes', '评审改动'))
end

local function ask(question, given)
  local win, bufnr, server = target.find()
  if not server then
    return
  end
  local argument = target.make(win, bufnr, server, given)
  local attached, added
  argument.question, attached, added = attachments.take(question, win, bufnr, server)
  argument.attachments = attachments.to_wire(attached)
  conversation.ask(server, {
    command = 'glossator.ask',
    argument = argument,
    bufnr = bufnr,
    attached = attachments.list_labels(attached),
    added = added,
  }, question, given.replaced)
end

--- Asks about the workspace; without a question, asks for one first.
function M.ask(given)
  if given.args ~= '' then
    return ask(given.args, given)
  end
  vim.ui.input({ prompt = say('Ask Glossator: ', '向 Glossator 提问：') }, function(typed)
    if typed and vim.trim(typed) ~= '' then
      ask(vim.trim(typed), given)
    end
  end)
end

--- Opens the chat, and asks there if there is a question.
function M.chat(given)
  local _, _, server = target.find()
  if not server then
    return
  end
  if given.range and given.range > 0 then
    M.attach({ range = given.range, line1 = given.line1, line2 = given.line2, args = '' })
  end
  chat.open(server)
  if given.args ~= '' then
    ask(given.args, {})
  end
end

--- Attaches the lines of the range, the file named, or this file to the next question.
function M.attach(given)
  if given.bang then
    attachments.replace()
    chat.show_attached()
    return language.tell('nothing is attached any more', '已取消全部附加内容')
  end
  local win, bufnr, server = target.find()
  local attachment = server and attachments.add(given, win, bufnr, server)
  if attachment then
    chat.show_attached()
    language.tell(
      ('`%s` goes with the next question'):format(attachment.label),
      ('`%s` 将随下一个问题发送'):format(attachment.label)
    )
  elseif server then
    language.complain('there is no file here to attach', '此处没有可附加的文件')
  end
end

--- The question that a command is about: the one at the cursor in the chat, else the last one.
local function find_question()
  local _, _, server = target.find()
  local turn = server and (chat.question_at_cursor() or conversation.last_question(server))
  if server and not turn then
    language.tell('nothing was asked yet', '还没有提过问题')
  end
  return server, turn
end

--- Asks a question again, in its place.
function M.retry()
  local server, turn = find_question()
  if turn then
    conversation.ask(server, turn.request, turn.question, turn)
  end
end

--- Puts a question into the chat's field, to be put otherwise in its place.
function M.edit()
  local server, turn = find_question()
  if turn then
    chat.edit(server, turn)
  end
end

function M.stop()
  if not conversation.stop() then
    language.tell('nothing is running', '没有正在进行的回答')
  end
end

function M.answer()
  if not window.reopen(true) then
    language.tell('there is no answer yet', '还没有回答')
  end
end

return M
