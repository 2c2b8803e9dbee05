--- Without a model: code actions, commands, findings, places, health.

local t = require('harness')

t.setup()
t.open('shop.py')

t.test('the server attaches to a Python file and reads its rules', function()
  local client = t.wait_for_server()
  t.equal(vim.fn.has('nvim-0.11') == 1 and 'utf-8' or 'utf-16', client.offset_encoding)
  t.contains(require('glossator').statusline(), 'no model · ')
end)

t.test('the code action explains the function in a window over the code', function()
  t.go_to('def total')
  t.contains(t.choose_code_action('Explain this function'), 'Show call chain')
  local text = t.wait_for_complete_answer('shop.py:')
  t.contains(text, 'total')
  t.equal(t.answer_window(), vim.api.nvim_get_current_win())
end)

t.test('the answer is Markdown and cannot be changed by mistake', function()
  t.equal('markdown', vim.bo.filetype)
  t.equal(false, vim.bo.modifiable)
end)

t.test('Enter on a place opens it in the window the user came from', function()
  t.go_to('till.py:')
  t.press('<CR>')
  t.equal(nil, t.answer_window())
  t.equal('till.py', vim.fn.expand('%:t'))
  t.contains(vim.api.nvim_get_current_line(), 'total(')
end)

t.test('the last answer comes back, and q closes it', function()
  vim.cmd('Glossator answer')
  t.contains(t.answer_text(), 'shop.py:')
  t.press('q')
  t.equal(nil, t.answer_window())
end)

t.test('the places of an answer become a quickfix list', function()
  vim.cmd('Glossator answer')
  t.press('<C-q>')
  local names = {}
  for _, item in ipairs(vim.fn.getqflist()) do
    names[vim.fn.fnamemodify(vim.api.nvim_buf_get_name(item.bufnr), ':t')] = true
  end
  t.equal(true, names['till.py'])
  vim.cmd('cclose')
end)

t.test('the command explains too, with unsaved changes', function()
  t.open('shop.py')
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { '', '', 'def unsaved_one():', '    return 1' })
  t.go_to('return 1')
  vim.cmd('Glossator explain')
  t.wait_for_complete_answer('unsaved_one')
  t.press('<Esc>')
  vim.cmd('silent undo')
end)

t.test('the call chain shows who calls the function, without the source of the picture', function()
  t.go_to('def total')
  vim.cmd('Glossator chain')
  local text = t.wait_for_complete_answer('till.py:')
  t.contains(text, 'pay')
  assert(not text:find('mermaid', 1, true), text)
  t.press('q')
end)

t.test('a folder is explained, and that nothing can be compared is said', function()
  vim.cmd('Glossator analyze')
  local text = t.wait_for_complete_answer('Who imports whom')
  t.contains(text, 'shop.py:1-')
  t.press('q')
  vim.cmd('Glossator review')
  t.contains(t.wait_for_complete_answer('Not answered'), 'in no Git repository')
  t.press('q')
end)

t.test('saving shows findings with the rule id under the right characters', function()
  -- What the check on opening found must not be taken for what the check on saving finds.
  vim.diagnostic.reset()
  vim.cmd('silent write')
  local finding = t.wait_for('the finding', function()
    return vim.diagnostic.get(0)[1]
  end)
  t.equal('glossator', finding.source)
  t.equal('house-no-print', finding.code or finding.user_data.lsp.code)
  t.equal(
    { 'print(note)' },
    vim.api.nvim_buf_get_text(
      0, finding.lnum, finding.col, finding.end_lnum, finding.end_col, {}
    )
  )
end)

t.test('what any server reports is explained; where there is more, it is chosen', function()
  local namespace = vim.api.nvim_create_namespace('linter')
  t.go_to('检查')
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  vim.diagnostic.set(namespace, 0, { {
    lnum = row - 1, col = column, end_lnum = row - 1, end_col = column + 6,
    message = 'Name this otherwise', source = 'linter', severity = vim.diagnostic.severity.WARN,
  } })
  vim.cmd('Glossator problem')
  local text = t.wait_for_complete_answer('Name this otherwise')
  t.contains(text, 'linter')
  t.press('q')
  -- Elsewhere on the line are that one and our own.
  t.go_to('said =')
  local offered = t.choose_in_turn({ 'linter: Name' }, function()
    vim.cmd('Glossator problem')
  end)
  t.contains(offered, 'glossator: ')
  t.wait_for_complete_answer('Name this otherwise')
  t.press('q')
  vim.diagnostic.reset(namespace)
  t.go_to('def total')
  t.contains(t.collect_notices(function()
    vim.cmd('Glossator problem')
  end), 'nothing is reported')
end)

