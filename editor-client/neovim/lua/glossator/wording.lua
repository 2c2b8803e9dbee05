--- Texts of the server made short enough for one line.

local M = {}

--- `text` without line ends and of at most `limit` characters.
function M.one_line(text, limit)
  text = vim.trim((text:gsub('%s+', ' ')))
  if vim.fn.strchars(text) > limit then
    text = vim.fn.strcharpart(text, 0, limit - 1) .. '…'
  end
  return text
end

local function decode(json)
  local ok, value = pcall(vim.json.decode, json)
  return ok and type(value) == 'table' and value or nil
end

--- `{"path": "a.py", "first_line": 3}` as `a.py 3`: values say enough beside the tool's name.
function M.brief_arguments(json)
  local arguments = decode(json)
  if not arguments then
    return M.one_line(json, 60)
  end
  local names, values = {}, {}
  for name, value in pairs(arguments) do
    if (type(value) == 'string' and value ~= '') or type(value) == 'number' then
      names[#names + 1] = name
    end
  end
  -- What is searched or read first, then where; numbers last.
  local rank = { query = 1, pattern = 1, name = 2, path = 3, folder = 4 }
  table.sort(names, function(a, b)
    local rank_a, rank_b = rank[a] or 9, rank[b] or 9
    if rank_a ~= rank_b then
      return rank_a < rank_b
    end
    return a < b
  end)
  for _, name in ipairs(names) do
    values[#values + 1] = tostring(arguments[name])
  end
  return M.one_line(table.concat(values, ' '), 60)
end

--- A duration as people write it.
function M.seconds(ms)
  return ms < 1000 and ('%d ms'):format(ms) or ('%.1f s'):format(ms / 1000)
end

return M
