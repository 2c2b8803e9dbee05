--- The chat with a model: asked, followed up, stopped, asked again, changed; and its windows.

local t = require('harness')

vim.fn.writefile({ 'def ring():', '    return 1' }, vim.env.GLOSSATOR_TEST_WORKSPACE .. '/ring.py')
t.setup({
  settings = {
    model = { baseUrl = vim.env.GLOSSATOR_TEST_MODEL, apiKey = 'key', name = 'parrot' },
  },
})
vim.o.columns, vim.o.lines = 160, 40
t.open('shop.py')
t.wait_for_server()

--- Runs `act` and returns the arguments of all commands that were sent to the server meanwhile.
local function collect_sent(act)
  local compat, sent = require('glossator.compat'), {}
  local request = compat.request
  compat.request = function(client, method, params, ...)
    sent[#sent + 1] = params.arguments[1]
    return request(client, method, params, ...)
  end
  local ok, failure = pcall(act)
  compat.request = request
  if not ok then
    error(failure, 2)
  end
  return sent
end

local function count_windows()
  return #vim.api.nvim_tabpage_list_wins(0)
end

t.test('the chat opens beside the code, says what it can, and waits for a question', function()
  vim.cmd('Glossator chat')
  t.equal(t.question_window(), vim.api.nvim_get_current_win())
  t.contains(t.chat_text(), '#selection')
  t.equal(3, count_windows())
  vim.cmd('Glossator chat')
  t.equal(3, count_windows())
end)

t.test('a question that is typed streams into the chat; the cursor stays where it is', function()
  t.press('iWhat does total in shop.py do?<C-s>')
  local partial
  t.wait_for('the answer', function()
    local text = t.chat_text()
    partial = partial or (text:find('adds up', 1, true) and not text:find('FINISHED', 1, true))
    return text:find('FINISHED', 1, true)
  end)
  t.wait_for_idle()
  assert(partial, 'nothing was shown before the end')
  t.equal(t.question_window(), vim.api.nvim_get_current_win())
  t.contains(t.chat_text(), '> What does total in shop.py do?')
  t.contains(t.chat_text(), '- ✓ `read_file` shop.py')
  t.contains(t.chat_text(), 'by the model · ')
end)

t.test('a reader in the middle is not moved by what arrives', function()
  vim.api.nvim_set_current_win(t.chat_window())
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.cmd('Glossator ask And who calls it?')
  -- A question that was just put is shown; then the reader goes back up.
  vim.api.nvim_win_set_cursor(t.chat_window(), { 2, 0 })
  t.wait_for_idle()
  t.equal({ 2, 0 }, vim.api.nvim_win_get_cursor(t.chat_window()))
  t.contains(t.chat_text(), '> And who calls it?')
end)

t.test('a follow-up question belongs to the same session', function()
  local sent = collect_sent(function()
    vim.cmd('Glossator ask And then?')
    t.wait_for_idle()
  end)
  assert(sent[1].sessionId, 'no session was named')
end)

t.test('the places of an answer become a quickfix list with their verdicts', function()
  vim.api.nvim_set_current_win(t.chat_window())
  t.go_to('gone.py:9')
  t.press('<C-q>')
  local texts = {}
  for _, item in ipairs(vim.fn.getqflist()) do
    texts[#texts + 1] = item.type .. item.valid .. item.text
  end
  local all = table.concat(texts, '\n')
  t.contains(all, 'E0[missing: there is no such file]')
  t.contains(all, '1[exact] It adds up prices')
  vim.cmd('cfirst')
  t.equal('shop.py', vim.fn.expand('%:t'))
  vim.cmd('cclose')
end)

t.test('Enter on a place opens it in the code, beside the chat', function()
  vim.api.nvim_set_current_win(t.chat_window())
  t.go_to('till.py:5')
  t.press('<CR>')
  t.equal('till.py', vim.fn.expand('%:t'))
  assert(t.chat_window(), 'the chat was closed')
  t.open('shop.py')
end)

local function count_in_chat(pattern)
  return select(2, t.chat_text():gsub(pattern, ''))
end

local function read_question()
  local bufnr = vim.api.nvim_win_get_buf(t.question_window())
  return table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
end

--- What stands above the field for the question; empty where Neovim has no such line.
local function read_hint()
  return vim.fn.has('nvim-0.8') == 1 and vim.wo[t.question_window()].winbar or ''
end

local function expect_hint(part)
  if vim.fn.has('nvim-0.8') == 1 then
    t.contains(read_hint(), part)
  end
end

t.test('Ctrl-C stops an answer, and its question is edited and put in its place', function()
  vim.cmd('Glossator chat')
  t.press('iSILENCE: explain total<C-s>')
  t.wait_for_chat('hold on')
  t.press('<C-c>')
  t.contains(t.chat_text(), 'Stopped.')
  vim.api.nvim_set_current_win(t.chat_window())
  t.press('E')
  t.equal('SILENCE: explain total', read_question())
  expect_hint('replaces the question')
  local sent = collect_sent(function()
    t.press('ccExplain total instead<C-s>')
    t.wait_for_idle()
  end)
  assert(not t.chat_text():find('SILENCE', 1, true), t.chat_text())
  -- The session has kept nothing of it.
  t.equal(nil, sent[1].keepTurns)
end)

t.test('the last question is asked again in place of its answer', function()
  local sent = collect_sent(function()
    vim.cmd('Glossator retry')
    t.wait_for_idle()
  end)
  t.equal(1, count_in_chat('> Explain total instead'))
  t.equal({ 3, 4 }, { sent[1].keepTurns, sent[1].ofTurns })
end)

t.test('an earlier question that is edited replaces itself and all below it', function()
  vim.api.nvim_set_current_win(t.chat_window())
  t.go_to('> And who calls it?')
  t.press('E')
  t.equal('And who calls it?', read_question())
  expect_hint('replaces the question and 2 later')
  local sent = collect_sent(function()
    t.press('ccAnd who calls total?<C-s>')
    t.wait_for_idle()
  end)
  t.equal({ 1, 4 }, { sent[1].keepTurns, sent[1].ofTurns })
  t.equal(0, count_in_chat('> And then%?'))
  t.equal(1, count_in_chat('> And who calls total%?'))
  sent = collect_sent(function()
    vim.cmd('Glossator ask And then?')
    t.wait_for_idle()
  end)
  t.equal(nil, sent[1].keepTurns)
end)

t.test('what was to be replaced comes back when the new turn is not kept', function()
  vim.api.nvim_set_current_win(t.chat_window())
  t.go_to('> And who calls total?')
  t.press('E')
  t.press('ccSILENCE: explain total<C-s>')
  t.wait_for_chat('hold on')
  t.equal(0, count_in_chat('> And then%?'))
  t.contains(t.collect_notices(function()
    vim.cmd('Glossator stop')
  end), 'nothing was replaced')
  t.equal(1, count_in_chat('> And then%?'))
  t.contains(t.chat_text(), '> SILENCE')
  -- Asked again it is to replace the same.
  local sent = collect_sent(function()
    vim.api.nvim_set_current_win(t.chat_window())
    t.go_to('> SILENCE')
    t.press('E')
    t.press('ccWho calls total?<C-s>')
    t.wait_for_idle()
  end)
  t.equal({ 1, 3 }, { sent[1].keepTurns, sent[1].ofTurns })
  t.equal(0, count_in_chat('> And then%?'))
  t.equal(0, count_in_chat('> SILENCE'))
end)

t.test('a question that was to be edited is left as it is', function()
  vim.api.nvim_set_current_win(t.chat_window())
  t.go_to('> Who calls total?')
  t.press('E')
  t.press('<C-c>')
  t.equal('', read_question())
  expect_hint('<CR> sends')
  t.equal(1, count_in_chat('> Who calls total%?'))
end)

t.test('a file, lines, a symbol and what is attached by command go with the question', function()
  vim.api.nvim_set_current_win(require('glossator.target').window())
  t.open('shop.py')
  vim.cmd('4,9Glossator attach')
  vim.cmd('Glossator chat')
  vim.fn.writefile({ '约定 = 1' }, vim.env.GLOSSATOR_TEST_WORKSPACE .. '/价格 表.py')
  local sent = collect_sent(function()
    t.press('iIs #file:till.py like #symbol:total@shop.py:4, #file:"价格 表.py" and #file:bell.py:1-2?<C-s>')
    t.wait_for_idle()
  end)
  local labels = vim.tbl_map(function(each)
    return ('%s %s %s'):format(each.kind, each.symbol or '', each.path or vim.fn.fnamemodify(each.uri, ':t'))
  end, sent[1].attachments)
  t.equal({
    'selection  shop.py', 'file  till.py', 'symbol total shop.py', 'file  价格 表.py',
    'selection  bell.py',
  }, labels)
  t.contains(t.chat_text(), '> attached: shop.py:4-9, till.py, total, 价格 表.py, bell.py:1-2')
  t.equal('Is `till.py` like `total`, `价格 表.py` and `bell.py:1-2`?', sent[1].question)
end)

t.test('a question of an earlier window is asked again with what was attached to it', function()
  t.choose_in_turn({ 'What does total', 'Go on' }, function()
    vim.cmd('Glossator sessions What does total')
  end)
  t.wait_for_chat('> Is `till.py` like')
  local sent = collect_sent(function()
    vim.cmd('Glossator retry')
    t.wait_for_idle()
  end)
  t.equal({ 2, 3 }, { sent[1].keepTurns, sent[1].ofTurns })
  t.equal(5, #sent[1].attachments)
  t.equal('Is `till.py` like `total`, `价格 表.py` and `bell.py:1-2`?', sent[1].question)
end)

--- What is offered behind a word of the question, as if it were being typed.
local function complete(typed)
  vim.cmd('Glossator chat')
  vim.o.virtualedit = 'onemore'
  require('glossator.chat').set_question(typed)
  vim.api.nvim_win_set_cursor(0, { 1, #typed })
  local show, get_mode, offered = vim.fn.complete, vim.api.nvim_get_mode, nil
  vim.api.nvim_get_mode = function()
    return { mode = 'i', blocking = false }
  end
  vim.fn.complete = function(column, entries)
    offered = vim.tbl_map(function(entry)
      return typed:sub(1, column - 1) .. (entry.word or entry)
    end, entries)
  end
  t.equal(-2, require('glossator.completion').complete_question(1, ''))
  local ok = pcall(t.wait_for, 'the offer', function()
    return offered
  end)
  vim.fn.complete, vim.api.nvim_get_mode, vim.o.virtualedit = show, get_mode, ''
  require('glossator.chat').set_question('')
  assert(ok, 'nothing was offered for ' .. typed)
  return offered
end

t.test('files are completed by letters of their names, as the server knows them', function()
  vim.cmd('cd /')
  t.equal('Is #file:till.py', complete('Is #til')[1])
  t.equal('#file:"价格 表.py"', complete('#file:价格')[1])
  t.equal('#file:"价格 表.py"', complete('#file:"价格 ')[1])
  t.contains(table.concat(complete('#sel'), ' '), '#selection')
  vim.cmd('cd -')
end)

t.test('symbols are completed behind @, those of one name told apart by their place', function()
  t.equal('#symbol:announce', complete('@annou')[1])
  t.equal('#symbol:announce', complete('#symbol:annou')[1])
  local rings = table.concat(complete('@ring'), ' ')
  t.contains(rings, '#symbol:ring@bell.py:1')
  t.contains(rings, '#symbol:ring@ring.py:1')
  t.contains(t.collect_notices(function()
    complete('@nowhere')
  end), 'no function or type is called “nowhere”')
  -- Without a letter: the name under the cursor in the code.
  vim.api.nvim_set_current_win(require('glossator.target').window())
  t.go_to('total(prices)')
  t.equal('#symbol:total', complete('@')[1])
end)

t.test('a slash begins a command; its words are completed', function()
  local completion = require('glossator.completion')
  t.equal({ '/chain', '/check' }, completion.complete_question(0, '/ch'))
  t.contains(t.collect_notices(function()
    vim.cmd('Glossator chat')
    t.press('i/new<C-s>')
  end), 'new conversation')
  t.wait_for_chat('#selection')
end)

t.test('closing the windows with :quit while an answer arrives breaks nothing', function()
  vim.cmd('Glossator chat')
  t.press('iSILENCE: explain total<C-s>')
  t.wait_for_chat('hold on')
  vim.cmd('stopinsert')
  vim.cmd('quit')
  vim.api.nvim_set_current_win(t.chat_window())
  vim.cmd('quit')
  t.equal(nil, t.chat_window())
  vim.cmd('Glossator chat')
  t.wait_for_chat('hold on')
  vim.cmd('Glossator stop')
  t.press('q')
  t.equal(1, count_windows())
end)

t.test('the windows change no default of other windows', function()
  vim.cmd('new')
  t.equal(0, vim.wo.conceallevel)
  t.equal(false, vim.wo.linebreak)
  t.equal(false, vim.wo.winfixheight)
  vim.cmd('close')
end)

t.test('when the server crashes, it is said, and restart goes on with the conversation', function()
  vim.cmd('Glossator ask What does total in shop.py do?')
  t.wait_for_idle()
  t.press('q')
  local client = require('glossator.client').list()[1]
  local notice = t.collect_notices(function()
    vim.loop.kill(t.find_server_process(), 'sigkill')
    t.wait_for('its end', function()
      return #require('glossator.client').list() == 0
    end)
  end)
  t.contains(notice, ':Glossator restart')
  vim.cmd('Glossator restart')
  local again = t.wait_for_server()
  assert(again.id ~= client.id, 'it is the same server')
  local sent = collect_sent(function()
    vim.cmd('Glossator ask And who calls it?')
    t.wait_for_idle()
  end)
  assert(sent[1].sessionId, 'the conversation was lost')
  t.contains(t.wait_for_complete_answer('FINISHED'), 'adds up')
  t.press('q')
end)

t.finish()
