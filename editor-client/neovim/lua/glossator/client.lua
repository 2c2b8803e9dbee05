--- The connection to the server: starting it, running its commands, hearing its events.

local compat = require('glossator.compat')
local config = require('glossator.config')

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
local said_missing = false

local language_ids = {
  cs = 'csharp',
  ['javascript.jsx'] = 'javascriptreact',
  ['typescript.tsx'] = 'typescriptreact',
}

local function say(message, level)
  vim.notify('Glossator: ' .. message, level or vim.log.levels.INFO)
end

-- Starting -------------------------------------------------------------------------------------

local function find_root(path)
  if config.options.root_dir then
    return config.options.root_dir(path)
  end
  for _, marker in ipairs(config.options.root_markers) do
    local folder, above = vim.fn.fnamemodify(path, ':h'), nil
    while folder ~= above do
      if vim.loop.fs_stat(folder .. '/' .. marker) then
        return folder
      end
      folder, above = vim.fn.fnamemodify(folder, ':h'), folder
    end
  end
end

--- Nil when the command can be run, else what is wrong and the remedy.
function M.explain_missing_command()
  local program = config.options.cmd[1]
  if type(program) == 'string' and vim.fn.executable(program) == 1 then
    return nil
  end
  return ('the command `%s` was not found. Install the server (`pip install .` in a copy of '
    .. "Glossator) or name where it is: require('glossator').setup({ cmd = "
    .. "{ '/path/to/glossator', 'lsp' } }). See :help glossator-install"):format(
    tostring(program)
  )
end

local function on_progress(err, params, ctx, handler_config)
  local run = params and runs[params.token]
  if run then
    return run.on_event(params.value)
  end
  -- Looked up now, so that a handler which the user or another plug-in sets later is called too.
  local handler = config.options.handlers['$/progress'] or vim.lsp.handlers['$/progress']
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

local function on_init(client)
  local waiting = waiting_for_start[client.id] or {}
  waiting_for_start[client.id] = nil
  -- Neovim opens the documents at the server after this; a question must not come before that.
  vim.schedule(function()
    for _, start in ipairs(waiting) do
      start()
    end
  end)
end

local function on_exit(code, signal, client_id)
  -- Neovim never answers what a dead server still owed.
  vim.schedule(function()
    statuses[client_id], checks[client_id], waiting_for_start[client_id] = nil, nil, nil
    for _, run in pairs(runs) do
      if run.client.id == client_id then
        M.end_run(run, ('the server ended (exit code %d, signal %d). Its last words are in %s')
          :format(code, signal, vim.lsp.get_log_path()))
      end
    end
  end)
end

--- Neovim tells servers no language. `zh_CN.UTF-8` becomes `zh-CN`.
local function add_locale(params)
  local locale = (vim.v.lang or ''):gsub('[.@].*$', ''):gsub('_', '-')
  if not params.locale and locale ~= '' and locale ~= 'C' and locale ~= 'POSIX' then
    params.locale = locale
  end
end

local function make_client_config(root)
  local options = config.options
  local trusted = options.trusted
  if type(trusted) == 'function' then
    trusted = trusted(root)
  end
  -- An empty Lua table would be sent as a list.
  local settings = next(options.settings) and options.settings or vim.empty_dict()
  return {
    name = 'glossator',
    cmd = options.cmd,
    cmd_env = options.cmd_env,
    root_dir = root,
    init_options = {
      settings = settings,
      -- Left out when nobody says so: the server then asks, once.
      workspaceTrusted = trusted,
      clientShowsAnswers = true,
      statusNotifications = true,
    },
    settings = { glossator = settings },
    handlers = vim.tbl_extend('force', options.handlers, {
      ['$/progress'] = on_progress,
      ['glossator/statusChanged'] = on_status_changed,
    }),
    get_language_id = function(_, filetype)
      return language_ids[filetype] or filetype
    end,
    capabilities = options.capabilities,
    before_init = add_locale,
    on_init = on_init,
    on_attach = options.on_attach,
    on_exit = on_exit,
  }
end

local function is_wanted(bufnr)
  local filetypes, filetype = config.options.filetypes, vim.bo[bufnr].filetype
  if vim.bo[bufnr].buftype ~= '' or filetype == '' or vim.api.nvim_buf_get_name(bufnr) == '' then
    return false
  end
  return filetypes == '*' or vim.tbl_contains(filetypes, filetype)
end

local function attach(bufnr)
  -- A relative name or a link to elsewhere would give a root that no other buffer shares.
  local path = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':p')
  local id = compat.start_client(make_client_config(find_root(path)), bufnr)
  return id and vim.lsp.get_client_by_id(id)
end

--- Attaches the server to a buffer of a wanted filetype; says once when the command is missing.
function M.attach_if_wanted(bufnr)
  if not vim.api.nvim_buf_is_loaded(bufnr) or not is_wanted(bufnr) then
    return
  end
  local missing = M.explain_missing_command()
  if missing then
    if not said_missing then
      said_missing = true
      say(missing, vim.log.levels.WARN)
    end
    return
  end
  attach(bufnr)
end

--- After `setup`: a command that was missing may have been named now.
function M.forget_complaints()
  said_missing = false
end

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
  local is_file = vim.bo[bufnr].buftype == '' and vim.api.nvim_buf_get_name(bufnr) ~= ''
  local missing = M.explain_missing_command()
  if is_file and not missing then
    return attach(bufnr)
  end
  if running[1] then
    return running[1]
  end
  say(missing or 'open a file of your workspace first', vim.log.levels.WARN)
end

-- Commands -------------------------------------------------------------------------------------

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
    M.end_run(run, 'the server is not running any more; `:edit` the file to start it again')
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
