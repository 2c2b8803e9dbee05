--- The connection to the server: running its commands, hearing its events, noticing its end.

local compat = require('glossator.compat')
local language = require('glossator.language')

local M = {}

---@class glossator.Run A command that was sent and has not been answered.
---@field token string Under it the server's events arrive.
---@field client table
---@field request_id integer|nil Nil until the server is ready to be asked.
---@field is_over boolean
---@field on_event fun(event: table)
---@field on_end fun(error: string|nil, result: table|nil)

---@type table<string, glossator.Run>
local runs = {}
local n_runs = 0
local waiting_for_start = {} ---@type table<integer, function[]> by client id
local statuses = {} ---@type table<integer, table> by client id
local checks = {} ---@type table<integer, table<string, table>> by client id, then by URI
local ending = {} ---@type table<integer, fun()> by client id: those that were told to end

-- What the server says ---------------------------------------------------------------------------

local function on_progress(err, params, ctx, handler_config)
  local run = params and runs[params.token]
  if run then
    return run.on_event(params.value)
  end
  -- Looked up now, so that a handler which the user or another plug-in sets later is called too.
  local own = require('glossator.config').options.handlers['$/progress']
  local handler = own or vim.lsp.handlers['$/progress']
  return handler and handler(err, params, ctx, handler_config)
end

local function on_status_changed(_, status, ctx)
  statuses[ctx.client_id] = status
  local known = checks[ctx.client_id] or {}
  checks[ctx.client_id] = known
  for _, check in ipairs(status.checks or {}) do
    known[check.uri] = check
  end
  vim.cmd('doautocmd <nomodeline> User GlossatorStatusChanged')
  vim.cmd('redrawstatus')
end

M.handlers = {
  ['$/progress'] = on_progress,
  ['glossator/statusChanged'] = on_status_changed,
}

function M.on_init(client)
  local waiting = waiting_for_start[client.id] or {}
  waiting_for_start[client.id] = nil
  -- Neovim opens the documents at the server after this; a question must not come before that.
  vim.schedule(function()
    for _, start in ipairs(waiting) do
      start()
    end
  end)
end

local function tell_end(code, signal)
  language.complain(
    ('the server ended (exit code %d, signal %d). `:Glossator restart` starts it again; '
      .. '`:Glossator log` shows its last words'):format(code, signal),
    ('服务器已退出（退出码 %d，信号 %d）。`:Glossator restart` 重新启动；`:Glossator log` 查看日志')
      :format(code, signal)
  )
end

function M.on_exit(code, signal, client_id)
  -- Neovim never answers what a dead server still owed.
  vim.schedule(function()
    statuses[client_id], checks[client_id], waiting_for_start[client_id] = nil, nil, nil
    local text = language.say(
      'the server ended. `:Glossator restart` starts it again, `:Glossator log` shows its last words',
      '服务器已退出。`:Glossator restart` 重新启动，`:Glossator log` 查看日志'
    )
    for _, run in pairs(runs) do
      if run.client.id == client_id then
        M.end_run(run, text)
      end
    end
    local on_ended = ending[client_id]
    ending[client_id] = nil
    if on_ended then
      on_ended()
    elseif code ~= 0 or signal ~= 0 then
      tell_end(code, signal)
    end
  end)
end

-- Which server -----------------------------------------------------------------------------------

function M.list()
  return vim.tbl_filter(function(client)
    return client.name == 'glossator' and not compat.is_stopped(client)
  end, compat.list_clients())
end

--- The client of a buffer; else, from a buffer that is no file, the one that runs anyway. A file
--- of any type is attached, since it was asked for. Says what is wrong when there is none.
function M.find(bufnr)
  local running = M.list()
  for _, client in ipairs(running) do
    if vim.lsp.buf_is_attached(bufnr, client.id) then
      return client
    end
  end
  local starting = require('glossator.starting')
  local is_file = vim.bo[bufnr].buftype == '' and vim.api.nvim_buf_get_name(bufnr) ~= ''
  local missing = starting.explain_missing_command()
  if is_file and not missing then
    return starting.attach(bufnr)
  end
  if running[1] then
    return running[1]
  end
  language.complain(
    missing or 'open a file of your workspace first', missing or '请先打开工作区中的一个文件'
  )
end

--- Ends a server; `on_ended` is called when it is gone.
function M.stop_server(client, on_ended)
  ending[client.id] = on_ended
  compat.stop_client(client)
end

--- The roots that a server works in, as paths.
---@return string[]
function M.list_roots(client)
  local roots = {}
  for _, folder in ipairs(client.workspace_folders or {}) do
    roots[#roots + 1] = vim.uri_to_fname(folder.uri)
  end
  return roots
end

-- Commands ---------------------------------------------------------------------------------------

--- Ends a run once, with an error or a result.
function M.end_run(run, err, result)
  if run.is_over then
    return
  end
  run.is_over = true
  runs[run.token] = nil
  run.on_end(err, result)
end

local function send(run, command, argument, bufnr)
  if run.is_over then
    return
  end
  run.request_id = compat.request(run.client, 'workspace/executeCommand', {
    command = command,
    arguments = { argument },
    workDoneToken = run.token .. '-work',
  }, function(err, result)
    M.end_run(run, err and (err.message or tostring(err)), compat.given(result))
  end, bufnr)
  if not run.request_id then
    M.end_run(run, language.say(
      'the server is not running any more; `:Glossator restart` starts it again',
      '服务器已不再运行；`:Glossator restart` 重新启动'
    ))
  end
end

--- Runs a command of the server with one object as its argument.
---@param listener table `on_event` (may be missing) and `on_end`, as in glossator.Run.
---@return glossator.Run
function M.execute(client, command, argument, listener, bufnr)
  n_runs = n_runs + 1
  local run = {
    token = ('glossator-%d-%d'):format(vim.fn.getpid(), n_runs),
    client = client,
    is_over = false,
    on_event = listener.on_event or function() end,
    on_end = listener.on_end,
  }
  runs[run.token] = run
  argument = vim.tbl_extend('force', argument, { partialResultToken = run.token })
  if client.initialized then
    send(run, command, argument, bufnr)
  else
    local waiting = waiting_for_start[client.id] or {}
    waiting_for_start[client.id] = waiting
    waiting[#waiting + 1] = function()
      send(run, command, argument, bufnr)
    end
  end
  return run
end

--- Stops a run here and at the server. Neovim swallows the answer to a cancelled request, so the
--- run is over now.
function M.cancel(run)
  if run.is_over then
    return
  end
  if run.request_id then
    compat.cancel_request(run.client, run.request_id)
  end
  run.is_over = true
  runs[run.token] = nil
end

--- What the server last said about itself, or nil.
function M.last_status(client)
  return statuses[client.id]
end

--- What came of the last check of a buffer, or nil.
function M.last_check(client, bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  return name ~= '' and (checks[client.id] or {})[vim.uri_from_bufnr(bufnr)] or nil
end

return M
