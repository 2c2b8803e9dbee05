--- The floating window that shows an answer while it arrives and after.

local citations = require('glossator.citations')
local compat = require('glossator.compat')
local config = require('glossator.config')
local pages = require('glossator.page')
local target = require('glossator.target')

local M = {}

-- One answer is shown at a time; a new one takes the place of the last.
local shown = {
  answer = nil, ---@type glossator.Answer|nil
  roots = {}, ---@type string[]
  page = nil, ---@type glossator.Page|nil
  win = nil, ---@type integer|nil
  actions = {}, ---@type table<string, fun()>
}

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
  status = pages.cut(status, width - vim.fn.strdisplaywidth(keys) - 4)
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
    local title = pages.cut((shown.answer.title:gsub('[`*]', '')), width - 4)
    layout.title, layout.title_pos = ' ' .. title .. ' ', 'center'
  end
  if compat.has_float_footer and options.border ~= 'none' then
    layout.footer, layout.footer_pos = make_footer(width), 'right'
  end
  return layout
end

-- Drawing ----------------------------------------------------------------------------------------

local function render()
  local lines = shown.answer:render(not compat.has_float_footer)
  if not compat.has_float_footer and shown.answer.summary then
    vim.list_extend(lines, { '', '*' .. shown.answer.summary .. '*' })
  end
  return lines
end

local function draw()
  if not shown.answer or not shown.page or not shown.page:is_valid() then
    return
  end
  local lines = render()
  shown.page:replace(0, lines)
  if shown.answer.is_over then
    shown.page:mark(0, lines, shown.answer, shown.roots)
  end
  if M.is_open() then
    vim.api.nvim_win_set_config(shown.win, make_layout(lines))
  end
end

local draw_soon = pages.make_soon(draw)

--- Draws an answer that has changed, if it is the one shown.
function M.changed(answer)
  if answer ~= shown.answer then
    return
  end
  if answer.is_over then
    draw()
  else
    draw_soon()
  end
end

-- Keys -------------------------------------------------------------------------------------------

function M.close()
  if M.is_open() then
    vim.api.nvim_win_close(shown.win, true)
  end
  shown.win = nil
end

function M.open_place_at_cursor()
  local place = shown.page:place_at_cursor(shown.roots)
  if place then
    local win = target.window()
    M.close()
    citations.open(place, win)
  end
end

--- All places of the answer, in its order, as a quickfix list.
function M.list_places()
  if shown.page:list_places(shown.answer.title, 0, math.huge) then
    M.close()
    vim.cmd('botright copen')
  end
end

local function act(name)
  return function()
    shown.actions[name]()
  end
end

-- Opening ----------------------------------------------------------------------------------------

local function make_page()
  return pages.new('glossator://answer', {
    { 'q', M.close, 'close the answer' },
    { '<Esc>', M.close, 'close the answer' },
    { '<CR>', M.open_place_at_cursor, 'open the place under the cursor' },
    { '<C-q>', M.list_places, 'all places to the quickfix list' },
    { '<C-c>', act('stop'), 'stop' },
    { 'a', act('ask'), 'ask on' },
    { 'c', act('chat'), 'go on in the chat' },
  })
end

--- Opens the window on the last answer; false when there is none.
---@param focus boolean Go into it.
function M.reopen(focus)
  if not shown.answer then
    return false
  end
  target.remember()
  if not shown.page or not shown.page:is_valid() then
    shown.page = make_page()
  end
  if not M.is_open() then
    shown.win = vim.api.nvim_open_win(shown.page.bufnr, false, make_layout(render()))
    vim.api.nvim_win_call(shown.win, pages.set_window_options)
  end
  if focus then
    vim.api.nvim_set_current_win(shown.win)
  end
  draw()
  return true
end

--- Shows a new answer. `actions` are what its keys do: `stop`, `ask` and `chat`.
function M.show(answer, roots, actions)
  shown.answer, shown.roots, shown.actions = answer, roots, actions
  if shown.page and shown.page:is_valid() then
    shown.page:forget(0)
  end
  M.reopen(config.options.window.focus)
  vim.api.nvim_win_set_cursor(shown.win, { 1, 0 })
  if not answer.is_over then
    pages.start_clock(function()
      draw_soon()
      return shown.answer == answer and not answer.is_over
    end)
  end
end

--- Follows the size of the screen.
function M.relayout()
  if M.is_open() then
    draw()
  end
end

return M
