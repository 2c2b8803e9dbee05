--- Markdown tables with their columns below each other, as a terminal has to show them.

local M = {}

local function is_row(line)
  return line:match('^%s*|.*|%s*$') ~= nil
end

--- The cells of a row; `\|` is a part of a cell.
local function split_cells(line)
  local cells, inner = {}, vim.trim(line):sub(2, -2):gsub('\\|', '\0')
  for cell in (inner .. '|'):gmatch('(.-)|') do
    cells[#cells + 1] = vim.trim((cell:gsub('%z', '\\|')))
  end
  return cells
end

local function pad(cell, width, is_right)
  local blanks = (' '):rep(width - vim.fn.strdisplaywidth(cell))
  return is_right and blanks .. cell or cell .. blanks
end

local function align_rows(lines)
  local rows, widths = vim.tbl_map(split_cells, lines), {}
  for number, row in ipairs(rows) do
    for column, cell in ipairs(row) do
      -- The second row is the rule below the head, as wide as its column.
      local width = number == 2 and 3 or vim.fn.strdisplaywidth(cell)
      widths[column] = math.max(widths[column] or 3, width)
    end
  end
  local rule, aligned = rows[2] or {}, {}
  for number, row in ipairs(rows) do
    local cells = {}
    for column, cell in ipairs(row) do
      local is_right = (rule[column] or ''):match('%-:$') ~= nil
      if number == 2 then
        cell = ('-'):rep(widths[column] - (is_right and 1 or 0)) .. (is_right and ':' or '')
      end
      cells[column] = pad(cell, widths[column], is_right)
    end
    aligned[number] = '| ' .. table.concat(cells, ' | ') .. ' |'
  end
  return aligned
end

--- `lines` of Markdown with their tables aligned; all others stay as they are.
---@param lines string[]
---@return string[]
function M.align(lines)
  local aligned, block = {}, {}
  local function flush()
    -- What has no rule below its first row is no table (yet).
    local is_table = block[2] and block[2]:match('^[%s|:%-]+$')
    vim.list_extend(aligned, is_table and align_rows(block) or block)
    block = {}
  end
  for _, line in ipairs(lines) do
    if is_row(line) then
      block[#block + 1] = line
    else
      flush()
      aligned[#aligned + 1] = line
    end
  end
  flush()
  return aligned
end

return M
