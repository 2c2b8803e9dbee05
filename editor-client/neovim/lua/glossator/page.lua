--- A read-only buffer of Markdown in which answers stand: drawn as they grow, their places marked.

local citations = require('glossator.citations')
local compat = require('glossator.compat')
local language = require('glossator.language')

local M = {}

local namespace = vim.api.nvim_create_namespace('glossator')

---@class glossator.Page
---@field bufnr integer
---@field places table<integer, glossator.Place[]> By row, 0-based.
local Page = {}
Page.__index = Page

local links = {
  GlossatorCitation = 'Underlined',
  GlossatorMoved = 'DiagnosticWarn',
  GlossatorMissing = 'DiagnosticError',
  GlossatorDim = 'Comment',
  GlossatorStatus = 'DiagnosticInfo',
  GlossatorQuestion = 'Title',
}

local function set_highlights()
  for name, target in pairs(links) do
    vim.api.nvim_set_hl(0, name, { link = target, default = true })
  end
end

---@param name string Of the buffer.
---@param keys { [1]: string, [2]: fun(), [3]: string }[] Keys, what they do, and how it is called.
---@return glossator.Page
function M.new(name, keys)
  set_highlights()
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(bufnr, name)
  vim.bo[bufnr].bufhidden = 'hide'
  vim.bo[bufnr].swapfile = false
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].filetype = 'markdown'
  compat.highlight_markdown(bufnr)
  for _, key in ipairs(keys) do
    vim.keymap.set('n', key[1], key[2], {
      buffer = bufnr,
      nowait = true,
      silent = true,
      desc = 'Glossator: ' .. key[3],
    })
  end
  return setmetatable({ bufnr = bufnr, places = {} }, Page)
end

function Page:is_valid()
  return vim.api.nvim_buf_is_valid(self.bufnr)
end

--- Puts `lines` from a row (0-based) to the end. Only what differs is replaced, so that cursor and
--- view stay where the reader has them.
function Page:replace(row, lines)
  local old = vim.api.nvim_buf_get_lines(self.bufnr, row, -1, false)
  local first = 1
  while first <= #lines and first <= #old and lines[first] == old[first] do
    first = first + 1
  end
  if first > #lines and #lines == #old then
    return
  end
  vim.bo[self.bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(
    self.bufnr, row + first - 1, -1, false, vim.list_slice(lines, first)
  )
  vim.bo[self.bufnr].modifiable = false
end

local verdict_groups = { moved = 'GlossatorMoved', missing = 'GlossatorMissing' }

local function name_verdict(verdict)
  return language.say(verdict, ({ exact = '准确', moved = '已移动', missing = '缺失' })[verdict])
end

--- `missing: there is no such file`
local function describe_verdict(place)
  local reason = (place.reason or '') ~= '' and ': ' .. place.reason or ''
  return name_verdict(place.verdict) .. reason
end

--- Marks the places of an answer whose `lines` stand from a row (0-based) on. Looking for files on
--- every piece of text would be slow on a network drive, so this is for complete answers.
function Page:mark(row, lines, answer, roots)
  vim.api.nvim_buf_clear_namespace(self.bufnr, namespace, row, -1)
  for number, line in ipairs(lines) do
    local here = row + number - 1
    local places = citations.find(line, answer.citations, roots)
    self.places[here] = places
    for _, place in ipairs(places) do
      vim.api.nvim_buf_set_extmark(self.bufnr, namespace, here, place.first, {
        end_col = place.last,
        hl_group = 'GlossatorCitation',
      })
      if verdict_groups[place.verdict] then
        local note = { (' (%s)'):format(describe_verdict(place)), verdict_groups[place.verdict] }
        vim.api.nvim_buf_set_extmark(self.bufnr, namespace, here, place.last, {
          virt_text = { note },
          virt_text_pos = compat.has_inline_text and 'inline' or 'eol',
        })
      end
    end
  end
end

--- Forgets what is marked from a row (0-based) on.
function Page:forget(row)
  vim.api.nvim_buf_clear_namespace(self.bufnr, namespace, row, -1)
  for here in pairs(self.places) do
    if here >= row then
      self.places[here] = nil
    end
  end
end

--- Colours whole lines from a row (0-based) on.
function Page:colour(row, n_rows, group)
  for here = row, row + n_rows - 1 do
    vim.api.nvim_buf_set_extmark(self.bufnr, namespace, here, 0, {
      end_row = here + 1,
      end_col = 0,
      hl_group = group,
    })
  end
end

--- The place at the cursor of the current window, also in an answer that still arrives; says why
--- there is none.
---@return glossator.Place|nil
function Page:place_at_cursor(roots)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local places = self.places[row - 1]
    or citations.find(vim.api.nvim_get_current_line(), {}, roots)
  local place = citations.at(places, column)
  if not place then
    return language.tell('this line names no place', '此行没有位置')
  end
  if place.verdict == 'missing' or not place.path then
    local reason = (place.reason or '') ~= '' and ': ' .. place.reason or ''
    return language.complain('that place does not exist' .. reason, '该位置不存在' .. reason)
  end
  return place
end

local function make_item(place, line)
  local text = vim.trim(line)
  if place.verdict == 'missing' or not place.path then
    -- Listed, for it is claimed; but nothing can be jumped to.
    return { text = ('[%s] %s'):format(describe_verdict(place), text), type = 'E', valid = 0 }
  end
  local item = { filename = place.path, lnum = place.line, col = 1, text = text }
  if place.verdict == 'moved' then
    item.type, item.text = 'W', ('[%s] %s'):format(describe_verdict(place), text)
  elseif place.verdict == 'exact' then
    item.text = ('[%s] %s'):format(name_verdict('exact'), text)
  end
  return item
end

--- Makes a quickfix list of all marked places from one row to another (0-based, the last one
--- included); false when there are none.
function Page:list_places(title, first_row, last_row)
  local items = {}
  for row, line in ipairs(vim.api.nvim_buf_get_lines(self.bufnr, 0, -1, false)) do
    local is_inside = row - 1 >= first_row and row - 1 <= last_row
    for _, place in ipairs(is_inside and self.places[row - 1] or {}) do
      items[#items + 1] = make_item(place, line)
    end
  end
  if #items == 0 then
    language.tell('the answer names no places', '回答中没有位置')
    return false
  end
  vim.fn.setqflist({}, ' ', { title = 'Glossator: ' .. title, items = items })
  return true
end

--- Draws soon: a model may send hundreds of pieces a second. `draw` is called once for many calls.
function M.make_soon(draw)
  local is_planned = false
  return function()
    if not is_planned then
      is_planned = true
      vim.defer_fn(function()
        is_planned = false
        draw()
      end, 30)
    end
  end
end

--- Calls `tick` each second until it returns false.
function M.start_clock(tick)
  local clock = vim.loop.new_timer()
  clock:start(1000, 1000, vim.schedule_wrap(function()
    if clock:is_closing() then
      return
    end
    if not tick() then
      clock:stop()
      clock:close()
    end
  end))
end

function M.cut(text, width)
  if vim.fn.strdisplaywidth(text) <= width then
    return text
  end
  while text ~= '' and vim.fn.strdisplaywidth(text) > width - 1 do
    text = vim.fn.strcharpart(text, 0, vim.fn.strchars(text) - 1)
  end
  return text .. '…'
end

--- Sets how text is read in a window. `setlocal`: set any other way, these would become the
--- defaults of the user's next windows.
function M.set_window_options()
  vim.cmd('setlocal wrap linebreak breakindent conceallevel=2 concealcursor=n nofoldenable')
end

return M
