--- Answers the server's questions about code from the other language servers that run here.
---
--- A question is a coroutine that waits for their answers while the editor goes on. Neovim passes
--- on no cancelling of it: what nobody waits for any more ends by its limit.

local client = require('glossator.client')
local compat = require('glossator.compat')
local positions = require('glossator.positions')

local M = {}

--- What can be asked, as `experimental.glossator.editor` tells it.
local OFFERS = {
  definitions = true,
  references = true,
  callHierarchy = true,
  diagnostics = true,
  documentSymbols = true,
}

-- After this what came from some servers is told; while nothing came, as long again: the server,
-- which waits for 1.5 s, then says itself that it was too slow.
local LIMIT_MS = 1200
-- The server cuts longer lists anyway.
local MAX_ITEMS = 2000
-- A name stands for so many functions at most.
local MAX_PREPARED = 10

---@class glossator.Question
---@field asker table The client that asks.
---@field uri string
---@field bufnr integer|nil Where the document is loaded.
---@field position table|nil In units of the asker.
---@field positions glossator.Positions

---@class glossator.Reply
---@field client table
---@field result table

-- Asking others ----------------------------------------------------------------------------------

--- Does a server know a document? Without opening it they read a file of their kind and folders.
local function knows(other, question)
  if question.bufnr then
    return vim.lsp.buf_is_attached(question.bufnr, other.id)
  end
  local path = vim.uri_to_fname(question.uri)
  local is_inside = vim.tbl_contains(vim.tbl_map(function(root)
    return vim.startswith(path, root .. '/')
  end, client.list_roots(other)), true)
  local filetype = vim.filetype.match({ filename = path })
  return is_inside and vim.tbl_contains(vim.tbl_map(function(bufnr)
    return vim.bo[bufnr].filetype
  end, compat.list_attached(other)), filetype)
end

--- The other servers that know the document, and can do `method` if one is given.
local function list_others(question, method)
  return vim.tbl_filter(function(each)
    return each.name ~= 'glossator'
      and not compat.is_stopped(each)
      and knows(each, question)
      and (not method or compat.supports(each, method, question.bufnr))
  end, compat.list_clients())
end

