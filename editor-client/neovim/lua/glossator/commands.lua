--- What the commands do: ask the server, show what comes.

local Answer = require('glossator.answer')
local client = require('glossator.client')
local compat = require('glossator.compat')
local window = require('glossator.window')

local M = {}

---@type glossator.Run|nil The one whose answer is shown.
local current
local sessions = {} ---@type table<integer, string> session id by client id

local function say(message, level)
  vim.notify('Glossator: ' .. message, level or vim.log.levels.INFO)
end

local function complain(message)
  say(message, vim.log.levels.WARN)
end

-- Where ------------------------------------------------------------------------------------------

--- The window, buffer and client a command is about: those the user looks at, or came from.
local function find_subject()
  local win = window.origin()
  local bufnr = vim.api.nvim_win_get_buf(win)
  return win, bufnr, client.find(bufnr)
end

local function to_lsp_position(bufnr, row, column, encoding)
  local line = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1] or ''
  local character = compat.count_units(line, math.min(column, #line), encoding)
  return { line = row, character = character }
end

local function make_cursor(win, bufnr, encoding)
  local row, column = unpack(vim.api.nvim_win_get_cursor(win))
  return to_lsp_position(bufnr, row - 1, column, encoding)
end

--- What a `:'<,'>` range selects: the characters of a character-wise selection, else whole lines.
local function make_range(bufnr, first, last, encoding)
  local start, stop = vim.api.nvim_buf_get_mark(bufnr, '<'), vim.api.nvim_buf_get_mark(bufnr, '>')
  local is_selection = start[1] == first and stop[1] == last
  if not is_selection or vim.fn.visualmode() ~= 'v' then
    start, stop = { first, 0 }, { last, math.huge }
  end
  local last_line = vim.api.nvim_buf_get_lines(bufnr, last - 1, last, false)[1] or ''
  -- The mark stands on the first byte of the last character, which is selected too.
  local stop_column = math.min(stop[2], #last_line)
  if stop_column < #last_line then
    stop_column = stop_column + #vim.fn.matchstr(last_line:sub(stop_column + 1), '.')
  end
  return {
    start = to_lsp_position(bufnr, first - 1, start[2], encoding),
    ['end'] = to_lsp_position(bufnr, last - 1, stop_column, encoding),
  }
end

local function make_target(win, bufnr, server, given)
  if vim.bo[bufnr].buftype ~= '' or vim.api.nvim_buf_get_name(bufnr) == '' then
    return {}
  end
  local target = {
    uri = vim.uri_from_bufnr(bufnr),
    position = make_cursor(win, bufnr, server.offset_encoding),
  }
  if given and given.range and given.range > 0 then
    target.range = make_range(bufnr, given.line1, given.line2, server.offset_encoding)
    target.position = target.range.start
  end
  return target
end

local function list_roots(server)
  local roots = {}
  for _, folder in ipairs(server.workspace_folders or {}) do
    roots[#roots + 1] = vim.uri_to_fname(folder.uri)
  end
  return roots
end

-- Answers ----------------------------------------------------------------------------------------

local function stop_current()
  if not current then
    return false
  end
  client.cancel(current.run)
  current.answer:stop()
  current = nil
  window.finish()
  return true
end

--- Runs a command and shows its answer as it arrives; the run before it is stopped.
local function show_answer(server, bufnr, command, argument, title, on_result)
  stop_current()
  local answer = Answer.new(title)
  local mine = { answer = answer }
  window.show(answer, list_roots(server), { stop = M.stop, ask = M.ask })
  current = mine
  mine.run = client.execute(server, command, argument, {
    on_event = function(event)
      answer:take(event)
      window.redraw_soon()
    end,
    on_end = function(err, result)
      if current == mine then
        current = nil
      end
      if err or not result then
        answer:fail(err or 'the server gave no answer')
      else
        answer:complete(result)
        if on_result then
          on_result(result)
        end
      end
      window.finish()
      if not window.is_open() then
        say('the answer is there; :GlossatorAnswer shows it')
      end
    end,
  }, bufnr)
end

--- Explains the function under the cursor, or what `given` (a command's arguments) selects.
function M.explain(given)
  local win, bufnr, server = find_subject()
  if server then
    local target = make_target(win, bufnr, server, given)
    if not target.uri then
      return complain('there is no code here to explain; go to a file')
    end
    show_answer(server, bufnr, 'glossator.explain', target, 'Explain')
  end
end

function M.call_chain(given)
  local win, bufnr, server = find_subject()
  if server then
    local target = make_target(win, bufnr, server)
    if not target.uri then
      return complain('there is no function here; go to a file')
    end
    target.depth = given and tonumber(given.args) or nil
    show_answer(server, bufnr, 'glossator.callChain', target, 'Call chain')
  end
end

--- Explains the folder named, or that of this file; with `!`, reviews the changes since a revision.
function M.analyze(given)
  local _, bufnr, server = find_subject()
  if not server then
    return
  end
  local named = given and vim.trim(given.args or '') or ''
  local argument = { sessionId = sessions[server.id] }
  local title
  if given and given.bang then
    argument.task, argument.revision = 'change', named
    title = 'Review changes'
  else
    local folder = named ~= '' and vim.fn.fnamemodify(named, ':p')
      or vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':p:h')
    argument.task, argument.path = 'package', folder
    title = 'Explain ' .. vim.fn.fnamemodify(folder, ':~:.')
  end
  show_answer(server, bufnr, 'glossator.analyze', argument, title, function(result)
    sessions[server.id] = compat.given(result.sessionId)
  end)
end

local function ask(question, given)
  local win, bufnr, server = find_subject()
  if not server then
    return
  end
  local argument = make_target(win, bufnr, server, given)
  argument.question = question
  argument.sessionId = sessions[server.id]
  show_answer(server, bufnr, 'glossator.ask', argument, question, function(result)
    sessions[server.id] = compat.given(result.sessionId)
  end)
end

--- Asks about the workspace; without a question, asks for one first.
function M.ask(given)
  local question = given and vim.trim(given.args or '') or ''
  if question ~= '' then
    return ask(question, given)
  end
  vim.ui.input({ prompt = 'Ask Glossator: ' }, function(typed)
    if typed and vim.trim(typed) ~= '' then
      ask(vim.trim(typed), given)
    end
  end)
end

function M.stop()
  if not stop_current() then
    say('nothing is running')
  end
end

function M.show_last_answer()
  if not window.reopen() then
    say('there is no answer yet')
  end
end

-- Everything else --------------------------------------------------------------------------------

local function execute(command, argument, on_result)
  local _, bufnr, server = find_subject()
  if not server then
    return
  end
  client.execute(server, command, argument, {
    on_end = function(err, result)
      if err then
        return complain(err)
      end
      on_result(result or {}, server)
    end,
  }, bufnr)
end

function M.new_session()
  execute('glossator.newSession', vim.empty_dict(), function(result, server)
    sessions[server.id] = result.sessionId
    say('a new conversation begins')
  end)
end

local function count(n, noun)
  return ('%d %s%s'):format(n, noun, n == 1 and '' or 's')
end

local function describe_check(document)
  if document.outcome == 'not-checked' then
    return ('%s was not checked: %s'):format(document.path, document.reason)
  elseif document.outcome == 'clean' then
    return ('%s is clean (%s)'):format(document.path, count(document.nRules, 'rule'))
  end
  return ('%s in %s'):format(count(document.nFindings, 'finding'), document.path)
end

--- Checks this file's conventions; with `!`, those of every open document.
function M.check(given)
  local bufnr = vim.api.nvim_win_get_buf(window.origin())
  local argument = vim.empty_dict()
  if not (given and given.bang) then
    argument = { uri = vim.uri_from_bufnr(bufnr) }
  end
  execute('glossator.check', argument, function(result)
    local documents = result.documents or {}
    if #documents == 1 then
      return say(describe_check(documents[1]))
    end
    local n_unchecked = #vim.tbl_filter(function(document)
      return document.outcome == 'not-checked'
    end, documents)
    local unchecked = n_unchecked > 0 and ('; %d not checked'):format(n_unchecked) or ''
    say(('%s in %s%s'):format(
      count(result.nFindings or 0, 'finding'), count(#documents, 'document'), unchecked
    ))
  end)
end

local function show_text(title, lines, server)
  stop_current()
  local answer = Answer.new(title)
  answer:complete({ markdown = table.concat(lines, '\n') })
  answer.summary = nil
  window.show(answer, list_roots(server), { stop = M.stop, ask = M.ask })
end

--- Says what applies to this file, for a question if one is given, and why not what does not.
function M.why(given)
  local bufnr = vim.api.nvim_win_get_buf(window.origin())
  local argument = { question = given and vim.trim(given.args or '') or '' }
  if vim.bo[bufnr].buftype == '' and vim.api.nvim_buf_get_name(bufnr) ~= '' then
    argument.uri = vim.uri_from_bufnr(bufnr)
  end
  execute('glossator.why', argument, function(result, server)
    show_text(result.title, vim.split(result.markdown, '\n'), server)
  end)
end

local function describe_session(entry)
  return ('%s (%s)'):format(entry.title, count(entry.nTurns, 'turn'))
end

local function resume(entry)
  execute('glossator.readSession', { sessionId = entry.sessionId }, function(result, server)
    local lines = {}
    for _, turn in ipairs(result.turns) do
      vim.list_extend(lines, { '**> ' .. turn.question:gsub('%s+', ' ') .. '**', '' })
      vim.list_extend(lines, { turn.markdown, '' })
    end
    show_text(result.title, lines, server)
    sessions[server.id] = result.sessionId
  end)
end

--- Lists the sessions of the workspace, those that have the words given; the chosen one goes on.
function M.sessions(given)
  local argument = { query = given and given.args or '' }
  execute('glossator.listSessions', argument, function(result)
    if #result.sessions == 0 then
      return say('there are no sessions')
    end
    local options = { prompt = 'Go on with', format_item = describe_session }
    vim.ui.select(result.sessions, options, function(entry)
      if entry then
        resume(entry)
      end
    end)
  end)
end

function M.trust(given)
  local argument = { trusted = not (given and given.bang) }
  execute('glossator.trustWorkspace', argument, function(result)
    local words = { trusted = 'trusted', untrusted = 'not trusted' }
    local state = words[result.trust] or 'not trusted yet'
    say(vim.trim(('this workspace is %s. %s'):format(state, result.message)))
  end)
end

function M.rebuild_index()
  execute('glossator.rebuildIndex', vim.empty_dict(), function(result, server)
    local found = ('%s, %s, %s'):format(
      count(result.nDocuments, 'knowledge document'), count(result.nSkills, 'skill'),
      count(result.nRules, 'rule')
    )
    if #result.problems == 0 then
      return say('read again: ' .. found)
    end
    local lines = { 'Read again: ' .. found .. '.', '', '**Problems**', '' }
    for _, problem in ipairs(result.problems) do
      lines[#lines + 1] = ('- %s:%d %s'):format(problem.path, problem.line, problem.message)
    end
    show_text('Index', lines, server)
  end)
end

local function describe_model(model)
  if not model.configured then
    return 'none. ' .. model.message
  end
  return ('`%s` at %s (from %s)'):format(model.name, model.endpoint, model.source)
end

--- How long ago knowledge was read; `at` is in milliseconds since 1970.
local function describe_age(at)
  if not at then
    return ''
  end
  local minutes = math.floor((os.time() - at / 1000) / 60)
  if minutes < 1 then
    return '; updated just now'
  elseif minutes < 60 then
    return '; updated ' .. count(minutes, 'minute') .. ' ago'
  end
  return os.date('; updated at %H:%M', math.floor(at / 1000))
end

local function describe_index(index)
  if not index or not index.ready then
    return 'being read'
  end
  return ('%s (%s), %s, %s%s'):format(
    count(index.nDocuments, 'document'), count(index.nSections, 'section'),
    count(index.nSkills, 'skill'), count(index.nRules, 'rule'),
    describe_age(compat.given(index.updatedAt))
  )
end

--- Which rules the check of a document rests on, and why others were left out.
local function describe_rules(document)
  local text = ('; %s checked, %d judged'):format(count(document.nRules, 'rule'), document.nJudged)
  for _, skipped in ipairs(document.skipped) do
    text = text .. (', %d left out: %s'):format(#skipped.ruleIds, skipped.reason)
  end
  return text
end

function M.status()
  local bufnr = vim.api.nvim_win_get_buf(window.origin())
  local is_file = vim.api.nvim_buf_get_name(bufnr) ~= ''
  local argument = is_file and { uri = vim.uri_from_bufnr(bufnr) } or vim.empty_dict()
  execute('glossator.status', argument, function(status, server)
    local roots = table.concat(status.workspace.roots, ', ')
    local lines = {
      '- **Server** ' .. status.version .. ', `' .. table.concat(server.config.cmd, ' ') .. '`',
      '- **Model** ' .. describe_model(status.model),
      '- **Knowledge** ' .. describe_index(compat.given(status.index)),
      '- **Workspace** ' .. (roots ~= '' and roots or 'none')
        .. (status.workspace.trusted and ' (trusted)' or ' (not trusted)'),
    }
    for _, check in ipairs(is_file and status.checks or {}) do
      table.insert(lines, 1, '- **Check** ' .. describe_check(check) .. describe_rules(check))
    end
    if #status.problems > 0 then
      vim.list_extend(lines, { '', '**Problems**', '' })
      for _, problem in ipairs(status.problems) do
        lines[#lines + 1] = '- ' .. problem
      end
    end
    show_text('Glossator', lines, server)
  end)
end

-- Code actions -----------------------------------------------------------------------------------

local function run_action(title)
  return function(command, ctx)
    local server = vim.lsp.get_client_by_id(ctx.client_id)
    if server then
      show_answer(server, ctx.bufnr, command.command, command.arguments[1], title)
    end
  end
end

--- Commands of code actions, which would otherwise run at the server with nobody to show the
--- answer.
M.of_code_actions = {
  ['glossator.explain'] = run_action('Explain'),
  ['glossator.callChain'] = run_action('Call chain'),
}

return M
