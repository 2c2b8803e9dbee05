--- What other language servers know, asked of this editor by ours.

local t = require('harness')

t.setup()
t.open('shop.py')
local glossator = t.wait_for_server()
local can_answer = vim.fn.has('nvim-0.10') == 1

local workspace = vim.env.GLOSSATOR_TEST_WORKSPACE
local function uri_of(name)
  return vim.uri_from_fname(workspace .. '/' .. name)
end

local function explain(text)
  t.go_to(text)
  vim.cmd('Glossator explain')
  local answer = t.wait_for_complete_answer('shop.py')
  t.press('q')
  return answer
end

t.test('where nobody else runs, nothing is said to be from the editor', function()
  assert(not explain('def total'):find('from the editor', 1, true))
end)

local other = t.start_other()

if not can_answer then
  t.test('an older Neovim offers nothing, and says so', function()
    t.equal({}, require('glossator.backend').make_handlers())
    assert(not explain('def total'):find('from the editor', 1, true))
    vim.cmd('checkhealth glossator')
    local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    t.contains(report, 'other language servers are not asked for what they know')
    vim.cmd('bdelete!')
  end)
  return t.finish()
end

--- What the server is answered when it asks; nil until `ask` has returned.
local function begin(subject, name, position, version)
  local handler = require('glossator.backend').make_handlers()['glossator/editor/' .. subject]
  local asked = { answers = {} }
  local document = { uri = uri_of(name), version = version or vim.NIL }
  coroutine.wrap(function()
    asked.answers[1] = handler(nil, { textDocument = document, position = position }, {
      client_id = glossator.id, method = 'glossator/editor/' .. subject,
    })
  end)()
  return asked
end

local function ask(...)
  local asked = begin(...)
  return t.wait_for('the answer', function()
    return asked.answers[1]
  end)
end

local function version_of(name)
  return vim.lsp.util.buf_versions[vim.fn.bufnr(workspace .. '/' .. name)]
end

local function place(line, first, last)
  return { start = { line = line, character = first }, ['end'] = { line = line, character = last } }
end

t.test('callers are the other server’s, and say so', function()
  t.contains(explain('def total'), '`pay` till.py:5 · from the editor')
end)

t.test('definitions are told with the version of the document', function()
  local answer = ask('definitions', 'till.py', { line = 4, character = 11 })
  t.equal({ { uri = uri_of('shop.py'), range = place(3, 4, 9), version = version_of('shop.py') } },
    answer.items)
  t.equal(nil, answer.version)
end)

t.test('positions are those of the asker, whatever the other server counts in', function()
  -- Behind `约定𝕏检查🙂` bytes and UTF-16 units differ.
  local line = vim.api.nvim_buf_get_lines(0, 12, 13, false)[1]
  local column = line:find('note', 1, true) - 1
  local answer = ask('references', 'shop.py', { line = 12, character = column }, version_of('shop.py'))
  t.equal(version_of('shop.py'), answer.version)
  local of_shop = vim.tbl_filter(function(item)
    return item.uri == uri_of('shop.py')
  end, answer.items)
  t.equal(place(11, 13, 17), of_shop[1].range)
  t.equal(place(12, column, column + 4), of_shop[2].range)
  -- A file that is not open is read for it.
  local of_bell = vim.tbl_filter(function(item)
    return item.uri == uri_of('bell.py')
  end, answer.items)
  t.equal(place(1, 20, 24), of_bell[2].range)
  t.equal(nil, of_bell[2].version)
end)

t.test('calls are told both ways', function()
  local incoming = ask('incomingCalls', 'shop.py', { line = 3, character = 4 }, version_of('shop.py'))
  t.equal({ 'pay' }, vim.tbl_map(function(item)
    return item.name
  end, incoming.items))
  t.equal({ place(4, 11, 16) }, incoming.items[1].fromRanges)
  local outgoing = ask('outgoingCalls', 'till.py', { line = 3, character = 4 })
  t.equal('total', outgoing.items[1].name)
  t.equal({ place(4, 11, 16) }, outgoing.items[1].fromRanges)
end)

t.test('symbols are those of the other server, also of a language that only it knows', function()
  vim.fn.writefile({ 'local function add(cart)', '  return cart.n', 'end' }, workspace .. '/cart.lua')
  t.open('cart.lua')
  vim.cmd('Glossator check')
  t.wait_for_server()
  t.attach_other(other)
  vim.cmd('Glossator explain')
  t.contains(t.wait_for_complete_answer('cart.lua'), 'local function add(cart)')
  t.equal('add', require('glossator.window').answer().title)
  t.press('q')
  t.open('shop.py')
end)

t.test('what others report is told, what we report is not', function()
  vim.api.nvim_buf_set_lines(0, 12, 13, false, { '    said = "约定𝕏检查🙂 strange"; print(note)' })
  t.wait_for('the problem', function()
    return #vim.tbl_filter(function(each)
      return each.source == 'other'
    end, vim.diagnostic.get(0)) == 1
  end)
  local answer = ask('diagnostics', 'shop.py', nil, version_of('shop.py'))
  t.equal(1, #answer.items)
  local problem = answer.items[1]
  t.equal({ 'other', 'S1', 2, 'A `strange` thing' },
    { problem.source, problem.code, problem.severity, problem.message })
  local first = vim.api.nvim_buf_get_lines(0, 12, 13, false)[1]:find('strange', 1, true) - 1
  t.equal(place(12, first, first + 7), problem.range)
  t.contains(explain('print(note)'), '(`other S1`)')
  vim.cmd('silent undo')
end)

