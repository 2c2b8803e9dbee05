--- What a person sees. A Neovim runs in the terminal of this one, so that its screen is text here.

local t = require('harness')

local scripts = vim.env.GLOSSATOR_TEST_SCRIPTS
local inner = vim.env.GLOSSATOR_TEST_INNER
vim.o.columns, vim.o.lines = 170, 40
-- No line and column of the outer editor's own.
vim.o.laststatus, vim.o.showtabline, vim.o.cmdheight = 0, 0, 1
vim.cmd('enew')
local terminal = vim.fn.jobstart({
  inner, '-u', scripts .. '/init.lua', '-i', 'NONE', '-n',
  '-c', 'lua require("harness").setup({ settings = { model = { baseUrl = "'
    .. vim.env.GLOSSATOR_TEST_MODEL .. '", apiKey = "key", name = "parrot" } } })',
  vim.env.GLOSSATOR_TEST_WORKSPACE .. '/shop.py',
}, { term = true })

local function read_screen()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end

local function wait_for_screen(part)
  local ok = pcall(t.wait_for, part, function()
    return read_screen():find(part, 1, true)
  end)
  if not ok then
    error(('%q is not on the screen:\n%s'):format(part, read_screen()), 2)
  end
  return read_screen()
end

local function type_keys(keys)
  vim.fn.chansend(terminal, vim.api.nvim_replace_termcodes(keys, true, false, true))
end

local version = vim.fn.system({ inner, '--version' })
local is_current = not version:find('v0%.[789]%.')

t.test('the code is on the screen, and a running answer says what it does', function()
  wait_for_screen('def total(prices):')
  type_keys(':Glossator ask SILENCE: explain total in shop.py<CR>')
  local screen = wait_for_screen('hold on')
  t.contains(screen, '╭')
  t.contains(screen, 'Answering')
  if is_current then
    t.contains(screen, '<C-c> stop')
  end
end)

t.test('Ctrl-C stops it', function()
  type_keys('<C-c>')
  wait_for_screen('Stopped.')
  type_keys('q')
end)

t.test('the complete answer stands beside the code, with its state and its keys', function()
  type_keys('/def total<CR>:Glossator explain<CR>')
  local screen = wait_for_screen('by the model · ')
  t.contains(screen, 'def total(prices):')
  t.contains(screen, 'It adds up prices')
  t.contains(screen, '约定也成立')
  t.contains(screen, ' (missing: ')
  t.contains(screen, ' places checked: ')
  t.contains(screen, '╯')
  if is_current then
    t.contains(screen, 'q close')
    t.contains(screen, ' total ')
  end
  io.stdout:write(screen:gsub('%s+\n', '\n') .. '\n')
end)

t.test('Enter leads to the place, and q had left nothing on the screen', function()
  type_keys('/till<CR><CR>')
  local screen = wait_for_screen('return total(prices)')
  assert(not screen:find('╭', 1, true), screen)
end)

t.test('what can be attached is completed in the chat', function()
  type_keys(':Glossator chat<CR>')
  wait_for_screen('Ask about this workspace…')
  type_keys('iIs #til<Tab>')
  wait_for_screen('Is #file:till.py')
  type_keys('<C-y> @annou<Tab>')
  wait_for_screen('#symbol:announce')
  type_keys('<C-y><Esc>q')
end)

vim.fn.jobstop(terminal)
t.finish()
