--- Positions of other servers in our server's units: each of them may count in units of its own.

local compat = require('glossator.compat')

-- More files than these the server does not read either.
local MAX_FILES = 100
local MAX_BYTES = 4 * 1024 * 1024
local MAX_COUNT = 2 ^ 31 - 1

---@class glossator.Positions
---@field private files table<string, string[]|false> by URI; false for one that cannot be read
local Positions = {}
Positions.__index = Positions

local M = {}

---@return glossator.Positions
function M.new()
  return setmetatable({ files = {}, n_files = 0 }, Positions)
end

--- The buffer in which a document is loaded, or nil.
---@return integer|nil
function M.find_buffer(uri)
  local name = vim.uri_to_fname(uri)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.api.nvim_buf_get_name(bufnr) == name then
      return bufnr
    end
  end
end

local function read_file(uri)
  local path = vim.uri_to_fname(uri)
  local stat = vim.loop.fs_stat(path)
  if not stat or stat.type ~= 'file' or stat.size > MAX_BYTES then
    return false
  end
  local file = io.open(path, 'rb')
  local text = file and file:read('*a')
  if file then
    file:close()
  end
  return text and vim.split(text, '\r?\n') or false
end

---@private
function Positions:find_lines(uri)
  if self.files[uri] == nil then
    self.n_files = self.n_files + 1
    local bufnr = M.find_buffer(uri)
    if bufnr then
      self.files[uri] = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
    elseif self.n_files > MAX_FILES then
      self.files[uri] = false
    else
      self.files[uri] = read_file(uri)
      -- Many files are read one by one, with the editor going on in between.
      compat.pause()
    end
  end
  return self.files[uri]
end

--- A position in units of another encoding; nil where its file cannot be read.
function Positions:convert(uri, position, from, to)
  if from == to or position.character == 0 then
    return position
  end
  local lines = self:find_lines(uri)
  if not lines then
    return nil
  end
  local line = lines[position.line + 1] or ''
  local column = compat.count_bytes(line, position.character, from)
  return { line = position.line, character = compat.count_units(line, column, to) }
end

local function is_count(value)
  return type(value) == 'number' and value >= 0 and value <= MAX_COUNT and value % 1 == 0
end

local function is_position(value)
  return type(value) == 'table' and is_count(value.line) and is_count(value.character)
end

--- Do a document and a range have the form of the protocol? Not every server keeps to it.
local function is_place(uri, range)
  return type(uri) == 'string' and uri:match('^%a[%w+.-]*:') and type(range) == 'table'
    and is_position(range.start) and is_position(range['end'])
end

--- A range in units of another encoding; nil where there is none or its file cannot be read.
function Positions:convert_range(uri, range, from, to)
  local is_known = is_place(uri, range)
  local start = is_known and self:convert(uri, range.start, from, to)
  local stop = is_known and self:convert(uri, range['end'], from, to)
  return start and stop and { start = start, ['end'] = stop } or nil
end

return M
