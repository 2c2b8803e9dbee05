--- What the plug-in says, in the language of its reader.

local M = {}

--- `zh-CN` of `zh_CN.UTF-8`; nil where no language is named.
local function read_locale(text)
  local locale = (text or ''):gsub('[.@].*$', ''):gsub('_', '-')
  return locale ~= '' and locale ~= 'C' and locale ~= 'POSIX' and locale or nil
end

--- The locale of Neovim's messages; where the system lacks the one that is asked for, that one.
---@return string|nil
local function find_locale()
  local asked = vim.tbl_filter(function(name)
    return (vim.env[name] or '') ~= ''
  end, { 'LC_ALL', 'LC_MESSAGES', 'LANG' })[1]
  return read_locale(vim.v.lang) or read_locale(asked and vim.env[asked])
end

--- Is our own text Chinese? By the option `language`, else as Neovim's messages are.
---@return boolean
function M.is_chinese()
  local wanted = require('glossator.config').options.language
  if wanted == 'auto' then
    return (find_locale() or ''):match('^zh') ~= nil
  end
  return wanted == 'zh'
end

function M.say(english, chinese)
  return M.is_chinese() and chinese or english
end

--- What a server is told as `locale`; nil when nothing is known.
---@return string|nil
function M.locale()
  local wanted = require('glossator.config').options.language
  if wanted ~= 'auto' then
    return wanted == 'zh' and 'zh-CN' or 'en'
  end
  return find_locale()
end

function M.count(n, noun)
  return ('%d %s%s'):format(n, noun, n == 1 and '' or 's')
end

function M.tell(english, chinese)
  vim.notify('Glossator: ' .. M.say(english, chinese or english), vim.log.levels.INFO)
end

function M.complain(english, chinese)
  vim.notify('Glossator: ' .. M.say(english, chinese or english), vim.log.levels.WARN)
end

return M
