--- The floating window that shows an answer while it arrives and after.

local citations = require('glossator.citations')
local compat = require('glossator.compat')
local config = require('glossator.config')

local M = {}

local namespace = vim.api.nvim_create_namespace('glossator')

-- One answer is shown at a time; a new one takes the place of the last.
local shown = {
  answer = nil, ---@type glossator.Answer|nil
  roots = {}, ---@type string[]
  bufnr = nil, ---@type integer|nil
  win = nil, ---@type integer|nil
  origin = nil, ---@type integer|nil The window the user came from.
  actions = {}, ---@type table<string, fun()>
  places = {}, ---@type table<integer, glossator.Place[]> By line, 0-based.
  is_drawing_planned = false,
  clock = nil,
}

local function set_highlights()
  local links = {
    GlossatorCitation = 'Underlined',
    GlossatorMoved = 'DiagnosticWarn',
    GlossatorMissing = 'DiagnosticError',
    GlossatorDim = 'Comment',
    GlossatorStatus = 'DiagnosticInfo',
  }
  for name, target in pairs(links) do
    vim.api.nvim_set_hl(0, name, { link = target, default = true })
  end
end

function M.is_open()
  return shown.win ~= nil and vim.api.nvim_win_is_valid(shown.win)
end

--- The last answer, also while its window is closed; nil before the first.
---@return glossator.Answer|nil
function M.answer()
  return shown.answer
end

-- Place and size ---------------------------------------------------------------------------------

--- A share of a small screen would be too little: it is at least `enough` where that fits.
local function measure(wanted, available, enough)
  local size = wanted <= 1 and math.max(math.floor(available * wanted), enough) or wanted
  return math.max(math.min(size, available), 1)
end

--- Screen lines that `lines` take at a width.
local function count_rows(lines, width)
  local n_rows = 0
  for _, line in ipairs(lines) do
    n_rows = n_rows + math.max(1, math.ceil(vim.fn.strdisplaywidth(line) / width))
  end
  return n_rows
end

local function describe_keys()
  if shown.answer.is_over then
    return shown.answer:say(' <CR> open  a ask  q close ', ' <CR> 打开  a 追问  q 关闭 ')
  end
  return shown.answer:say(' <C-c> stop  q hide ', ' <C-c> 停止  q 隐藏 ')
end

local function cut(text, width)
  if vim.fn.strdisplaywidth(text) <= width then
    return text
  end
  while text ~= '' and vim.fn.strdisplaywidth(text) > width - 1 do
    text = vim.fn.strcharpart(text, 0, vim.fn.strchars(text) - 1)
  end
  return text .. '…'
end

local function make_footer(width)
  local answer = shown.answer
  local status, group = answer.summary or '', 'GlossatorDim'
  if not answer.is_over then
    local age_s = answer:age_s()
    local age = age_s > 1 and (' %d s'):format(age_s) or ''
    status, group = answer.status .. '…' .. age, 'GlossatorStatus'
  end
  local footer, keys = {}, describe_keys()
  -- The keys stay whole: a reader who does not know how to leave is stuck.
  status = cut(status, width - vim.fn.strdisplaywidth(keys) - 4)
  if status ~= '' then
    footer = { { ' ' .. status .. ' ', group }, { '─', 'FloatBorder' } }
  end
  footer[#footer + 1] = { keys, 'GlossatorDim' }
  return footer
end

--- An answer is read beside the code it is about where the screen has room for both.
local function make_layout(lines)
  local options = config.options.window
  local columns, rows = vim.o.columns - 2, vim.o.lines - vim.o.cmdheight - 3
  local is_right = options.position == 'right' or (options.position == 'auto' and columns >= 158)
  local width = measure(options.width, columns, 80)
  -- Longer lines of prose are hard to read; a number of columns is taken at its word.
  if options.width <= 1 then
    width = is_right and math.floor(columns / 2) or math.min(width, 100)
  end
  local tallest = is_right and rows or measure(options.height, rows, 24)
  local height = math.min(math.max(count_rows(lines, width), 3), tallest)
  local layout = {
    relative = 'editor',
    width = width,
    height = height,
    col = is_right and vim.o.columns - width - 2 or math.floor((vim.o.columns - width) / 2) - 1,
    -- From the top, so that the window only grows downwards while the answer arrives.
    row = is_right and 0 or math.max(math.floor((rows - tallest) / 2), 0),
    style = 'minimal',
    border = options.border,
  }
  if compat.has_float_title and options.border ~= 'none' then
    local title = cut((shown.answer.title:gsub('[`*]', '')), width - 4)
    layout.title, layout.title_pos = ' ' .. title .. ' ', 'center'
  end
  if compat.has_float_footer and options.border ~= 'none' then
    layout.footer, layout.footer_pos = make_footer(width), 'right'
  end
  return layout
end

-- Drawing ----------------------------------------------------------------------------------------

--- Replaces only what differs, so that the cursor and the view stay where the reader has them.
local function replace_lines(bufnr, lines)
  local old = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
  local first = 1
  while first <= #lines and first <= #old and lines[first] == old[first] do
    first = first + 1
  end
  if first > #lines and #lines == #old then
    return
  end
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, first - 1, -1, false, vim.list_slice(lines, first))
  vim.bo[bufnr].modifiable = false
