--- What differs between Neovim 0.7 and the current one. Nothing else asks for a version.

local M = {}

local function has(version)
  return vim.fn.has('nvim-' .. version) == 1
end

M.has_float_title = has('0.9')
M.has_float_footer = has('0.10')
M.has_inline_text = has('0.10')
M.has_first_class_support = has('0.10')
M.has_winbar = has('0.8')
-- `vim.lsp.config` and `vim.lsp.enable`.
M.has_lsp_enable = has('0.11')
-- Requests of a server are handled in a coroutine, so that an answer may come later.
M.can_wait_in_handlers = has('0.10')

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

--- Ends a server; with `force` at once.
function M.stop_client(client, force)
  return call(client, 'stop', force)
end

function M.notify_server(client, method, params)
  return call(client, 'notify', method, params)
end

function M.is_stopped(client)
  return call(client, 'is_stopped')
end

--- Can a server do what a method asks?
function M.supports(client, method, bufnr)
  return call(client, 'supports_method', method, takes_self and bufnr or { bufnr = bufnr })
end

--- The buffers that a server is attached to.
---@return integer[]
function M.list_attached(client)
  return vim.tbl_keys(client.attached_buffers)
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

--- The byte column before which so many units of an LSP encoding stand; the end of a line that
--- has fewer.
function M.count_bytes(line, units, encoding)
  if encoding == 'utf-8' then
    return math.min(units, #line)
  elseif has('0.11') then
    return vim.str_byteindex(line, encoding, units, false)
  end
  local utf32, utf16 = vim.str_utfindex(line)
  local all = encoding == 'utf-32' and utf32 or utf16
  return vim.str_byteindex(line, math.min(units, all), encoding == 'utf-16')
end

--- A function that lets the running coroutine go on, once, however often it is called.
function M.make_wake()
  local waiting = coroutine.running()
  return function()
    if waiting then
      local woken = waiting
      waiting = nil
      assert(coroutine.resume(woken))
    end
  end
end

--- Lets the editor do what it has to before the running coroutine goes on.
function M.pause()
  vim.defer_fn(M.make_wake(), 0)
  coroutine.yield()
end

--- Chooses among the code actions of some kinds at the cursor, with the editor's own menu.
---@param kinds string[]
function M.choose_code_action(kinds)
  if has('0.8') then
    return vim.lsp.buf.code_action({ context = { only = kinds } })
  end
  vim.lsp.buf.code_action({ only = kinds })
end

--- Opens a page in the browser; false where Neovim cannot.
function M.open_in_browser(path)
  if not vim.ui.open then
    return false
  end
  return vim.ui.open(path) ~= nil
end

--- Where Neovim writes down what servers say on standard error.
function M.log_path()
  if vim.lsp.log and vim.lsp.log.get_filename then
    return vim.lsp.log.get_filename()
  end
  return vim.lsp.get_log_path()
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
