--- The options of `setup`, with their defaults.

local M = {}

---@class glossator.Options
---@field cmd string[] The command that starts the server.
---@field cmd_env table<string, string>|nil Added to the server's environment.
---@field filetypes string[]|'*' Where it attaches; '*' is every file that has a filetype.
---@field root_markers string[] Tried in this order; the nearest folder that holds one is the root.
---@field root_dir (fun(path: string): string|nil)|nil Decides the root instead.
---@field settings table Glossator's settings by group: `{ check = { onSave = false } }`.
---@field trusted boolean|nil|fun(root: string|nil): boolean|nil Is the workspace? nil: you are asked.
---@field on_attach fun(client: table, bufnr: integer)|nil
---@field capabilities table|nil
---@field handlers table<string, function> Your own LSP handlers for this client.
---@field window glossator.WindowOptions

---@class glossator.WindowOptions
---@field border string|string[] As for `nvim_open_win()`.
---@field width number Columns, or a share of the screen when at most 1.
---@field height number Lines, or a share of the screen when at most 1.
---@field position 'auto'|'center'|'right' 'auto' is right where the screen is wide enough.

---@type glossator.Options
M.defaults = {
  cmd = { 'glossator', 'lsp' },
  filetypes = {
    'c', 'cpp', 'cs', 'go', 'java', 'javascript', 'javascriptreact', 'markdown', 'php', 'python',
    'ruby', 'rust', 'sql', 'typescript', 'typescriptreact',
  },
  root_markers = {
    'glossator.toml', '.git', '.hg', 'pyproject.toml', 'setup.py', 'package.json', 'go.mod',
    'Cargo.toml', 'pom.xml', 'build.gradle', 'composer.json', 'Gemfile', 'CMakeLists.txt',
  },
  settings = {},
  handlers = {},
  window = { border = 'rounded', width = 0.8, height = 0.8, position = 'auto' },
}

local types = {
  cmd = { 'table' },
  cmd_env = { 'table' },
  filetypes = { 'table', 'string' },
  root_markers = { 'table' },
  root_dir = { 'function' },
  settings = { 'table' },
  trusted = { 'boolean', 'function' },
  on_attach = { 'function' },
  capabilities = { 'table' },
  handlers = { 'table' },
  window = { 'table' },
}

---@type glossator.Options
M.options = M.defaults

--- Puts `given` over the defaults; returns what could not be used, a sentence each.
---@return string[]
function M.apply(given)
  local problems = {}
  -- Lists are replaced as a whole: a shorter `cmd` must not keep arguments of the default.
  local options = vim.deepcopy(M.defaults)
  for name, value in pairs(given or {}) do
    local expected = types[name]
    if not expected then
      problems[#problems + 1] = ('`%s` is not an option; see :help glossator-setup'):format(name)
    elseif not vim.tbl_contains(expected, type(value)) then
      problems[#problems + 1] = ('`%s` must be a %s, not a %s; see :help glossator-setup'):format(
        name, table.concat(expected, ' or a '), type(value)
      )
    elseif name == 'window' then
      options.window = vim.tbl_extend('force', options.window, value)
    else
      options[name] = value
    end
  end
  M.options = options
  return problems
end

return M
