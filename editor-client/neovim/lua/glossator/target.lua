--- What a command is about: window, buffer, cursor and selection, in the units of the server.

local compat = require('glossator.compat')

local M = {}

local last_win ---@type integer|nil The one with a file that was left last.
local is_remembering = false

local function shows_file(win)
  return win
    and vim.api.nvim_win_is_valid(win)
    and vim.api.nvim_win_get_config(win).relative == ''
    and vim.bo[vim.api.nvim_win_get_buf(win)].buftype == ''
end

local function remember_current()
  local win = vim.api.nvim_get_current_win()
  if shows_file(win) then
    last_win = win
  end
end

--- Before a window of ours is opened: from it, commands are about the code that the user left.
function M.remember()
  remember_current()
  if not is_remembering then
    is_remembering = true
    vim.api.nvim_create_autocmd('WinLeave', {
      group = vim.api.nvim_create_augroup('glossator-origin', { clear = true }),
      callback = remember_current,
    })
  end
end

local function is_ours(win)
  local name = vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(win))
  return name:match('^glossator://') ~= nil
end

--- The window that a command is about: the current one, or the code left for one of ours.
---@return integer
function M.window()
  local current = vim.api.nvim_get_current_win()
  if not is_ours(current) then
    return current
  end
  if shows_file(last_win) then
    return last_win
  end
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if shows_file(win) then
      return win
    end
  end
  return current
end

--- The window, buffer and server that a command is about; no server when none can be had, which
--- was said then.
function M.find()
  local win = M.window()
  local bufnr = vim.api.nvim_win_get_buf(win)
  return win, bufnr, require('glossator.client').find(bufnr)
end

local function to_lsp_position(bufnr, row, column, encoding)
  local line = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1] or ''
  local character = compat.count_units(line, math.min(column, #line), encoding)
  return { line = row, character = character }
end

local function make_cursor(win, bufnr, encoding)
  local row, column = unpack(vim.api.nvim_win_get_cursor(win))
  return to_lsp_position(bufnr, row - 1, column, encoding)
end

--- What a `:'<,'>` range selects: the characters of a character-wise selection, else whole lines.
---@param first integer 1-based
---@param last integer 1-based
local function make_range(bufnr, first, last, encoding)
  local start, stop = vim.api.nvim_buf_get_mark(bufnr, '<'), vim.api.nvim_buf_get_mark(bufnr, '>')
  local is_selection = start[1] == first and stop[1] == last
  if not is_selection or vim.fn.visualmode() ~= 'v' then
    start, stop = { first, 0 }, { last, math.huge }
  end
  local last_line = vim.api.nvim_buf_get_lines(bufnr, last - 1, last, false)[1] or ''
  -- The mark stands on the first byte of the last character, which is selected too.
  local stop_column = math.min(stop[2], #last_line)
  if stop_column < #last_line then
    stop_column = stop_column + #vim.fn.matchstr(last_line:sub(stop_column + 1), '.')
  end
  return {
    start = to_lsp_position(bufnr, first - 1, start[2], encoding),
    ['end'] = to_lsp_position(bufnr, last - 1, stop_column, encoding),
  }
end

--- Is it a file, and not a help page, a terminal or an answer?
function M.is_file(bufnr)
  return vim.bo[bufnr].buftype == '' and vim.api.nvim_buf_get_name(bufnr) ~= ''
end

--- The `{uri, position, range?}` of a window; empty when it shows no file.
---@param given table|nil The arguments of a user command; its range counts.
function M.make(win, bufnr, server, given)
  if not M.is_file(bufnr) then
    return {}
  end
  local target = {
    uri = vim.uri_from_bufnr(bufnr),
    position = make_cursor(win, bufnr, server.offset_encoding),
  }
  if given and given.range and given.range > 0 then
    target.range = make_range(bufnr, given.line1, given.line2, server.offset_encoding)
    target.position = target.range.start
  end
  return target
end

return M