--- Sends requests side by side and waits for what comes in time; what failed or is null is left out.
---@param requests { client: table, method: string, params: table }[]
---@return glossator.Reply[]
local function send_all(requests, bufnr)
  local wake, replies, open, n_open = compat.make_wake(), {}, {}, 0
  -- Each server counts its requests for itself, so their numbers are the same for several.
  for _, request in ipairs(requests) do
    local id
    id = compat.request(request.client, request.method, request.params, function(err, result)
      if open[request] then
        open[request], n_open = nil, n_open - 1
        if not err and compat.given(result) then
          replies[#replies + 1] = { client = request.client, result = result }
        end
        if n_open == 0 then
          wake()
        end
      end
    end, bufnr)
    if id then
      open[request], n_open = id, n_open + 1
    end
  end
  if n_open > 0 then
    local function end_if_something_came()
      if #replies > 0 then
        wake()
      end
    end
    vim.defer_fn(end_if_something_came, LIMIT_MS)
    vim.defer_fn(wake, 2 * LIMIT_MS)
    coroutine.yield()
  end
  for request, id in pairs(open) do
    compat.cancel_request(request.client, id)
  end
  return replies
end

--- Asks all other servers one thing about the document; nil where none of them can say.
---@param more table|nil Added to the parameters.
---@return glossator.Reply[]|nil
local function ask(question, method, more)
  local requests = {}
  for _, other in ipairs(list_others(question, method)) do
    local params = vim.tbl_extend('force', { textDocument = { uri = question.uri } }, more or {})
    params.position = question.position and question.positions:convert(
      question.uri, question.position, question.asker.offset_encoding, other.offset_encoding
    )
    requests[#requests + 1] = { client = other, method = method, params = params }
  end
  local replies = send_all(requests, question.bufnr)
  return #replies > 0 and replies or nil
end

-- Telling what they said -------------------------------------------------------------------------

--- The first things in a list, or the one that stands for it; what has not that form is left out.
local function list_items(result, max)
  local list = type(result) ~= 'table' and {} or vim.islist(result) and result or { result }
  return vim.tbl_filter(function(each)
    return type(each) == 'table'
  end, vim.list_slice(list, 1, max or MAX_ITEMS))
end

local function write_range(question, other, uri, range)
  local asker = question.asker
  return question.positions:convert_range(uri, range, other.offset_encoding, asker.offset_encoding)
end

--- The version under which the asker has a document; nil where it has not opened it.
local function find_version(asker, bufnr)
  if bufnr and vim.lsp.buf_is_attached(bufnr, asker.id) then
    return vim.lsp.util.buf_versions[bufnr]
  end
end

--- A place of a document; nil where it cannot be told.
local function write_place(question, other, place)
  local range = write_range(question, other, place.uri, place.range)
  return range and {
    uri = place.uri,
    range = range,
    selectionRange = write_range(question, other, place.uri, place.selectionRange),
    version = find_version(question.asker, positions.find_buffer(place.uri)),
  }
end

local function write_location(question, other, found)
  return write_place(question, other, {
    uri = found.targetUri or found.uri,
    range = found.targetRange or found.range,
    selectionRange = found.targetSelectionRange,
  })
end

--- A list of locations or a single one, each place once.
local function find_locations(question, method, more)
  local replies, items, seen = ask(question, method, more), {}, {}
  for _, reply in ipairs(replies or {}) do
    for _, each in ipairs(list_items(reply.result)) do
      local item = write_location(question, reply.client, each)
      local key = item and item.uri .. vim.inspect(item.range.start)
      if item and not seen[key] then
        seen[key] = true
        items[#items + 1] = item
      end
    end
  end
  return replies and items
end

local function write_call(question, other, item, call)
  local end_of_call = call.from or call.to
  local written = type(end_of_call) == 'table' and write_place(question, other, end_of_call)
  if not written then
    return nil
  end
  -- A call stands in the code of who calls.
  local uri, ranges = call.from and call.from.uri or item.uri, {}
  for _, range in ipairs(list_items(call.fromRanges)) do
    ranges[#ranges + 1] = write_range(question, other, uri, range)
  end
  return vim.tbl_extend('force', written, {
    name = end_of_call.name, kind = end_of_call.kind, fromRanges = ranges,
  })
end

local function find_calls(question, method)
  local prepared = ask(question, 'textDocument/prepareCallHierarchy')
  if not prepared then
    return nil
  end
  local items = {}
  for _, preparation in ipairs(prepared) do
    for _, item in ipairs(list_items(preparation.result, MAX_PREPARED)) do
      local replies = send_all({
        { client = preparation.client, method = method, params = { item = item } },
      }, question.bufnr)
      for _, reply in ipairs(replies) do
        for _, call in ipairs(list_items(reply.result)) do
          items[#items + 1] = write_call(question, reply.client, item, call)
        end
      end
    end
  end
  return items
end

local function write_symbol(question, other, symbol)
  local children = {}
  for _, child in ipairs(list_items(symbol.children)) do
    children[#children + 1] = write_symbol(question, other, child)
  end
  local location = type(symbol.location) == 'table' and symbol.location or {}
  local uri = question.uri
  local range = write_range(question, other, uri, symbol.range or location.range)
  return range and {
    name = symbol.name,
    kind = symbol.kind,
    range = range,
    selectionRange = write_range(question, other, uri, symbol.selectionRange),
    children = children,
  }
end

--- Those of one server: two lists of the same things would be one with everything twice.
local function find_symbols(question)
  local replies = ask(question, 'textDocument/documentSymbol')
  for _, reply in ipairs(replies or {}) do
    local items = {}
    for _, symbol in ipairs(list_items(reply.result)) do
      items[#items + 1] = write_symbol(question, reply.client, symbol)
    end
    if #items > 0 then
      return items
    end
  end
  return replies and {}
end

--- What servers and linters report; nil where there is none, which is not “no problems”.
local function find_problems(question)
  if not question.bufnr then
    return nil
  end
  -- Our own would come back to us as somebody else's.
  local foreign = vim.tbl_filter(function(diagnostic)
    return diagnostic.source ~= 'glossator'
  end, vim.diagnostic.get(question.bufnr))
  if #foreign == 0 and #list_others(question) == 0 then
    return nil
  end
  return vim.tbl_map(function(diagnostic)
    return require('glossator.problems').to_wire(diagnostic, question.asker.offset_encoding)
  end, foreign)
end

local finders = {
  definitions = function(question)
    return find_locations(question, 'textDocument/definition')
  end,
  references = function(question)
    local context = { includeDeclaration = true }
    return find_locations(question, 'textDocument/references', { context = context })
  end,
  incomingCalls = function(question)
    return find_calls(question, 'callHierarchy/incomingCalls')
  end,
  outgoingCalls = function(question)
    return find_calls(question, 'callHierarchy/outgoingCalls')
  end,
  diagnostics = find_problems,
  documentSymbols = find_symbols,
}

-- Being asked ------------------------------------------------------------------------------------

local function answer(find, params, ctx)
  local asker = vim.lsp.get_client_by_id(ctx.client_id)
  local uri, wanted = params.textDocument.uri, compat.given(params.textDocument.version)
  local bufnr = positions.find_buffer(uri)
  local version = find_version(asker, bufnr)
  -- What the server has not been sent yet it could not make sense of.
  if version ~= wanted then
    return { version = version, items = {} }
  elseif bufnr and not version and vim.bo[bufnr].modified then
    return vim.NIL
  end
  local items = find({
    asker = asker, uri = uri, bufnr = bufnr, position = params.position,
    positions = positions.new(),
  })
  if not items then
    return vim.NIL
  end
  -- One that changed while its servers answered is told with a version that fits nothing.
  if find_version(asker, bufnr) ~= version then
    version = -1
  end
  return { version = version, items = vim.list_slice(items, 1, MAX_ITEMS) }
end

--- Handlers of the requests `glossator/editor/…`; none in a Neovim that cannot wait in them.
function M.make_handlers()
  local handlers = {}
  for subject, find in pairs(compat.can_wait_in_handlers and finders or {}) do
    handlers['glossator/editor/' .. subject] = function(_, params, ctx)
      return answer(find, params, ctx)
    end
  end
  return handlers
end

--- Puts into the client's capabilities what the server may ask.
function M.offer(capabilities)
  if compat.can_wait_in_handlers then
    capabilities.experimental = vim.tbl_deep_extend(
      'force', capabilities.experimental or {}, { glossator = { editor = OFFERS } }
    )
  end
end

return M
