--- Runs the tests of one file inside a real Neovim: prints a line for each, ends with an exit code.

local M = {}

local n_passed, n_failed = 0, 0

local function say(line)
  io.stdout:write(line .. '\n')
end

--- Waits until `predicate` gives something, and returns it; fails with `what` when it does not.
function M.wait_for(what, predicate)
  local value
  local came = vim.wait(60000, function()
    value = predicate()
    return value ~= nil and value ~= false
  end, 10)
  if not came then
    error(('waited in vain for %s; the answer is:\n%s'):format(what, M.answer_text()), 2)
  end
  return value
end

function M.test(name, body)
  local ok, failure = xpcall(body, debug.traceback)
  if ok then
    n_passed = n_passed + 1
    say('ok - ' .. name)
  else
    n_failed = n_failed + 1
    say('not ok - ' .. name .. '\n' .. tostring(failure))
  end
end

function M.equal(expected, actual)
  if not vim.deep_equal(expected, actual) then
    error(('expected %s, got %s'):format(vim.inspect(expected), vim.inspect(actual)), 2)
  end
end

function M.contains(text, part)
  if not text:find(part, 1, true) then
    error(('%q is not in:\n%s'):format(part, text), 2)
  end
end

local function find_window(wanted)
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(win)) == wanted then
      return win
    end
  end
end

local function read_window(win)
  local bufnr = win and vim.api.nvim_win_get_buf(win)
  return bufnr and table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n') or ''
end

--- The window of the answer, or nil.
function M.answer_window()
  return find_window('glossator://answer')
end

--- The window of the chat's answers, or nil.
function M.chat_window()
  return find_window('glossator://chat')
end

--- The window of the chat's question, or nil.
function M.question_window()
  return find_window('glossator://question')
end

function M.answer_text()
  return read_window(M.answer_window())
end

function M.chat_text()
  return read_window(M.chat_window())
end

--- Waits until the chat shows `part`; returns the whole.
function M.wait_for_chat(part)
  local ok = pcall(M.wait_for, part, function()
    return M.chat_text():find(part, 1, true)
  end)
  if not ok then
    error(('%q is not in the chat:\n%s'):format(part, M.chat_text()), 2)
  end
  return M.chat_text()
end

--- Waits until no answer arrives any more.
function M.wait_for_idle()
  M.wait_for('the end of the answer', function()
    return not require('glossator.conversation').is_running()
  end)
end

--- Calls `act` and returns the first notice that comes of it.
function M.collect_notices(act)
  local notices = {}
  local notify = vim.notify
  vim.notify = function(message)
    notices[#notices + 1] = message
  end
  local ok, failure = pcall(function()
    act()
    M.wait_for('a notice', function()
      return notices[1]
    end)
  end)
  vim.notify = notify
  if not ok then
    error(failure, 2)
  end
  return notices[1]
end

--- Waits until the answer shows `part`; returns the whole.
function M.wait_for_answer(part)
  return M.wait_for('the answer with ' .. part, function()
    local text = M.answer_text()
    return text:find(part, 1, true) and text
  end)
end

--- Waits until the answer is complete and shows `part`; returns the whole.
function M.wait_for_complete_answer(part)
  M.wait_for('the complete answer', function()
    local answer = require('glossator.window').answer()
    return answer and answer.is_over
  end)
  return M.wait_for_answer(part)
end

function M.press(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), 'xt', false)
end

--- Puts the cursor on the first occurrence of `text` in this window.
function M.go_to(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then
      return vim.api.nvim_win_set_cursor(0, { number, column - 1 })
    end
  end
  error(('%q is not in the buffer'):format(text), 2)
end

function M.open(name)
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.GLOSSATOR_TEST_WORKSPACE .. '/' .. name))
end

--- Waits until the server is attached to this buffer and has read its rules; returns its client.
--- Without one there is nothing to test, so all ends.
function M.wait_for_server()
  local glossator = require('glossator.client')
  local ok, result = pcall(M.wait_for, 'the server', function()
    for _, client in ipairs(glossator.list()) do
      local status = client.initialized and glossator.last_status(client)
      local is_ready = status and status.index ~= vim.NIL and status.index and status.index.ready
      if is_ready and vim.lsp.buf_is_attached(0, client.id) then
        return client
      end
    end
  end)
  if not ok then
    say('not ok - ' .. result)
    vim.cmd('cquit 1')
  end
  return result
end

--- Acts with `choose` as the editor's menu, and waits for what comes of it; its own menu comes back.
local function act_with_menu(choose, act, what, is_done)
  local select = vim.ui.select
  vim.ui.select = choose
  act()
  local ok, failure = pcall(M.wait_for, what, is_done)
  vim.ui.select = select
  if not ok then
    error(failure, 3)
  end
end

--- Chooses `title` in the editor's own code action menu; returns all titles that it offered.
function M.choose_code_action(title)
  local offered
  local function choose_title(items, _, choose)
    local chosen
    offered = {}
    for index, item in ipairs(items) do
      local action = item.action or item[2]
      offered[index] = action.title
      if action.title:find(title, 1, true) then
        chosen = index
      end
    end
    choose(chosen and items[chosen], chosen)
  end
  act_with_menu(choose_title, vim.lsp.buf.code_action, 'the code action menu', function()
    return offered
  end)
  return table.concat(offered, '\n')
end

--- Answers each menu in turn with the entry that contains a text; returns what was offered.
function M.choose_in_turn(titles, act)
  local offered = {}
  local function choose_next(items, options, choose)
    local wanted, chosen = table.remove(titles, 1), nil
    for index, item in ipairs(items) do
      local text = options.format_item and options.format_item(item) or item
      offered[#offered + 1] = text
      if not chosen and text:find(wanted, 1, true) then
        chosen = index
      end
    end
    assert(chosen, wanted .. ' is not offered: ' .. table.concat(offered, ', '))
    choose(items[chosen], chosen)
  end
  act_with_menu(choose_next, act, 'the menus', function()
    return #titles == 0
  end)
  return table.concat(offered, '\n')
end

--- The process id of the server: the child of this editor that was started last.
function M.find_server_process()
  local children = vim.api.nvim_get_proc_children(vim.fn.getpid())
  return children[#children]
end

--- Starts the other language server of the tests for this buffer; returns its client.
function M.start_other(name)
  local id
  local config = {
    name = name or 'other',
    cmd = vim.json.decode(vim.env.GLOSSATOR_TEST_OTHER),
    root_dir = vim.env.GLOSSATOR_TEST_WORKSPACE,
  }
  if vim.lsp.start then
    id = vim.lsp.start(config)
  else
    id = vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(0, id)
  end
  local other = vim.lsp.get_client_by_id(id)
  M.wait_for('the other server', function()
    return other.initialized
  end)
  return other
end

--- Attaches the other server to this buffer too.
function M.attach_other(other)
  vim.lsp.buf_attach_client(0, other.id)
end

--- Sets the plug-in up against the server under test.
function M.setup(options)
  require('glossator').setup(vim.tbl_extend('force', {
    cmd = vim.json.decode(vim.env.GLOSSATOR_TEST_SERVER),
  }, options or {}))
end

function M.finish()
  M.test('nothing was reported as an error on the way', function()
    M.equal('', vim.v.errmsg)
    local messages = vim.fn.execute('messages')
    assert(not messages:find('Error') and not messages:find('E%d+:'), messages)
  end)
  say(('%d passed, %d failed'):format(n_passed, n_failed))
  vim.cmd(n_failed > 0 and 'cquit 1' or 'qall!')
end

return M