t.test('the cursor behind Chinese and an emoji is sent where it is', function()
  t.go_to('print(note)')
  vim.cmd('Glossator explain')
  t.wait_for_complete_answer('`announce`')
  t.press('q')
end)

t.test('a selection is sent to the character, also from a file of no known structure', function()
  t.open('notes.txt')
  local compat = require('glossator.compat')
  local request, sent = compat.request, nil
  compat.request = function(client, method, params, ...)
    sent = params.arguments[1]
    return request(client, method, params, ...)
  end
  t.go_to('检查')
  t.press("vl:<C-u>'<,'>Glossator explain<CR>")
  local text = t.wait_for_complete_answer('notes.txt')
  compat.request = request
  local is_utf8 = vim.fn.has('nvim-0.11') == 1
  t.equal({
    start = { line = 1, character = is_utf8 and 10 or 4 },
    ['end'] = { line = 1, character = is_utf8 and 16 or 6 },
  }, sent.range)
  t.contains(text, '约定𝕏检查🙂')
  t.press('q')
  t.open('shop.py')
end)

t.test('a quick fix changes the text', function()
  t.go_to('print(note)')
  t.choose_code_action('Fix: Do not print here')
  t.wait_for('the fix', function()
    return vim.api.nvim_get_current_line():find('log(note)', 1, true)
  end)
  t.contains(vim.api.nvim_get_current_line(), '约定𝕏检查🙂')
  vim.cmd('silent write')
  t.wait_for('no finding', function()
    return #vim.diagnostic.get(0) == 0
  end)
end)

local function collect_notices(command)
  return t.collect_notices(function()
    vim.cmd(command)
  end)
end

t.test('a check says how many findings there are', function()
  t.contains(collect_notices('Glossator check'), 'shop.py is clean')
  t.contains(collect_notices('Glossator check!'), '0 findings in')
end)

t.test('a question that no knowledge answers is refused in its language', function()
  vim.cmd('Glossator ask 我们团队的报销流程规定是什么？')
  local text = t.wait_for_complete_answer('知识')
  assert(not text:find('Not answered', 1, true), text)
  t.press('q')
end)

t.test('a question that knowledge answers gets it with its source', function()
  collect_notices('Glossator new')
  vim.cmd('Glossator ask How do we name invoices in this house?')
  local text = t.wait_for_complete_answer('knowledge/house.md')
  t.contains(text, 'INV-')
  t.press('q')
end)

t.test('an earlier conversation is chosen, shown in the chat and goes on there', function()
  local offered = t.choose_in_turn({ 'invoices', 'Go on' }, function()
    vim.cmd('Glossator sessions invoices')
  end)
  t.contains(offered, ' (1 turn, ')
  t.contains(offered, 'Export as Markdown')
  local text = t.wait_for_chat('INV-')
  t.contains(text, '> How do we name invoices in this house?')
  vim.cmd('Glossator ask Which number do invoices get?')
  t.wait_for_chat('> Which number do invoices get?')
  t.wait_for_idle()
  vim.cmd('stopinsert')
  t.press('q')
  t.equal(nil, t.chat_window())
end)

