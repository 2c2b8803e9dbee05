--- The chat: the conversation above, a few lines for the next question below it.

local attachments = require('glossator.attachments')
local citations = require('glossator.citations')
local client = require('glossator.client')
local compat = require('glossator.compat')
local config = require('glossator.config')
local conversation = require('glossator.conversation')
local language = require('glossator.language')
local pages = require('glossator.page')
local target = require('glossator.target')

local say = language.say
local M = {}

local namespace = vim.api.nvim_create_namespace('glossator-question')
local QUESTION_ROWS = 4

local shown = {
  server = nil, ---@type table|nil The client whose conversation it is.
  page = nil, ---@type glossator.Page|nil
  win = nil, ---@type integer|nil
  question_bufnr = nil, ---@type integer|nil
  question_win = nil, ---@type integer|nil
  rows = {}, ---@type integer[] Where each turn begins, 0-based.
  edited = nil, ---@type glossator.Turn|nil The one that the next question replaces.
}

--- Is a window there, and does it still show what is ours? Somebody may have edited a file in it.
local function is_showing(win, bufnr)
  return win ~= nil
    and vim.api.nvim_win_is_valid(win)
    and vim.api.nvim_win_get_buf(win) == bufnr
end

local function has_answers()
  return is_showing(shown.win, shown.page and shown.page.bufnr)
end

local function has_question()
  return is_showing(shown.question_win, shown.question_bufnr)
end

function M.is_open()
  return has_answers()
end

--- Is the cursor in the chat?
function M.is_current()
  local win = vim.api.nvim_get_current_win()
  return M.is_open() and (win == shown.win or win == shown.question_win)
end

local function get_turns()
  return shown.server and conversation.of(shown.server).turns or {}
end

-- Drawing ----------------------------------------------------------------------------------------

local function describe_empty()
  local lines = vim.split(say(
    '# Glossator\n\nAsk about this workspace in the field below.\n\n'
      .. '- `<CR>` sends, `<C-c>` stops, `g?` shows all keys\n'
      .. '- `#file`, `#file:path:3-9`, `#selection`, `#symbol:name` attach; `<Tab>` completes `#` and `@`\n'
      .. '- `/explain`, `/chain`, `/check`, `/why`, `/review`, `/sessions`, `/new` are commands',
    '# Glossator\n\n在下方输入框中就此工作区提问。\n\n'
      .. '- `<CR>` 发送，`<C-c>` 停止，`g?` 显示所有按键\n'
      .. '- `#file`、`#file:路径:3-9`、`#selection`、`#symbol:名称` 附加内容；`<Tab>` 补全 `#` 和 `@`\n'
      .. '- `/explain`、`/chain`、`/check`、`/why`、`/review`、`/sessions`、`/new` 是命令'
  ), '\n')
  local status = shown.server and client.last_status(shown.server)
  if status and not status.model.configured then
    local how = say(' `:help glossator-model` shows how.', ' 参见 `:help glossator-model`。')
    vim.list_extend(lines, { '', '> ' .. status.model.message .. how })
  end
  return lines
end

