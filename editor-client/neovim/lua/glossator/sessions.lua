--- Sessions: listed, gone on with, renamed, deleted, exported.

local Answer = require('glossator.answer')
local attachments = require('glossator.attachments')
local chat = require('glossator.chat')
local conversation = require('glossator.conversation')
local language = require('glossator.language')
local send = require('glossator.requests').send
local target = require('glossator.target')

local say = language.say
local M = {}

--- The session itself begins with its first question: one without any would not outlive the server.
function M.new()
  local _, _, server = target.find()
  if server then
    conversation.begin(server, {})
    language.tell('a new conversation begins', '新的对话开始了')
  end
end

local function make_turn(kept, number, bufnr)
  local answer = Answer.new(kept.question)
  answer:complete(kept)
  local added = attachments.restore(kept.attachments)
  local request = {
    command = 'glossator.ask',
    argument = { question = kept.question, attachments = attachments.to_wire(added) },
    bufnr = bufnr,
    attached = attachments.list_labels(added),
    added = added,
  }
  return { question = kept.question, answer = answer, number = number, request = request }
end

--- Shows a session in the chat; the next question goes on with it.
local function resume(entry)
  send('glossator.readSession', { sessionId = entry.sessionId }, function(result, server)
    local turns, bufnr = {}, vim.api.nvim_win_get_buf(target.window())
    for number, kept in ipairs(result.turns) do
      turns[number] = make_turn(kept, number, bufnr)
    end
    conversation.begin(server, {
      session_id = result.sessionId, title = result.title, turns = turns,
    })
    chat.open(server)
  end)
end

local function rename(entry)
  local prompt = say('New title: ', '新标题：')
  vim.ui.input({ prompt = prompt, default = entry.title }, function(title)
    if not title or vim.trim(title) == '' then
      return
    end
    local argument = { sessionId = entry.sessionId, title = title }
    send('glossator.renameSession', argument, function(result, server)
      local current = conversation.of(server)
      if current.session_id == entry.sessionId then
        current.title = result.title
        chat.refresh(server)
      end
      language.tell('renamed to ' .. result.title, '已改名为 ' .. result.title)
    end)
  end)
end

local function delete(entry)
  local keep, really = say('Keep it', '保留'), say('Delete it for good', '永久删除')
  local prompt = say('Delete “%s”?', '删除“%s”？'):format(entry.title)
  vim.ui.select({ keep, really }, { prompt = prompt }, function(choice)
    if choice ~= really then
      return
    end
    send('glossator.deleteSession', { sessionId = entry.sessionId }, function(_, server)
      if conversation.of(server).session_id == entry.sessionId then
        conversation.begin(server, {})
      end
      language.tell('deleted ' .. entry.title, '已删除 ' .. entry.title)
    end)
  end)
end

local function export(entry)
  send('glossator.exportSession', { sessionId = entry.sessionId, format = 'markdown' },
    function(result)
      -- A buffer without a file: where it is kept is its reader's decision.
      vim.cmd('tabnew')
      vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(result.text, '\n'))
      vim.bo.filetype = 'markdown'
      language.tell('`:write FILE` keeps it', '`:write 文件` 保存')
    end)
end

local actions = {
  { 'Go on with it', '继续', resume },
  { 'Rename', '改名', rename },
  { 'Delete', '删除', delete },
  { 'Export as Markdown', '导出为 Markdown', export },
}

local function choose_action(entry)
  vim.ui.select(actions, {
    prompt = entry.title,
    format_item = function(action)
      return say(action[1], action[2])
    end,
  }, function(action)
    if action then
      action[3](entry)
    end
  end)
end

local function describe(entry)
  local turns = say(language.count(entry.nTurns, 'turn'), entry.nTurns .. ' 轮')
  return ('%s (%s, %s)'):format(entry.title, turns, entry.updatedAt:sub(1, 10))
end

--- Lists the sessions of the workspace, those that have the words given; then what to do with one.
function M.choose(given)
  send('glossator.listSessions', { query = given.args }, function(result)
    if #result.sessions == 0 then
      return language.tell('there are no sessions', '没有会话')
    end
    local prompt = say('Sessions', '会话')
    vim.ui.select(result.sessions, { prompt = prompt, format_item = describe }, function(entry)
      if entry then
        choose_action(entry)
      end
    end)
  end)
end

return M