t.test('a session is renamed, exported and deleted', function()
  local input = vim.ui.input
  vim.ui.input = function(options, answer)
    t.contains(options.default, 'invoices')
    answer('发票命名')
  end
  t.contains(t.collect_notices(function()
    t.choose_in_turn({ 'invoices', 'Rename' }, function()
      vim.cmd('Glossator sessions invoices')
    end)
  end), '发票命名')
  vim.ui.input = input
  t.collect_notices(function()
    t.choose_in_turn({ '发票命名', 'Export' }, function()
      vim.cmd('Glossator sessions')
    end)
  end)
  t.contains(table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'), 'INV-')
  vim.cmd('tabclose!')
  t.contains(t.collect_notices(function()
    t.choose_in_turn({ '发票命名', 'Delete', 'Delete it for good' }, function()
      vim.cmd('Glossator sessions')
    end)
  end), 'deleted')
  local notice = t.collect_notices(function()
    vim.cmd('Glossator sessions 发票命名')
  end)
  t.contains(notice, 'no sessions')
end)

t.test('a new conversation begins', function()
  t.contains(collect_notices('Glossator new'), 'new conversation')
end)

t.test('the index is read again', function()
  t.contains(collect_notices('Glossator index'), 'rule')
end)

t.test('the status names model, knowledge and workspace', function()
  vim.cmd('Glossator status')
  local text = t.wait_for_complete_answer('**Model** none')
  t.contains(text, '(not trusted)')
  t.contains(text, '**Check** ')
  t.contains(text, ' judged')
  t.press('q')
end)

t.test('what is used for a file is told, for a question too', function()
  vim.cmd('Glossator why')
  t.contains(t.wait_for_complete_answer('Rules checked here'), 'shop.py')
  t.press('q')
  vim.cmd('Glossator why How do we name invoices in this house?')
  t.contains(t.wait_for_complete_answer('> How do we name'), '`knowledge/house.md`')
  t.press('q')
end)

t.test('the header of a file of knowledge says what it is for', function()
  t.open('knowledge/house.md')
  t.wait_for_server()
  local said
  vim.lsp.buf_request(0, 'textDocument/hover', {
    textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = 0, character = 0 },
  }, function(err, result)
    said = err and vim.inspect(err) or result and result.contents.value
  end)
  t.wait_for('the hover', function()
    return said
  end)
  t.contains(said, '**house**')
  t.open('shop.py')
end)

t.test('with nothing running, stop says so', function()
  t.contains(collect_notices('Glossator stop'), 'nothing is running')
end)

t.test('figures and the examination are shown as text', function()
  vim.cmd('Glossator figures 30')
  t.contains(t.wait_for_complete_answer('# Figures'), ' turn')
  t.press('q')
  vim.cmd('Glossator doctor')
  t.contains(t.wait_for_complete_answer('**Knowledge**'), '**Glossator**')
  t.press('q')
end)

t.test('the knowledge is searched', function()
  vim.cmd('Glossator search invoices')
  t.wait_for_complete_answer('knowledge/house.md')
  t.press('q')
end)

t.test('findings are fixed and ignored by the menu of code actions', function()
  t.open('bell.py')
  t.wait_for_server()
  t.go_to('print(')
  t.wait_for('the finding', function()
    return vim.diagnostic.get(0)[1]
  end)
  local offered = t.choose_in_turn({ 'Ignore `house-no-print` here' }, function()
    vim.cmd('Glossator ignore')
  end)
  assert(not offered:find('Explain', 1, true), offered)
  t.wait_for('the comment', function()
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'):find('glossator: ignore', 1, true)
  end)
  vim.cmd('silent edit!')
  t.open('shop.py')
end)

t.test('a command that is not there is said with those that are', function()
  t.contains(collect_notices('Glossator explane'), 'there are analyze, answer, ')
end)

t.test('subcommands, files and folders are completed', function()
  local complete = vim.fn.getcompletion
  t.contains(table.concat(complete('Glossator ', 'cmdline'), ' '), 'explain')
  t.equal({ 'check' }, complete('Glossator che', 'cmdline'))
  t.contains(table.concat(complete('Glossator analyze know', 'cmdline'), ' '), 'knowledge/')
  t.equal({}, complete('Glossator explain x', 'cmdline'))
end)

t.test('the health report finds the server and its state', function()
  vim.cmd('checkhealth glossator')
  local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  t.contains(report, 'which fits this plug-in')
  t.contains(report, 'Trust: this workspace is not trusted')
  t.contains(report, 'running, positions in utf-')
  t.contains(report, 'Model: none')
  assert(not report:find('ERROR', 1, true), report)
  vim.cmd('bdelete!')
end)

t.finish()