--- The lines of a turn, and how many of them are its question's.
local function render_turn(turn)
  local lines = {}
  for _, line in ipairs(vim.split(vim.trim(turn.question), '\r?\n')) do
    lines[#lines + 1] = '> ' .. line
  end
  local attached = turn.request and turn.request.attached or {}
  if #attached > 0 then
    lines[#lines + 1] = say('> attached: ', '> 附加：') .. table.concat(attached, ', ')
  end
  local n_question = #lines
  lines[#lines + 1] = ''
  vim.list_extend(lines, turn.answer:render(not compat.has_winbar))
  if turn.answer.summary then
    vim.list_extend(lines, { '', '*' .. turn.answer.summary .. '*' })
  end
  lines[#lines + 1] = ''
  return lines, n_question
end

local function draw_turn(index, turn)
  local row, roots = shown.rows[index], client.list_roots(shown.server)
  local lines, n_question = render_turn(turn)
  shown.page:replace(row, lines)
  shown.page:forget(row)
  if turn.answer.is_over then
    shown.page:mark(row, lines, turn.answer, roots)
  end
  shown.page:colour(row, n_question, 'GlossatorQuestion')
  shown.rows[index + 1] = row + #lines
end

local function escape(text)
  return (text:gsub('%%', '%%%%'))
end

--- What happens now, with the key that stops it; else what the conversation is about.
local function describe_state()
  local turn = get_turns()[#get_turns()]
  local room = vim.api.nvim_win_get_width(shown.win) - vim.fn.strdisplaywidth(' Glossator  ')
  if not turn or turn.answer.is_over then
    local title = shown.server and conversation.of(shown.server).title or ''
    title = pages.cut(title:gsub('%s+', ' '), room)
    return '%#Title# Glossator%* ' .. escape(title)
  end
  local key = say('<C-c> stops', '<C-c> 停止')
  local age = ('… %d s'):format(turn.answer:age_s())
  room = room - vim.fn.strdisplaywidth(age .. key) - 3
  local status = pages.cut(turn.answer.status, math.max(room, 10))
  return '%#Title# Glossator%* %#GlossatorStatus#' .. escape(status) .. age
    .. '%*%=%#GlossatorDim#' .. key .. ' %*'
end

--- What goes with the question in the field, what it replaces, or the keys.
local function describe_question()
  local parts = {}
  if shown.edited then
    local n_later = conversation.count_later(shown.server, shown.edited)
    parts[1] = n_later == 0 and say('replaces the question  <C-c> keeps it', '将替换该问题  <C-c> 保留')
      or say('replaces the question and %d later  <C-c> keeps them', '将替换该问题及其后 %d 轮  <C-c> 保留')
        :format(n_later)
  end
  local attached = table.concat(attachments.list_pending(), ', ')
  if attached ~= '' then
    parts[#parts + 1] = say('attached: ', '附加：') .. attached
  end
  return #parts > 0 and table.concat(parts, '  ')
    or say('<CR> sends  <Tab> completes  g? keys', '<CR> 发送  <Tab> 补全  g? 按键')
end

local function draw_bars()
  if not compat.has_winbar then
    return
  end
  if has_answers() then
    vim.wo[shown.win].winbar = describe_state()
  end
  if has_question() then
    vim.wo[shown.question_win].winbar = '%#GlossatorDim# ' .. escape(describe_question()) .. '%*'
  end
end

--- The reader who stands at the end sees what comes; nobody else's view or cursor is moved.
local function follow_if_at_end(draw)
  local is_open = has_answers()
  local n_old = vim.api.nvim_buf_line_count(shown.page.bufnr)
  local is_at_end = is_open and vim.api.nvim_win_get_cursor(shown.win)[1] >= n_old
  draw()
  if is_at_end then
    local n_lines = vim.api.nvim_buf_line_count(shown.page.bufnr)
    vim.api.nvim_win_set_cursor(shown.win, { n_lines, 0 })
  end
end

local function draw_all()
  if not shown.page or not shown.page:is_valid() then
    return
  end
  local turns = get_turns()
  shown.edited = vim.tbl_contains(turns, shown.edited) and shown.edited or nil
  shown.page:forget(0)
  shown.rows = { 0 }
  follow_if_at_end(function()
    if #turns == 0 then
      shown.page:replace(0, describe_empty())
    end
    for index, turn in ipairs(turns) do
      draw_turn(index, turn)
    end
  end)
  draw_bars()
end

local function draw_last()
  local turns = get_turns()
  if not shown.page or not shown.page:is_valid() or #turns == 0 or not shown.rows[#turns] then
    return
  end
  follow_if_at_end(function()
    draw_turn(#turns, turns[#turns])
  end)
  draw_bars()
end

local draw_soon = pages.make_soon(draw_last)

--- Draws an answer that has changed, if it is the last one of the chat.
function M.changed(answer)
  local turn = get_turns()[#get_turns()]
  if not turn or turn.answer ~= answer then
    return
  end
  if answer.is_over then
    draw_last()
  else
    draw_soon()
  end
end

--- Draws the conversation of a server anew, if the chat is open.
function M.refresh(server)
  if not M.is_open() then
    return
  end
  shown.server = server
  draw_all()
  vim.api.nvim_win_set_cursor(shown.win, { vim.api.nvim_buf_line_count(shown.page.bufnr), 0 })
  local turn = get_turns()[#get_turns()]
  if turn and not turn.answer.is_over then
    pages.start_clock(function()
      draw_bars()
      return M.is_open() and not turn.answer.is_over
    end)
  end
end

-- Keys -------------------------------------------------------------------------------------------

function M.close()
  if has_question() then
    vim.api.nvim_win_hide(shown.question_win)
  end
  if has_answers() and #vim.api.nvim_list_wins() > 1 then
    vim.api.nvim_win_hide(shown.win)
  end
end

local function open_place()
  local place = shown.page:place_at_cursor(client.list_roots(shown.server))
  if place then
    citations.open(place, target.window())
  end
end

--- The turn at the cursor in the conversation, and its first and last row, 0-based; nil elsewhere.
---@return glossator.Turn|nil, integer, integer
local function turn_at_cursor()
  local row, turns = vim.api.nvim_win_get_cursor(0)[1] - 1, get_turns()
  for index = #turns, 1, -1 do
    if shown.rows[index] <= row then
      return turns[index], shown.rows[index], (shown.rows[index + 1] or math.huge) - 1
    end
  end
  return nil, 0, 0
end

--- The question at the cursor, where the cursor is in the conversation.
---@return glossator.Turn|nil
function M.question_at_cursor()
  if has_answers() and vim.api.nvim_get_current_win() == shown.win then
    local turn = turn_at_cursor()
    return turn and turn.request and turn or nil
  end
end

--- The places of the turn at the cursor become a quickfix list.
local function list_places()
  local turn, first, last = turn_at_cursor()
  if turn and shown.page:list_places(turn.question:gsub('%s+', ' '), first, last) then
    vim.api.nvim_set_current_win(target.window())
    vim.cmd('botright copen')
  end
end

local function run(name)
  return function()
    require('glossator.commands').run(name)
  end
end

--- Puts the cursor into the field for the question.
function M.focus_question()
  if has_question() then
    vim.api.nvim_set_current_win(shown.question_win)
  end
end

local function focus_answers()
  if has_answers() then
    vim.api.nvim_set_current_win(shown.win)
  end
end

--- Replaces what stands in the field for the question.
function M.set_question(text)
  if shown.question_bufnr and vim.api.nvim_buf_is_valid(shown.question_bufnr) then
    vim.api.nvim_buf_set_lines(shown.question_bufnr, 0, -1, false, vim.split(text, '\n'))
  end
end

local function send()
  local lines = vim.api.nvim_buf_get_lines(shown.question_bufnr, 0, -1, false)
  local question = vim.trim(table.concat(lines, '\n'))
  if question == '' then
    return language.tell('write a question first', '请先写下问题')
  end
  M.set_question('')
  local replaced = shown.edited
  shown.edited = nil
  local commands = require('glossator.commands')
  local name, rest = question:match('^/(%l+)%s*(.-)$')
  -- Another word behind a slash is the name of a skill.
  if not (name and commands.is_for_chat(name)) then
    name, rest = 'ask', question
  end
  commands.run(name, rest, { replaced = replaced })
  draw_bars()
end

--- Stops the answer that arrives; else leaves the question that was to be edited as it is.
local function stop()
  if conversation.is_running() or not shown.edited then
    return require('glossator.commands').run('stop')
  end
  shown.edited = nil
  attachments.replace()
  M.set_question('')
  draw_bars()
end

--- Completes the word that is being typed. No mapping with `expr`: Neovim evaluates it before the
--- letters that were typed with it stand in the buffer.
local function complete()
  local has_menu = vim.fn.pumvisible() == 1
  local before = vim.api.nvim_get_current_line():sub(1, vim.fn.col('.') - 1)
  local keys = has_menu and '<C-n>' or before:match('[#@/]%S*$') and '<C-x><C-u>' or '<Tab>'
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), 'n', false)
end

local function show_keys()
  language.tell(table.concat({
    '', 'answers:  <CR> open place  <C-q> places to quickfix  i to the question',
    '          R retry  E edit the question here  <C-c> stop  q close',
    'question: <CR> send (<C-s> while typing)  <Tab> complete  <C-c> stop  q close',
  }, '\n'), table.concat({
    '', '回答区：<CR> 打开位置  <C-q> 位置列入 quickfix  i 到输入框',
    '        R 重试  E 编辑此处的问题  <C-c> 停止  q 关闭',
    '输入框：<CR> 发送（输入时 <C-s>）  <Tab> 补全  <C-c> 停止  q 关闭',
  }, '\n'))
end

-- Opening ----------------------------------------------------------------------------------------

local function make_page()
  return pages.new('glossator://chat', {
    { 'q', M.close, 'close the chat' },
    { '<CR>', open_place, 'open the place under the cursor' },
    { '<C-q>', list_places, 'places of this answer to the quickfix list' },
    { '<C-c>', stop, 'stop' },
    { 'i', M.focus_question, 'to the question' },
    { 'a', M.focus_question, 'to the question' },
    { 'R', run('retry'), 'ask the question here again' },
    { 'E', run('edit'), 'edit the question here' },
    { 'g?', show_keys, 'show the keys' },
  })
end

--- Shows in an empty field what it is for.
local function draw_hint()
  local bufnr = shown.question_bufnr
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  local lines = vim.api.nvim_buf_get_lines(bufnr, 0, 2, false)
  if #lines <= 1 and (lines[1] or '') == '' then
    local hint = say('Ask about this workspace…', '就此工作区提问…')
    vim.api.nvim_buf_set_extmark(bufnr, namespace, 0, 0, {
      virt_text = { { hint, 'GlossatorDim' } },
      virt_text_pos = 'overlay',
    })
  end
end

local function make_question_buffer()
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(bufnr, 'glossator://question')
  vim.bo[bufnr].bufhidden = 'hide'
  vim.bo[bufnr].swapfile = false
  vim.bo[bufnr].filetype = 'glossator-question'
  vim.bo[bufnr].completefunc = "v:lua.require'glossator.completion'.complete_question"
  local function map(mode, keys, action, description)
    vim.keymap.set(mode, keys, action, {
      buffer = bufnr, silent = true, nowait = true, desc = 'Glossator: ' .. description,
    })
  end
  map('n', '<CR>', send, 'send the question')
  map({ 'n', 'i' }, '<C-s>', function()
    vim.cmd('stopinsert')
    send()
  end, 'send the question')
  map('i', '<Tab>', complete, 'complete')
  map('n', '<C-c>', stop, 'stop')
  map('n', 'q', M.close, 'close the chat')
  map('n', 'g?', show_keys, 'show the keys')
  map('n', '<Esc>', focus_answers, 'to the answers')
  vim.api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI', 'BufWinEnter' }, {
    buffer = bufnr,
    callback = draw_hint,
  })
  return bufnr
end

local function open_windows()
  local options = config.options.chat
  local places = {
    right = 'botright vsplit', left = 'topleft vsplit', bottom = 'botright split', tab = 'tab split',
  }
  vim.cmd(places[options.position])
  shown.win = vim.api.nvim_get_current_win()
  if options.position == 'right' or options.position == 'left' then
    local width = options.width <= 1 and math.floor(vim.o.columns * options.width) or options.width
    vim.api.nvim_win_set_width(shown.win, math.max(math.min(width, vim.o.columns - 20), 20))
  end
  vim.api.nvim_win_set_buf(shown.win, shown.page.bufnr)
  vim.cmd('belowright ' .. QUESTION_ROWS .. 'split')
  shown.question_win = vim.api.nvim_get_current_win()
  vim.api.nvim_win_set_buf(shown.question_win, shown.question_bufnr)
  for _, win in ipairs({ shown.win, shown.question_win }) do
    vim.api.nvim_win_call(win, function()
      pages.set_window_options()
      vim.cmd('setlocal nonumber norelativenumber signcolumn=no nospell nolist winfixheight')
    end)
  end
  vim.api.nvim_win_call(shown.win, function()
    vim.cmd('setlocal nowinfixheight')
  end)
end

--- Opens the chat on the conversation of a server, or goes to it; the cursor is in the question.
function M.open(server)
  target.remember()
  require('glossator.window').close()
  if not shown.page or not shown.page:is_valid() then
    shown.page = make_page()
  end
  if not shown.question_bufnr or not vim.api.nvim_buf_is_valid(shown.question_bufnr) then
    shown.question_bufnr = make_question_buffer()
  end
  if not (has_answers() and has_question()) then
    M.close()
    open_windows()
  end
  M.refresh(server)
  draw_hint()
  M.focus_question()
end

--- Opens the chat with a question in the field, to be put otherwise in its place.
---@param turn glossator.Turn
function M.edit(server, turn)
  M.open(server)
  shown.edited = turn
  attachments.replace(turn.request.added)
  M.set_question(turn.question)
  draw_bars()
end

--- Shows anew what is attached to the next question.
M.show_attached = draw_bars

return M