end

local verdict_groups = { moved = 'GlossatorMoved', missing = 'GlossatorMissing' }

--- What is shown behind a place that does not stand where it was cited.
local function describe_verdict(place)
  local group = verdict_groups[place.verdict]
  if not group then
    return nil
  end
  local names = { moved = '已移动', missing = '缺失' }
  local text = shown.answer:say(place.verdict, names[place.verdict])
  local reason = place.reason ~= '' and ': ' .. place.reason or ''
  return { (' (%s%s)'):format(text, reason), group }
end

local function mark_places(bufnr, lines)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  shown.places = {}
  for number, line in ipairs(lines) do
    local places = citations.find(line, shown.answer.citations, shown.roots)
    shown.places[number - 1] = places
    for _, place in ipairs(places) do
      local mark = { end_col = place.last, hl_group = 'GlossatorCitation' }
      vim.api.nvim_buf_set_extmark(bufnr, namespace, number - 1, place.first, mark)
      local note = describe_verdict(place)
      if note then
        vim.api.nvim_buf_set_extmark(bufnr, namespace, number - 1, place.last, {
          virt_text = { note },
          virt_text_pos = compat.has_inline_text and 'inline' or 'eol',
        })
      end
    end
  end
end

local function draw()
  shown.is_drawing_planned = false
  local answer, bufnr = shown.answer, shown.bufnr
  if not answer or not bufnr or not vim.api.nvim_buf_is_valid(bufnr) then
    return
  end
  local lines = answer:render(not compat.has_float_footer)
  if not compat.has_float_footer and answer.summary then
    vim.list_extend(lines, { '', '*' .. answer.summary .. '*' })
  end
  replace_lines(bufnr, lines)
  -- Looking for files on every piece of text would be slow on a network drive.
  if answer.is_over then
    mark_places(bufnr, lines)
  end
  if M.is_open() then
    vim.api.nvim_win_set_config(shown.win, make_layout(lines))
  end
end

--- Draws soon: a model may send hundreds of pieces a second.
function M.redraw_soon()
  if not shown.is_drawing_planned then
    shown.is_drawing_planned = true
    vim.defer_fn(draw, 30)
  end
end

local function stop_clock()
  if shown.clock then
    shown.clock:stop()
    shown.clock:close()
    shown.clock = nil
  end
end

--- Draws now: the answer is complete, failed or stopped.
function M.finish()
  stop_clock()
  draw()
end

local function start_clock()
  stop_clock()
  shown.clock = vim.loop.new_timer()
  shown.clock:start(1000, 1000, vim.schedule_wrap(function()
    if shown.answer and not shown.answer.is_over then
      M.redraw_soon()
    else
      stop_clock()
    end
  end))
end

