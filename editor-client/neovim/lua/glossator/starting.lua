--- How the server is started: for which files, in which folder, with which options.

local backend = require('glossator.backend')
local compat = require('glossator.compat')
local config = require('glossator.config')
local language = require('glossator.language')

local M = {}

local said_missing = false

local language_ids = {
  cs = 'csharp',
  ['javascript.jsx'] = 'javascriptreact',
  ['typescript.tsx'] = 'typescriptreact',
}

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

--- A relative name or a link to elsewhere would give a root that no other buffer shares.
local function find_root_of_buffer(bufnr)
  return find_root(vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':p'))
end

--- Nil when the command can be run, else what is wrong and the remedy.
---@return string|nil
function M.explain_missing_command()
  local program = config.options.cmd[1]
  if vim.fn.executable(program) == 1 then
    return nil
  end
  return language.say(
    'the command `%s` was not found. Install the server (`pipx install .` in a copy of '
      .. "Glossator) or name where it is: require('glossator').setup({ cmd = "
      .. "{ '/path/to/glossator', 'lsp' } }). See :help glossator-install",
    '未找到命令 `%s`。请安装服务器（在 Glossator 的副本中运行 `pipx install .`），或指明其位置：'
      .. "require('glossator').setup({ cmd = { '/path/to/glossator', 'lsp' } })。"
      .. '参见 :help glossator-install'
  ):format(program)
end

--- Says once that the command is missing; true when it is.
local function complain_if_missing()
  local missing = M.explain_missing_command()
  if missing and not said_missing then
    said_missing = true
    language.complain(missing)
  end
  return missing ~= nil
end

--- After `setup`: a command that was missing may have been named now.
function M.forget_complaints()
  said_missing = false
end

local function make_init_options(root)
  local trusted = config.options.trusted
  if type(trusted) == 'function' then
    trusted = trusted(root)
  end
  -- An empty Lua table would be sent as a list.
  local settings = config.options.settings
  return {
    settings = next(settings) and settings or vim.empty_dict(),
    -- Left out when nobody says so: the server then asks, once.
    workspaceTrusted = trusted,
    clientShowsAnswers = true,
    statusNotifications = true,
  }
end

--- Neovim tells servers no language, and knows the root only now.
local function complete_params(params, client_config)
  params.locale = params.locale or language.locale()
  params.initializationOptions = make_init_options(client_config.root_dir)
  backend.offer(params.capabilities)
end

--- The configuration for `vim.lsp.config`; its `root_dir` is a function of a buffer.
function M.make_config()
  local client, options = require('glossator.client'), config.options
  local filetypes = options.filetypes
  return {
    name = 'glossator',
    cmd = options.cmd,
    cmd_env = options.cmd_env,
    filetypes = filetypes ~= '*' and filetypes or nil,
    root_dir = function(bufnr, use)
      if vim.api.nvim_buf_get_name(bufnr) ~= '' then
        use(find_root_of_buffer(bufnr))
      end
    end,
    settings = { glossator = options.settings },
    handlers = vim.tbl_extend(
      'force', options.handlers, client.handlers, backend.make_handlers()
    ),
    get_language_id = function(_, filetype)
      return language_ids[filetype] or filetype
    end,
    capabilities = options.capabilities,
    before_init = complete_params,
    on_init = client.on_init,
    on_attach = options.on_attach,
    on_exit = client.on_exit,
  }
end

--- Attaches the server to a buffer of any type, and returns its client.
function M.attach(bufnr)
  local wanted = compat.has_lsp_enable and vim.lsp.config.glossator or M.make_config()
  wanted = vim.tbl_extend('force', wanted, { root_dir = find_root_of_buffer(bufnr) })
  local id = compat.start_client(wanted, bufnr)
  return id and vim.lsp.get_client_by_id(id)
end

local function is_wanted(bufnr)
  local filetypes, filetype = config.options.filetypes, vim.bo[bufnr].filetype
  if vim.bo[bufnr].buftype ~= '' or filetype == '' or vim.api.nvim_buf_get_name(bufnr) == '' then
    return false
  end
  return filetypes == '*' or vim.tbl_contains(filetypes, filetype)
end

--- Attaches the server to a loaded buffer of a wanted filetype.
function M.attach_if_wanted(bufnr)
  if vim.api.nvim_buf_is_loaded(bufnr) and is_wanted(bufnr) and not complain_if_missing() then
    M.attach(bufnr)
  end
end

--- Attaches by itself to the wanted files, those that are open and those to come.
---@param group integer Of autocommands.
function M.start_by_itself(group)
  if compat.has_lsp_enable then
    vim.lsp.enable('glossator')
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    callback = function(event)
      if not compat.has_lsp_enable then
        M.attach_if_wanted(event.buf)
      elseif is_wanted(event.buf) then
        -- Neovim only writes a command that is missing into its log.
        complain_if_missing()
      end
    end,
  })
  -- `vim.lsp.enable` passes over what was opened while Neovim starts.
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    M.attach_if_wanted(bufnr)
  end
end

return M
