--- What differs between Neovim 0.7 and the current one. Nothing else asks for a version.

local M = {}

local function has(version)
  return vim.fn.has('nvim-' .. version) == 1
end

M.has_float_title = has('0.9')
M.has_float_footer = has('0.10')
M.has_inline_text = has('0.10')
M.has_first_class_support = has('0.10')

-- Methods of a client took no `self` before 0.11, and warn without it from 0.11 on.
local takes_self = has('0.11')

local function call(client, method, ...)
  if takes_self then
    return client[method](client, ...)
  end
  return client[method](...)
end

--- Sends a request; returns its id, or nil when the server is gone.
function M.request(client, method, params, on_reply, bufnr)
  local sent, id = call(client, 'request', method, params, on_reply, bufnr)
  return sent and id or nil
end

function M.cancel_request(client, id)
  return call(client, 'cancel_request', id)
end

function M.is_stopped(client)
  return call(client, 'is_stopped')
end

function M.list_clients()
  return (vim.lsp.get_clients or vim.lsp.get_active_clients)()
end

local ids_by_root = {}

--- Starts a server for the root of `config`, or takes the one that runs there, and attaches it.
function M.start_client(config, bufnr)
  if vim.lsp.start then
    return vim.lsp.start(config, { bufnr = bufnr })
  end
  local root = config.root_dir or ''
  local running = ids_by_root[root] and vim.lsp.get_client_by_id(ids_by_root[root])
  if not running or M.is_stopped(running) then
    ids_by_root[root] = vim.lsp.start_client(config)
  end
  if ids_by_root[root] then
    vim.lsp.buf_attach_client(bufnr, ids_by_root[root])
  end
  return ids_by_root[root]
end

--- Colours Markdown by its structure where the parser is there, else by pattern.
function M.highlight_markdown(bufnr)
  local coloured = has('0.10') and pcall(vim.treesitter.start, bufnr, 'markdown')
  if not coloured then
    vim.bo[bufnr].syntax = 'markdown'
  end
end

--- How many units of an LSP encoding stand before a byte column. Bytes, UTF-16 units and code
--- points differ from the first Chinese character or emoji on.
function M.count_units(line, column, encoding)
  if encoding == 'utf-8' then
    return column
  elseif has('0.11') then
    return vim.str_utfindex(line, encoding, column)
  end
  local utf32, utf16 = vim.str_utfindex(line, column)
  return encoding == 'utf-32' and utf32 or utf16
end

local health = vim.health or require('health')

M.health = {
  start = health.start or health.report_start,
  ok = health.ok or health.report_ok,
  info = health.info or health.report_info,
  warn = health.warn or health.report_warn,
  error = health.error or health.report_error,
}

--- JSON null arrives as `vim.NIL`, which counts as true.
function M.given(value)
  if value == vim.NIL then
    return nil
  end
  return value
end

return M
