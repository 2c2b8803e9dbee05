--- Questions and their answers: what was asked in a workspace, what runs, and where it is shown.

local Answer = require('glossator.answer')
local client = require('glossator.client')
local compat = require('glossator.compat')
local language = require('glossator.language')
local window = require('glossator.window')

local M = {}

---@class glossator.Turn
---@field question string
---@field answer glossator.Answer
---@field request glossator.Request|nil Nil for what is shown between the questions.
---@field number integer|nil In its session, from 1; nil when it is not kept there.
---@field replaces glossator.Turn|nil The one it was to replace, which is still there.

---@class glossator.Request
---@field command string
---@field argument table
---@field bufnr integer
---@field attached string[]|nil What goes with a question, as a person reads it.
---@field added glossator.Attachment[]|nil What of it does not stand in the question's text.

---@class glossator.Conversation
---@field session_id string|nil
---@field title string
---@field turns glossator.Turn[]

-- By workspace: a conversation goes on when its server was started again.
local conversations = {} ---@type table<string, glossator.Conversation>

---@class glossator.Running
---@field run glossator.Run
---@field answer glossator.Answer
---@field on_over fun(result: table|nil) Called once; nil when it failed or was stopped.

---@type glossator.Running|nil The one whose answer arrives.
local current

local function chat()
  return require('glossator.chat')
end

---@return glossator.Conversation
function M.of(server)
  local root = server.config.root_dir or ''
  conversations[root] = conversations[root] or { turns = {}, title = '' }
  return conversations[root]
end

local function changed(answer)
  window.changed(answer)
  chat().changed(answer)
end

--- Is an answer arriving?
function M.is_running()
  return current ~= nil
end

--- Stops the answer that is arriving; false when there is none.
function M.stop()
  if not current then
    return false
  end
  local stopped = current
  current = nil
  client.cancel(stopped.run)
  stopped.answer:stop()
  stopped.on_over(nil)
  changed(stopped.answer)
  return true
end

--- Begins anew; `session` is what is known of it: `session_id`, `title` and `turns`.
function M.begin(server, session)
  M.stop()
  local conversation = M.of(server)
  conversation.session_id = session.session_id
  conversation.title = session.title or ''
  conversation.turns = session.turns or {}
  chat().refresh(server)
end

local actions = {
  stop = function()
    require('glossator.commands').run('stop')
  end,
  ask = function()
    require('glossator.commands').run('ask')
  end,
  chat = function()
    require('glossator.commands').run('chat')
  end,
}

local function tell_if_hidden(answer)
  if not window.is_open() and not chat().is_open() then
    language.tell(
      'the answer is there; `:Glossator answer` shows it', '回答已完成；`:Glossator answer` 查看'
    )
  end
  changed(answer)
end

--- Shows a text that is no answer of a model.
function M.show_text(title, markdown, server)
  M.stop()
  local answer = Answer.new(title)
  answer:complete({ markdown = markdown })
  answer.summary = nil
  window.show(answer, client.list_roots(server), actions)
end

--- Runs a request and puts what comes into `answer`; the run before it is stopped.
---@param request glossator.Request
---@param on_over fun(result: table|nil)
local function run(server, request, answer, on_over)
  M.stop()
  local mine = { answer = answer, on_over = on_over }
  current = mine
  mine.run = client.execute(server, request.command, request.argument, {
    on_event = function(event)
      answer:take(event)
      changed(answer)
    end,
    on_end = function(err, result)
      if current == mine then
        current = nil
      end
      if err or not result then
        answer:fail(err or language.say('the server gave no answer', '服务器没有给出回答'))
      else
        answer:complete(result)
      end
      on_over(result)
      tell_if_hidden(answer)
    end,
  }, request.bufnr)
end

--- Runs a request that is no part of the conversation, and shows its answer as it arrives.
---@param request glossator.Request
function M.show(server, request, title)
  local answer = Answer.new(title)
  if chat().is_current() then
    local turns = M.of(server).turns
    turns[#turns + 1] = { question = title, answer = answer }
    chat().refresh(server)
  else
    window.show(answer, client.list_roots(server), actions)
  end
  run(server, request, answer, function() end)
end

local function count_kept(turns)
  return #vim.tbl_filter(function(turn)
    return turn.number ~= nil
  end, turns)
end

--- The turns before one and those from it on; all are before one that is not there.
local function cut_at(turns, replaced)
  for index, turn in ipairs(turns) do
    if turn == replaced then
      return vim.list_slice(turns, 1, index - 1), vim.list_slice(turns, index)
    end
  end
  return vim.list_slice(turns), {}
end

--- The session still has what was to be replaced: it is shown again, the new turn below it.
local function bring_back(server, before, later, turn)
  local conversation = M.of(server)
  if conversation.turns[#conversation.turns] ~= turn then
    return
  end
  turn.replaces = later[1]
  conversation.turns = vim.list_extend(vim.list_extend(before, later), { turn })
  chat().refresh(server)
  language.tell('nothing was replaced: the new turn was not kept', '没有替换任何内容：新的一轮未被保留')
end

--- What stands where a turn is asked anew: the turn, or what that was to replace.
local function free_place_of(server, turn)
  local conversation = M.of(server)
  if not (turn and turn.replaces) then
    return turn
  end
  conversation.turns = vim.tbl_filter(function(each)
    return each ~= turn
  end, conversation.turns)
  return turn.replaces
end

--- Runs a request as the next turn of the conversation, or in the place of `replaced` and of all
--- that follows it. It is shown in the chat where that is open, else in the answer window.
---@param request glossator.Request
---@param replaced glossator.Turn|nil
function M.ask(server, request, question, replaced)
  M.stop()
  local conversation = M.of(server)
  local turn = { question = question, answer = Answer.new(question), request = request }
  replaced = free_place_of(server, replaced)
  local before, later = cut_at(conversation.turns, replaced)
  local n_replaced = count_kept(later)
  request.argument.sessionId = conversation.session_id
  request.argument.keepTurns = n_replaced > 0 and count_kept(before) or nil
  request.argument.ofTurns = n_replaced > 0 and count_kept(before) + n_replaced or nil
  conversation.turns = vim.list_extend(vim.list_slice(before), { turn })
  if conversation.title == '' then
    conversation.title = question
  end
  if chat().is_open() then
    chat().refresh(server)
  else
    window.show(turn.answer, client.list_roots(server), actions)
  end
  run(server, request, turn.answer, function(result)
    if result then
      conversation.session_id = compat.given(result.sessionId)
      turn.number = compat.given(result.number)
    end
    if n_replaced > 0 and not turn.number then
      bring_back(server, before, later, turn)
    end
  end)
end

--- The last turn that can be asked again, or nil.
---@return glossator.Turn|nil
function M.last_question(server)
  local turns = M.of(server).turns
  for index = #turns, 1, -1 do
    if turns[index].request then
      return turns[index]
    end
  end
end

--- How many turns stand below one.
---@param turn glossator.Turn
function M.count_later(server, turn)
  local _, later = cut_at(M.of(server).turns, turn)
  return #later - 1
end

return M
