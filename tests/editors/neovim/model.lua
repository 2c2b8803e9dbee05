--- With a model that calls a tool, answers in pieces, and can be stopped.

local t = require('harness')

local seen_by_user = {}
local old_handler = vim.lsp.handlers['$/progress']

t.setup({
  settings = {
    model = { baseUrl = vim.env.GLOSSATOR_TEST_MODEL, apiKey = 'key', name = 'parrot' },
  },
  handlers = {
    ['$/progress'] = function(err, params, ctx, config)
      seen_by_user[#seen_by_user + 1] = params.value.kind or 'foreign'
      return old_handler(err, params, ctx, config)
    end,
  },
})
t.open('shop.py')
t.wait_for_server()

t.test('the answer arrives in pieces, with the tool calls, and is complete at the end', function()
  t.go_to('def total')
  local partial
  vim.cmd('Glossator explain')
  local text = t.wait_for('the whole answer', function()
    local now = t.answer_text()
    partial = partial or (now:find('adds up', 1, true) and not now:find('FINISHED', 1, true) and now)
    return now:find('FINISHED', 1, true) and now:find('Looked at', 1, true) and now
  end)
  assert(partial, 'nothing was shown before the end')
  t.contains(text, '- ✓ `read_file` shop.py')
  t.contains(text, '约定')
end)

t.test('a place that does not exist is not opened', function()
  t.go_to('gone.py:9')
  t.press('<CR>')
  assert(t.answer_window(), 'the answer was closed for a place that is not there')
  t.press('q')
end)

t.test("the user's own progress handler hears work, and no events of answers", function()
  t.wait_for('the end of the work', function()
    return vim.tbl_contains(seen_by_user, 'end')
  end)
  assert(not vim.tbl_contains(seen_by_user, 'foreign'), vim.inspect(seen_by_user))
end)

t.test('a running answer is stopped by its command and the next question works', function()
  vim.cmd('Glossator ask SILENCE: explain total in shop.py')
  t.wait_for_answer('hold on')
  vim.cmd('Glossator stop')
  t.contains(t.answer_text(), 'Stopped.')
  t.press('q')
  vim.cmd('Glossator ask What does total in shop.py do?')
  t.wait_for_complete_answer('FINISHED')
  t.press('q')
end)

t.test('around a Chinese answer our own words are Chinese', function()
  vim.cmd('Glossator ask shop.py 里的 total 函数做什么？')
  t.contains(t.wait_for_complete_answer('FINISHED'), '**查看过**')
  t.press('q')
end)

t.test('a new question stops the one before it', function()
  vim.cmd('Glossator ask SILENCE: explain total in shop.py')
  t.wait_for_answer('hold on')
  vim.cmd('Glossator ask What does total in shop.py do?')
  local text = t.wait_for_complete_answer('FINISHED')
  assert(not text:find('hold on', 1, true), text)
end)

t.test('a closed window does not stop the answer; it comes back complete', function()
  t.press('q')
  vim.cmd('Glossator ask What does total in shop.py do?')
  t.press('q')
  t.equal(nil, t.answer_window())
  vim.cmd('Glossator answer')
  t.wait_for_complete_answer('FINISHED')
  t.press('q')
end)

t.test('when the server dies, the answer says so', function()
  local client = require('glossator.client').list()[1]
  vim.cmd('Glossator ask SILENCE: explain total in shop.py')
  t.wait_for_answer('hold on')
  if vim.fn.has('nvim-0.11') == 1 then
    client:stop(true)
  else
    client.stop(true)
  end
  t.wait_for_answer('the server ended')
  t.press('q')
end)

t.finish()
