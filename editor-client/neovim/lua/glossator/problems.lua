--- Diagnostics of any server or linter as the protocol has them, and those at the cursor.

local compat = require('glossator.compat')

local M = {}

--- What the protocol has beside the fields of Neovim's own; nothing where no server reported it.
local function read_lsp(diagnostic)
  return vim.tbl_get(diagnostic, 'user_data', 'lsp') or {}
end

local function count_character(bufnr, row, column, encoding)
  local line = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1] or ''
  return compat.count_units(line, math.min(column, #line), encoding)
end

--- One of Neovim's diagnostics with positions in units of `encoding`.
function M.to_wire(diagnostic, encoding)
  local bufnr, lsp = diagnostic.bufnr, read_lsp(diagnostic)
  local last_row = diagnostic.end_lnum or diagnostic.lnum
  local last_column = diagnostic.end_col or diagnostic.col
  return {
    range = {
      start = {
        line = diagnostic.lnum,
        character = count_character(bufnr, diagnostic.lnum, diagnostic.col, encoding),
      },
      ['end'] = {
        line = last_row, character = count_character(bufnr, last_row, last_column, encoding),
      },
    },
    severity = diagnostic.severity,
    message = diagnostic.message,
    source = diagnostic.source,
    code = diagnostic.code or lsp.code,
    codeDescription = lsp.codeDescription,
    relatedInformation = lsp.relatedInformation,
  }
end

local function covers(diagnostic, row, column)
  local last_row = diagnostic.end_lnum or diagnostic.lnum
  local last_column = diagnostic.end_col or diagnostic.col
  local is_after_start = row > diagnostic.lnum or column >= diagnostic.col
  return is_after_start and (row < last_row or column < math.max(last_column, diagnostic.col + 1))
end

--- What is reported at the cursor of a window; where nothing is, what is reported on its line.
---@return table[] diagnostics of Neovim
function M.list_at_cursor(win)
  local row, column = unpack(vim.api.nvim_win_get_cursor(win))
  row = row - 1
  local on_line = vim.tbl_filter(function(diagnostic)
    return diagnostic.lnum <= row and row <= (diagnostic.end_lnum or diagnostic.lnum)
  end, vim.diagnostic.get(vim.api.nvim_win_get_buf(win)))
  local at_cursor = vim.tbl_filter(function(diagnostic)
    return covers(diagnostic, row, column)
  end, on_line)
  return #at_cursor > 0 and at_cursor or on_line
end

return M
