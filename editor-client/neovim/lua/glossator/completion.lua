--- Completion: of `:Glossator`, and of commands and attachments in the chat's question.

local M = {}

--- For `complete` of the user command.
function M.complete_command(lead, line)
  local commands = require('glossator.commands')
  local before = line:gsub('^.-Glossator!?%s*', '', 1)
  local name, rest = before:match('^(%l+)!?%s+(.*)$')
  if not name then
    return vim.tbl_filter(function(each)
      return vim.startswith(each, lead)
    end, commands.list_names())
  end
  local kind = rest == lead and commands.completion_of(name)
  return kind and vim.fn.getcompletion(lead, kind) or {}
end

local function complete_slash(lead)
  local found = {}
  for _, name in ipairs(require('glossator.commands').list_names_for_chat()) do
    if vim.startswith('/' .. name, lead) then
      found[#found + 1] = '/' .. name
    end
  end
  return found
end

local function starts_with(lead)
  return function(each)
    return vim.startswith(each, lead)
  end
end

--- What a word of the question asks the server for: a kind of thing, and letters of its name.
local function read_wish(lead)
  local kind, letters = lead:match('^#(%l+):"?(.*)$')
  if kind == 'file' or kind == 'symbol' then
    return kind, letters
  elseif lead:sub(1, 1) == '#' then
    return 'file', lead:sub(2)
  elseif lead ~= '@' then
    return 'symbol', lead:sub(2)
  end
  -- Before anything is typed: the name under the cursor in the code.
  local win = require('glossator.target').window()
  return 'symbol', vim.api.nvim_win_call(win, function()
    return vim.fn.expand('<cword>')
  end)
end

--- The entries for what the server has found; names that several have are told apart by their place.
local function make_entries(items)
  local attachments, n_called, entries = require('glossator.attachments'), {}, {}
  for _, item in ipairs(items) do
    n_called[item.name] = (n_called[item.name] or 0) + 1
  end
  for _, item in ipairs(items) do
    local entry = { word = attachments.spell('file', item.path), abbr = item.path }
    if item.kind == 'symbol' then
      local place = ('%s:%d'):format(item.path, item.line)
      local name = n_called[item.name] > 1 and item.name .. '@' .. place or item.name
      entry = { word = attachments.spell('symbol', name), abbr = item.name, menu = place }
    end
    entries[#entries + 1] = entry
  end
  return entries
end

local function tell_nothing(lead)
  local language = require('glossator.language')
  local kind, letters = read_wish(lead)
  if letters == '' then
    return language.tell(
      'type the beginning of a function or type behind @', '请在 @ 后输入函数或类型的开头'
    )
  end
  local english = kind == 'file' and 'no file is called “%s”' or 'no function or type is called “%s”'
  local chinese = kind == 'file' and '没有名为“%s”的文件' or '没有名为“%s”的函数或类型'
  language.tell(english:format(letters), chinese:format(letters))
end

--- Offers what the server finds, when it has, if the question still stands as it did.
---@param column integer 0-based, where the word begins
local function offer_attachable(lead, column)
  local client, target = require('glossator.client'), require('glossator.target')
  local server = client.list()[1] and select(3, target.find())
  local fixed = vim.tbl_filter(starts_with(lead), { '#selection', '#symbol:' })
  local line, cursor = vim.api.nvim_get_current_line(), vim.api.nvim_win_get_cursor(0)
  local function offer(items)
    local is_same = vim.api.nvim_get_mode().mode:sub(1, 1) == 'i'
      and vim.api.nvim_get_current_line() == line
      and vim.deep_equal(vim.api.nvim_win_get_cursor(0), cursor)
    if is_same then
      vim.fn.complete(column + 1, vim.list_extend(make_entries(items), fixed))
      if #items + #fixed == 0 then
        tell_nothing(lead)
      end
    end
  end
  if not server then
    return vim.schedule(function()
      offer({})
    end)
  end
  local kind, letters = read_wish(lead)
  client.execute(server, 'glossator.listAttachable', { kind = kind, query = letters }, {
    on_end = function(err, result)
      if err then
        return require('glossator.language').complain(err)
      end
      offer(result.items)
    end,
  })
end

--- Where the word before the cursor begins, 0-based, and the word.
local function find_word()
  local before = vim.api.nvim_get_current_line():sub(1, vim.fn.col('.') - 1)
  local word = before:match('#%l+:"[^"]*$') or before:match('%S*$')
  return #before - #word, word
end

--- For 'completefunc' in the question. What can be attached is offered when the server answers.
function M.complete_question(find_start, base)
  if find_start == 0 then
    return complete_slash(base)
  end
  local column, word = find_word()
  if word:match('^[#@]') then
    offer_attachable(word, column)
    return -2
  end
  return word:sub(1, 1) == '/' and vim.fn.line('.') == 1 and column or -3
end

return M