t.test('a question about another version is told so, and asked of nobody', function()
  local version = version_of('shop.py')
  t.equal({ version = version, items = {} },
    ask('references', 'shop.py', { line = 3, character = 4 }, version - 1))
end)

t.test('a document that changes meanwhile is told with a version that fits nothing', function()
  other:notify('test/hold', {})
  local asked = begin('references', 'shop.py', { line = 3, character = 4 }, version_of('shop.py'))
  t.equal(nil, asked.answers[1])
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '# changed' })
  other:notify('test/release', {})
  t.wait_for('the answer', function()
    return asked.answers[1]
  end)
  t.equal(-1, asked.answers[1].version)
  vim.cmd('silent undo')
end)

t.test('servers that count their requests alike are both heard', function()
  local another = t.start_other('another')
  another:notify('test/answer', {
    method = 'textDocument/references',
    result = { { uri = uri_of('shop.py'), range = place(0, 0, 1) } },
  })
  local _, number = other:request('test/nothing', {}, function() end)
  repeat
    local _, its_number = another:request('test/nothing', {}, function() end)
  until its_number == number
  local answer = ask('references', 'shop.py', { line = 3, character = 4 }, version_of('shop.py'))
  local ranges = vim.tbl_map(function(item)
    return item.range
  end, answer.items)
  assert(vim.tbl_contains(ranges, function(range)
    return vim.deep_equal(range, place(0, 0, 1))
  end, { predicate = true }))
  assert(#ranges > 1, vim.inspect(ranges))
  another:stop(true)
  t.wait_for('the end of the other server', function()
    return another:is_stopped()
  end)
end)

t.test('what has not the form of an answer is left out', function()
  local function tell(method, result)
    other:notify('test/answer', { method = method, result = result })
  end
  local uri, range, odd = uri_of('shop.py'), place(3, 4, 9), { start = {}, ['end'] = { line = 'x' } }
  local here = { line = 3, character = 4 }
  local function count(subject)
    return #ask(subject, 'shop.py', here, version_of('shop.py')).items
  end
  for _, result in ipairs({ 5, 'x', true, { 5, 'x' }, {} }) do
    tell('textDocument/references', result)
    tell('textDocument/documentSymbol', result)
    tell('textDocument/prepareCallHierarchy', result)
    t.equal({ 0, 0, 0 }, { count('references'), count('documentSymbols'), count('incomingCalls') })
  end
  tell('textDocument/references', {
    5, {}, { uri = 5, range = range }, { uri = uri }, { uri = uri, range = odd },
    { uri = 'no address', range = range }, { uri = uri, range = place(-1, 0.5, 2 ^ 40) },
    { uri = uri, range = range },
  })
  t.equal(1, count('references'))
  tell('textDocument/documentSymbol', {
    'x', { name = 'a' }, { name = 'b', location = 5 }, { name = 'c', range = odd },
    { name = 'd', kind = 12, range = range, children = 7 },
  })
  t.equal(1, count('documentSymbols'))
  local item = { uri = uri, name = 'total', kind = 12, range = range, selectionRange = range }
  tell('textDocument/prepareCallHierarchy', { 'x', item })
  tell('callHierarchy/incomingCalls', {
    5, {}, { from = 5 }, { from = { uri = 7, range = range } }, { from = item, fromRanges = { 5, odd } },
    { from = item },
  })
  t.equal(2, count('incomingCalls'))
  tell('callHierarchy/incomingCalls', 'x')
  t.equal(0, count('incomingCalls'))
  other:notify('test/forget', {})
end)

t.test('a server that does not answer costs its limit and is named', function()
  other:notify('test/hold', {})
  t.go_to('def total')
  vim.cmd('Glossator explain')
  local text = t.wait_for_complete_answer('till.py:5')
  other:notify('test/release', {})
  assert(not text:find('from the editor', 1, true), text)
  t.contains(text, 'callers: it did not answer in time')
  t.press('q')
end)

t.test('a file of which nobody knows anything is told as unknown', function()
  t.equal(vim.NIL, ask('diagnostics', 'notes.txt', nil))
  t.equal(vim.NIL, ask('references', 'notes.txt', { line = 0, character = 0 }))
end)

t.test('a server that ends while it is asked leaves the answer to the others', function()
  other:notify('test/hold', {})
  t.go_to('def total')
  vim.cmd('Glossator explain')
  other:stop(true)
  t.contains(t.wait_for_complete_answer('till.py:5'), '`pay` till.py:5')
  t.press('q')
end)

t.test('a file with an odd name is asked about', function()
  local name = '约定 %41#[a]\'b.py'
  vim.fn.writefile({ 'def odd():', '    return 1', '', '', 'def even():', '    return odd()' },
    workspace .. '/' .. name)
  vim.cmd.edit(vim.fn.fnameescape(workspace .. '/' .. name))
  t.wait_for_server()
  local last = t.start_other('last')
  t.attach_other(last)
  t.go_to('def odd')
  vim.cmd('Glossator explain')
  t.wait_for_complete_answer('`even` ' .. name .. ':6 · from the editor')
  t.press('q')
  vim.cmd('bdelete!')
  t.open('shop.py')
end)

t.test('asking can be switched off', function()
  t.equal(nil, glossator.config.settings.glossator.agent)
  t.setup({ settings = { agent = { askEditor = false } } })
  vim.cmd('Glossator restart')
  t.wait_for('the new server', function()
    local again = require('glossator.client').list()[1]
    return again and again.id ~= glossator.id
  end)
  t.wait_for_server()
  assert(not explain('def total'):find('from the editor', 1, true))
end)

t.finish()
