--- What is attached to the next question: `#file`, `#file:path:3-9`, `#selection`, `#symbol:name`
--- or `#symbol:name@path:7` in its text, or what was attached by command.

local compat = require('glossator.compat')
local target = require('glossator.target')

local M = {}

---@class glossator.Attachment
---@field label string As a person reads it.
---@field wire table As the server takes it: `{kind, uri|path, range?, symbol?}`.

---@type glossator.Attachment[]
local pending = {}

local function name_file(path)
  return vim.fn.fnamemodify(path, ':~:.')
end

--- Attaches the file of a buffer, or the lines of the command's range.
---@param given table The arguments of a user command.
---@return glossator.Attachment
local function make_of_buffer(win, bufnr, server, given)
  local place = target.make(win, bufnr, server, given)
  local name = name_file(vim.api.nvim_buf_get_name(bufnr))
  if not place.range then
    return { label = name, wire = { kind = 'file', uri = place.uri } }
  end
  return {
    label = ('%s:%d-%d'):format(name, given.line1, given.line2),
    wire = { kind = 'selection', uri = place.uri, range = place.range },
  }
end

local function make_of_lines(path, first, last)
  return {
    label = ('%s:%d-%d'):format(path, first, last),
    wire = {
      kind = 'selection',
      path = path,
      range = {
        start = { line = first - 1, character = 0 },
        ['end'] = { line = last, character = 0 },
      },
    },
  }
end

local function make_symbol(value)
  local name, path, line = value:match('^(.-)@(.+):(%d+)$')
  local wire = { kind = 'symbol', symbol = name or value, path = path }
  if line then
    local position = { line = tonumber(line) - 1, character = 0 }
    wire.range = { start = position, ['end'] = position }
  end
  return { label = wire.symbol, wire = wire }
end

local function make_of_path(value)
  local path, first, last = value:match('^(.-):(%d+)%-(%d+)$')
  if path then
    return make_of_lines(path, tonumber(first), tonumber(last))
  end
  return { label = value, wire = { kind = 'file', path = value } }
end

--- What one word of a question attaches, or nil when it is an ordinary word.
---@return glossator.Attachment|nil
local function read_word(word, win, bufnr, server)
  local kind, value = word:match('^#(%l+):(.+)$')
  value = value and (value:match('^"(.*)"$') or value)
  if kind == 'symbol' then
    return make_symbol(value)
  elseif kind == 'file' then
    return make_of_path(value)
  elseif not target.is_file(bufnr) then
    return nil
  elseif word == '#file' then
    return make_of_buffer(win, bufnr, server, {})
  elseif word == '#selection' then
    local first = vim.api.nvim_buf_get_mark(bufnr, '<')[1]
    local last = vim.api.nvim_buf_get_mark(bufnr, '>')[1]
    local given = { range = 2, line1 = first, line2 = last }
    return first > 0 and make_of_buffer(win, bufnr, server, given) or nil
  end
end

--- What attaches in a question; a name with blanks or marks stands in quotation marks.
local WORD = [[#\%(\l\+:"[^"]\+"\|\l[^[:space:]，。？！、；：（）“”]*\)]]

--- A value for a question, in quotation marks where it would not be read as one word.
---@param kind 'file'|'symbol'
function M.spell(kind, value)
  local word = ('#%s:%s'):format(kind, value)
  local is_plain = vim.fn.matchstr(word, WORD) == word and not word:match('[%?!%.,;:%)]$')
  return is_plain and word or ('#%s:"%s"'):format(kind, value)
end

--- Takes the attachments out of a question. What is left in their place names them, so that the
--- question reads on.
---@return string question, glossator.Attachment[] attached, glossator.Attachment[] added by command
function M.take(question, win, bufnr, server)
  local added, parts, from = pending, {}, 0
  local taken = vim.list_slice(added)
  pending = {}
  while true do
    local found, first, stop = unpack(vim.fn.matchstrpos(question, WORD, from))
    if first < 0 then
      break
    end
    -- What ends a sentence is no part of a name.
    local word = found:match('"$') and found or found:match('^(.-)[%?!%.,;:%)]*$')
    local attachment = read_word(word, win, bufnr, server)
    taken[#taken + 1] = attachment
    parts[#parts + 1] = question:sub(from + 1, first)
    parts[#parts + 1] = attachment and '`' .. attachment.label .. '`' or word
    parts[#parts + 1] = found:sub(#word + 1)
    from = stop
  end
  parts[#parts + 1] = question:sub(from + 1)
  return table.concat(parts), taken, added
end

--- What a kept turn was given, to be given again.
---@param kept table[]|nil As the server tells it.
---@return glossator.Attachment[]
function M.restore(kept)
  return vim.tbl_map(function(each)
    if each.kind == 'symbol' then
      local place = each.firstLine > 0 and ('@%s:%d'):format(each.path, each.firstLine) or ''
      return make_symbol(each.symbol .. place)
    elseif each.kind == 'selection' and each.firstLine > 0 then
      return make_of_lines(each.path, each.firstLine, each.lastLine)
    end
    return make_of_path(each.path)
  end, compat.given(kept) or {})
end

--- Attaches to the next question what a command's range, its argument, or else this file is.
---@return glossator.Attachment|nil
function M.add(given, win, bufnr, server)
  local named = vim.trim(given.args or '')
  local attachment
  if named ~= '' then
    attachment = { label = named, wire = { kind = 'file', path = vim.fn.fnamemodify(named, ':p') } }
  elseif target.is_file(bufnr) then
    attachment = make_of_buffer(win, bufnr, server, given)
  end
  pending[#pending + 1] = attachment
  return attachment
end

--- What is attached to the question that comes next.
---@return string[] labels
function M.list_pending()
  return M.list_labels(pending)
end

---@param attachments glossator.Attachment[]
---@return string[]
function M.list_labels(attachments)
  return vim.tbl_map(function(each)
    return each.label
  end, attachments)
end

--- Attaches these alone to the next question; without any, nothing.
---@param attachments glossator.Attachment[]|nil
function M.replace(attachments)
  pending = vim.list_slice(attachments or {})
end

--- What the server is sent; nil when nothing is attached.
---@param attachments glossator.Attachment[]
function M.to_wire(attachments)
  if #attachments == 0 then
    return nil
  end
  return vim.tbl_map(function(each)
    return each.wire
  end, attachments)
end

return M
