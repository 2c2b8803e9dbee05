--- The options of `setup`, with their defaults, and what is wrong with those that are given.

local say = require('glossator.language').say

local M = {}

---@class glossator.Options
---@field cmd string[] The command that starts the server.
---@field cmd_env table<string, string>|nil Added to the server's environment.
---@field filetypes string[]|'*' Where it attaches; '*' is every file that has a filetype.
---@field autostart boolean Attach to those files by itself; otherwise the first command does.
---@field root_markers string[] Tried in this order; the nearest folder that holds one is the root.
---@field root_dir (fun(path: string): string|nil)|nil Decides the root instead.
---@field settings table Glossator's settings by group: `{ check = { onSave = false } }`.
---@field trusted boolean|nil|fun(root: string|nil): boolean|nil Is the workspace? nil: you are asked.
---@field language 'auto'|'en'|'zh' Of what the plug-in and the server say to you.
---@field on_attach fun(client: table, bufnr: integer)|nil
---@field capabilities table|nil
---@field handlers table<string, function> Your own LSP handlers for this client.
---@field window glossator.WindowOptions
---@field chat glossator.ChatOptions

---@class glossator.WindowOptions
---@field border string|string[] As for `nvim_open_win()`.
---@field width number Columns, or a share of the screen when at most 1.
---@field height number Lines, or a share of the screen when at most 1.
---@field position 'auto'|'center'|'right' 'auto' is right where the screen is wide enough.
---@field focus boolean Go into the window when it opens.

---@class glossator.ChatOptions
---@field position 'right'|'left'|'bottom'|'tab' Where the chat opens.
---@field width number Columns, or a share of the screen when at most 1.

---@type glossator.Options
M.defaults = {
  cmd = { 'glossator', 'lsp' },
  filetypes = {
    'c', 'cpp', 'cs', 'go', 'java', 'javascript', 'javascriptreact', 'markdown', 'php', 'python',
    'ruby', 'rust', 'sql', 'typescript', 'typescriptreact',
  },
  autostart = true,
  root_markers = {
    'glossator.toml', '.git', '.hg', 'pyproject.toml', 'setup.py', 'package.json', 'go.mod',
    'Cargo.toml', 'pom.xml', 'build.gradle', 'composer.json', 'Gemfile', 'CMakeLists.txt',
  },
  settings = {},
  language = 'auto',
  handlers = {},
  window = { border = 'rounded', width = 0.8, height = 0.8, position = 'auto', focus = true },
  chat = { position = 'right', width = 0.4 },
}

-- What a value may be: names of types, or the texts themselves.
local expected = {
  cmd = { 'list' },
  cmd_env = { 'table' },
  filetypes = { 'list', '"*"' },
  autostart = { 'boolean' },
  root_markers = { 'list' },
  root_dir = { 'function' },
  settings = { 'table' },
  trusted = { 'boolean', 'function' },
  language = { '"auto"', '"en"', '"zh"' },
  on_attach = { 'function' },
  capabilities = { 'table' },
  handlers = { 'table' },
  window = {
    border = { 'string', 'list' },
    width = { 'positive' },
    height = { 'positive' },
    position = { '"auto"', '"center"', '"right"' },
    focus = { 'boolean' },
  },
  chat = {
    position = { '"right"', '"left"', '"bottom"', '"tab"' },
    width = { 'positive' },
  },
}

local names_of_kinds = {
  list = { 'a list of texts that is not empty', '非空的文本列表' },
  table = { 'a table', '表' },
  ['function'] = { 'a function', '函数' },
  boolean = { 'true or false', 'true 或 false' },
  string = { 'a text', '文本' },
  positive = { 'a number above 0', '大于 0 的数' },
}

---@type glossator.Options
M.options = M.defaults

local function is_list_of_texts(value)
  if type(value) ~= 'table' or #value == 0 then
    return false
  end
  for _, each in ipairs(value) do
    if type(each) ~= 'string' and type(each) ~= 'table' then
      return false
    end
  end
  return true
end

local function fits(value, kind)
  if kind == 'list' then
    return is_list_of_texts(value)
  elseif kind == 'positive' then
    return type(value) == 'number' and value > 0
  elseif kind:sub(1, 1) == '"' then
    return value == kind:sub(2, -2)
  end
  return type(value) == kind
end

local function describe_kinds(kinds)
  local texts = {}
  for _, kind in ipairs(kinds) do
    local name = names_of_kinds[kind]
    texts[#texts + 1] = name and say(name[1], name[2]) or kind
  end
  return table.concat(texts, say(' or ', ' 或 '))
end

--- What is wrong with one value, or nil.
local function find_problem(name, value, kinds)
  for _, kind in ipairs(kinds) do
    if fits(value, kind) then
      return nil
    end
  end
  local text = say(
    'option `%s` must be %s, not %s; the default is used. See :help glossator-setup',
    '选项 `%s` 必须是%s，而不是 %s；已使用默认值。参见 :help glossator-setup'
  )
  local shown = vim.inspect(value):gsub('%s+', ' ')
  return text:format(name, describe_kinds(kinds), shown)
end

local function describe_unknown(name, known)
  local names = vim.tbl_keys(known)
  table.sort(names)
  local text = say('`%s` is not an option; there are %s', '`%s` 不是选项；可用的有 %s')
  return text:format(name, table.concat(names, ', '))
end

--- Puts what is usable of `given` into `options`.
local function merge(options, given, known, prefix, problems)
  for name, value in pairs(given) do
    local kinds, full_name = known[name], prefix .. tostring(name)
    if not kinds then
      problems[#problems + 1] = describe_unknown(full_name, known)
    elseif kinds[1] == nil then
      -- A group of options.
      local problem = find_problem(full_name, value, { 'table' })
      if problem then
        problems[#problems + 1] = problem
      else
        merge(options[name], value, kinds, full_name .. '.', problems)
      end
    else
      local problem = find_problem(full_name, value, kinds)
      if problem then
        problems[#problems + 1] = problem
      else
        options[name] = value
      end
    end
  end
end

--- Puts `given` over the defaults; returns what could not be used, a sentence each. Lists are
--- replaced as a whole: a shorter `cmd` must not keep arguments of the default.
---@return string[]
function M.apply(given)
  local problems = {}
  local options = vim.deepcopy(M.defaults)
  -- The problems are told in the language that is asked for.
  M.options = { language = given and fits(given.language, '"zh"') and 'zh' or 'auto' }
  merge(options, given or {}, expected, '', problems)
  M.options = options
  table.sort(problems)
  return problems
end

return M
