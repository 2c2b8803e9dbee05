--- Without the server's command: one message with the remedy, and nothing else breaks.

local t = require('harness')

local notices = {}
local notify = vim.notify
vim.notify = function(message)
  notices[#notices + 1] = message
end

t.setup({ cmd = { 'glossator-that-is-not-there', 'lsp' }, colour = 'red' })
t.open('shop.py')
t.open('till.py')

t.test('an unknown option is named', function()
  t.contains(notices[1], '`colour` is not an option; there are ')
end)

t.test('a missing command is said once, with what to do', function()
  t.equal(2, #notices)
  t.contains(notices[2], '`glossator-that-is-not-there` was not found')
  t.contains(notices[2], 'setup({ cmd =')
end)

t.test('a command says it again', function()
  vim.cmd('Glossator explain')
  t.contains(notices[3], 'was not found')
  t.equal(nil, t.answer_window())
end)

t.test('the health report says it too', function()
  vim.cmd('checkhealth glossator')
  local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  t.contains(report, 'was not found')
  vim.cmd('bdelete!')
end)

t.test('once the command is named, the open file is attached', function()
  t.setup()
  t.wait_for_server()
end)

vim.notify = notify
t.finish()
