--- Places named in an answer, `path:line` or `path:line-line`: found, told apart, opened.

local compat = require('glossator.compat')

local M = {}

---@class glossator.Place
---@field first integer Byte column in the line, 0-based.
---@field last integer Byte column after the last one.
---@field path string Absolute.
---@field line integer 1-based.
---@field verdict 'exact'|'moved'|'missing'|nil Nil when the server has not judged it.
---@field reason string|nil Why it is missing or moved, if there is more to say.

local function is_file(path)
  local stat = vim.loop.fs_stat(path)
  return stat ~= nil and stat.type == 'file'
end

local function resolve(path, roots)
  if path:match('^/') or path:match('^%a:[/\\]') then
    return is_file(path) and path or nil
  end
  for _, root in ipairs(roots) do
    -- With several roots the server puts the folder's name before the path.
    local name, rest = path:match('^([^/]+)/(.+)$')
    if is_file(root .. '/' .. path) then
      return root .. '/' .. path
    elseif name == vim.fn.fnamemodify(root, ':t') and is_file(root .. '/' .. rest) then
      return root .. '/' .. rest
    end
  end
end

--- The existing file that `text` ends with: Chinese prose has no space before a path (`见a.py:3`).
local function resolve_end(text, roots)
  local start = 1
  while start <= #text do
    local path = resolve(text:sub(start), roots)
    if path then
      return path, start
    end
    local byte = text:byte(start)
    if byte < 0x80 then
      return nil
    end
    start = start + (byte >= 0xF0 and 4 or byte >= 0xE0 and 3 or 2)
  end
end

local function find_judged(line, citations)
  local places = {}
  for _, citation in ipairs(citations) do
    local from = 1
    while citation.text ~= '' do
      local first, last = line:find(citation.text, from, true)
      if not first then
        break
      end
      -- `a.py:1` is not a part of `a.py:12`.
      if not line:sub(last + 1, last + 1):match('%d') then
        local uri = compat.given(citation.uri)
        places[#places + 1] = {
          first = first - 1,
          last = last,
          path = uri and vim.uri_to_fname(uri),
          line = citation.firstLine,
          verdict = citation.verdict,
          reason = compat.given(citation.reason) or '',
        }
      end
      from = last + 1
    end
  end
  return places
end

local function find_named(line, roots)
  local places = {}
  for before, path, number, after in line:gmatch('()([^%s`\'"()%[%]<>|,;:]+):(%d+)()') do
    local absolute, start = resolve_end(path, roots)
    if absolute then
      places[#places + 1] = {
        first = before + start - 2,
        last = after - 1,
        path = absolute,
        line = tonumber(number),
      }
    end
  end
  return places
end

local function find_links(line)
  local places = {}
  for before, target, after in line:gmatch('()%[[^%]]*%]%((file:[^)%s]+)%)()') do
    local uri, number = target:match('^(.-)#L(%d+)')
    places[#places + 1] = {
      first = before - 1,
      last = after - 1,
      path = vim.uri_to_fname(uri or target),
      line = tonumber(number) or 1,
    }
  end
  return places
end

local function overlaps(place, others)
  for _, other in ipairs(others) do
    if place.first < other.last and other.first < place.last then
      return true
    end
  end
  return false
end

--- The places named in one line, from left to right. What the server has judged comes first; a
--- name that is no file of the workspace is no place.
---@return glossator.Place[]
function M.find(line, citations, roots)
  local places = find_judged(line, citations)
  for _, found in ipairs({ find_links(line), find_named(line, roots) }) do
    for _, place in ipairs(found) do
      if not overlaps(place, places) then
        places[#places + 1] = place
      end
    end
  end
  table.sort(places, function(a, b)
    return a.first < b.first
  end)
  return places
end

--- The place under a byte column, else the first of the line.
---@return glossator.Place|nil
function M.at(places, column)
  for _, place in ipairs(places) do
    if column >= place.first and column < place.last then
      return place
    end
  end
  return places[1]
end

local function is_for_files(win)
  return win
    and vim.api.nvim_win_is_valid(win)
    and vim.api.nvim_win_get_config(win).relative == ''
    and vim.bo[vim.api.nvim_win_get_buf(win)].buftype == ''
end

--- The window to open a file in: the wanted one, else one that shows a file, else a new one.
local function choose_window(wanted)
  if is_for_files(wanted) then
    return wanted
  end
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if is_for_files(win) then
      return win
    end
  end
  vim.cmd('topleft new')
  return vim.api.nvim_get_current_win()
end

--- Opens a place in `win` or the nearest window that can show it; `<C-o>` leads back.
function M.open(place, win)
  if not place.path or not is_file(place.path) then
    return vim.notify('Glossator: that place does not exist', vim.log.levels.WARN)
  end
  local bufnr = vim.fn.bufadd(place.path)
  vim.bo[bufnr].buflisted = true
  vim.api.nvim_set_current_win(choose_window(win))
  vim.cmd("normal! m'")
  if not pcall(vim.api.nvim_win_set_buf, 0, bufnr) then
    -- The window holds unsaved changes and 'hidden' is off.
    vim.cmd('split')
    vim.api.nvim_win_set_buf(0, bufnr)
  end
  local line = math.min(math.max(place.line, 1), vim.api.nvim_buf_line_count(bufnr))
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  vim.cmd('normal! ^zvzz')
end

return M