-- Keys -------------------------------------------------------------------------------------------

function M.close()
  if M.is_open() then
    vim.api.nvim_win_close(shown.win, true)
  end
  shown.win = nil
end

function M.open_place_at_cursor()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local line = vim.api.nvim_get_current_line()
  local places = citations.find(line, shown.answer.citations, shown.roots)
  local place = citations.at(shown.places[row - 1] or places, column)
  if not place then
    return vim.notify('Glossator: this line names no place')
  end
  if place.verdict == 'missing' or not place.path then
    return vim.notify('Glossator: that place does not exist', vim.log.levels.WARN)
  end
  local origin = shown.origin
  M.close()
  citations.open(place, origin)
end

--- All places of the answer, in its order, as a quickfix list.
function M.list_places()
  local items = {}
  for number, line in ipairs(vim.api.nvim_buf_get_lines(shown.bufnr, 0, -1, false)) do
    for _, place in ipairs(shown.places[number - 1] or {}) do
      if place.path and place.verdict ~= 'missing' then
        items[#items + 1] = { filename = place.path, lnum = place.line, text = vim.trim(line) }
      end
    end
  end
  if #items == 0 then
    return vim.notify('Glossator: the answer names no places')
  end
  vim.fn.setqflist({}, ' ', { title = 'Glossator: ' .. shown.answer.title, items = items })
  M.close()
  vim.cmd('botright copen')
end

local function set_keys(bufnr)
  local function map(keys, action, description)
    vim.keymap.set('n', keys, action, {
      buffer = bufnr,
      nowait = true,
      silent = true,
      desc = 'Glossator: ' .. description,
    })
  end
  map('q', M.close, 'close the answer')
  map('<Esc>', M.close, 'close the answer')
  map('<CR>', M.open_place_at_cursor, 'open the place under the cursor')
  map('<C-q>', M.list_places, 'all places to the quickfix list')
  map('<C-c>', function()
    shown.actions.stop()
  end, 'stop')
  map('a', function()
    shown.actions.ask()
  end, 'ask on')
end

-- Opening ----------------------------------------------------------------------------------------

local function make_buffer()
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(bufnr, 'glossator://answer')
  vim.bo[bufnr].bufhidden = 'hide'
  vim.bo[bufnr].swapfile = false
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].filetype = 'markdown'
  compat.highlight_markdown(bufnr)
  set_keys(bufnr)
  return bufnr
end

--- Opens the window on the last answer; false when there is none.
function M.reopen()
  if not shown.answer then
    return false
  end
  local current = vim.api.nvim_get_current_win()
  if current ~= shown.win then
    shown.origin = current
  end
  if not shown.bufnr or not vim.api.nvim_buf_is_valid(shown.bufnr) then
    shown.bufnr = make_buffer()
  end
  local lines = shown.answer:render(not compat.has_float_footer)
  if M.is_open() then
    vim.api.nvim_set_current_win(shown.win)
  else
    shown.win = vim.api.nvim_open_win(shown.bufnr, true, make_layout(lines))
    -- `setlocal`: set any other way, these would become the defaults of the user's next windows.
    vim.cmd('setlocal wrap linebreak breakindent conceallevel=2 concealcursor=n nofoldenable')
  end
  draw()
  return true
end

--- Shows a new answer. `actions` are what its keys do: `stop` and `ask`.
function M.show(answer, roots, actions)
  set_highlights()
  shown.answer, shown.roots, shown.actions, shown.places = answer, roots, actions, {}
  M.reopen()
  vim.api.nvim_win_set_cursor(shown.win, { 1, 0 })
  if not answer.is_over then
    start_clock()
  end
end

--- The window the user came from, for what is asked from inside the answer.
function M.origin()
  if shown.win == vim.api.nvim_get_current_win() and shown.origin
    and vim.api.nvim_win_is_valid(shown.origin) then
    return shown.origin
  end
  return vim.api.nvim_get_current_win()
end

--- Follows the size of the screen.
function M.relayout()
  if M.is_open() then
    draw()
  end
end

return M
