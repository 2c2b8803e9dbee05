--- An answer while it arrives and when it is complete, as lines of Markdown. Touches no window.

local compat = require('glossator.compat')
local language = require('glossator.language')
local put_event = require('glossator.events')
local tables = require('glossator.tables')
local wording = require('glossator.wording')

local M = {}

---@class glossator.Tool
---@field name string
---@field arguments string One line.
---@field outcome string|nil Nil while it runs.
---@field is_error boolean

---@class glossator.Answer
---@field title string
---@field status string What happens now, one line; '' when the answer is complete.
---@field is_over boolean
---@field is_chinese boolean Our own words around the answer are in its language.
---@field citations table[] As the server sent them.
local Answer = {}
Answer.__index = Answer

local function contains_chinese(text)
  -- The first bytes of U+3000 to U+9FFF in UTF-8.
  return text:find('[\227-\233][\128-\191][\128-\191]') ~= nil
end

---@return glossator.Answer
function M.new(title)
  local is_chinese = contains_chinese(title) or language.is_chinese()
  return setmetatable({
    title = title,
    status = is_chinese and '开始' or 'Starting',
    is_chinese = is_chinese,
    is_over = false,
    citations = {},
    started_ms = vim.loop.now(),
    briefing = '',
    pieces = {}, -- texts and tools in the order in which they came
    tools = {}, -- by call id
    foot = {},
  }, Answer)
end

--- The form of a text in the language of the answer.
function Answer:say(english, chinese)
  return self.is_chinese and chinese or english
end

--- Takes one event of the server.
function Answer:take(event)
  if not self.is_over then
    put_event(self, event)
  end
end

local function list_sources(title, sources, markdown, lines)
  local added = {}
  for _, source in ipairs(sources) do
    local place = ('%s:%d-%d'):format(source.path, source.firstLine, source.lastLine)
    -- The answer may have listed it by itself.
    if not markdown:find(('%s:%d'):format(source.path, source.firstLine), 1, true) then
      added[#added + 1] = ('- %s `%s`'):format(source.title, place)
    end
  end
  if #added > 0 then
    vim.list_extend(lines, { '', ('**%s**'):format(title), '' })
    vim.list_extend(lines, added)
  end
end

--- `12 places checked: 10 exact, 1 moved, 1 missing`, each place once.
local function count_places(answer)
  local counts, seen, total = { exact = 0, moved = 0, missing = 0 }, {}, 0
  for _, each in ipairs(answer.citations) do
    local key = ('%s:%d-%d %s'):format(each.path, each.firstLine, each.lastLine, each.verdict)
    if not seen[key] and counts[each.verdict] then
      seen[key], total = true, total + 1
      counts[each.verdict] = counts[each.verdict] + 1
    end
  end
  local text = answer:say(
    '%d places checked: %d exact, %d moved, %d missing',
    '核对了 %d 处引用：%d 处准确，%d 处已移动，%d 处缺失'
  )
  return total > 0 and text:format(total, counts.exact, counts.moved, counts.missing) or nil
end

--- Places that do not hold and that the text does not spell out, as in `a.py:3, 7`.
local function list_doubtful(answer, markdown, lines)
  for _, each in ipairs(answer.citations) do
    if each.verdict ~= 'exact' and not markdown:find(each.text, 1, true) then
      vim.list_extend(lines, { '', '- ' .. each.text })
    end
  end
end

local function describe_result(answer, result)
  local parts = { result.byModel and answer:say('by the model', '由模型回答') or nil }
  local usage = compat.given(result.usage)
  if usage then
    local cached = tonumber(compat.given(usage.cachedTokens)) or 0
    parts[#parts + 1] = ('%d + %d tokens'):format(usage.promptTokens, usage.completionTokens)
    parts[#parts + 1] = cached > 0 and answer:say('%d cached', '缓存 %d'):format(cached) or nil
  end
  parts[#parts + 1] = count_places(answer)
  parts[#parts + 1] = wording.seconds(vim.loop.now() - answer.started_ms)
  return table.concat(parts, ' · ')
end

--- The complete answer is there. Tool calls stay as one line each below it.
function Answer:complete(result)
  self.is_over, self.status = true, ''
  self.title = compat.given(result.title) or self.title
  self.citations = compat.given(result.citations) or {}
  local foot, markdown = {}, result.markdown or ''
  local refused = compat.given(result.refused)
  if refused then
    list_sources(self:say('Nearest', '最接近的内容'), refused.nearest or {}, markdown, foot)
  end
  list_sources(self:say('Sources', '来源'), compat.given(result.sources) or {}, markdown, foot)
  list_doubtful(self, markdown, foot)
  local calls = vim.tbl_filter(function(piece)
    return piece.tool
  end, self.pieces)
  self.pieces = { { text = markdown } }
  if #calls > 0 then
    self.pieces[#self.pieces + 1] = { text = self:say('**Looked at**', '**查看过**') }
    vim.list_extend(self.pieces, calls)
  end
  if (compat.given(result.notice) or '') ~= '' then
    vim.list_extend(foot, { '', '> ' .. wording.one_line(result.notice, 400) })
  end
  self.foot, self.summary = foot, describe_result(self, result)
end

--- There will be no (more) answer. What has arrived stays.
function Answer:fail(message)
  self.is_over, self.status = true, ''
  local label = self:say('**Not answered:** ', '**没有回答：**')
  self.foot = { '', label .. wording.one_line(message, 1000) }
end

function Answer:stop()
  self.is_over, self.status = true, ''
  self.foot = { '', self:say('**Stopped.**', '**已停止。**') }
end

--- Appends the lines of a Markdown text; a picture's source is no reading in a terminal.
local function append_markdown(lines, text)
  local in_picture = false
  for _, line in ipairs(vim.split(vim.trim(text), '\r?\n')) do
    if line:match('^%s*```mermaid') then
      in_picture = true
    elseif not in_picture then
      lines[#lines + 1] = line
    elseif line:match('^%s*```%s*$') then
      in_picture = false
    end
  end
end

local function render_tool(tool)
  local mark = tool.outcome == nil and '…' or tool.is_error and '✗' or '✓'
  local line = ('- %s `%s`'):format(mark, tool.name)
  if tool.arguments ~= '' then
    line = line .. ' ' .. tool.arguments
  end
  return tool.outcome and line .. ' — ' .. tool.outcome or line
end

--- The lines to show. `with_status` adds what happens now, for where no border can say it.
---@return string[]
function Answer:render(with_status)
  local lines = {}
  local has_text = false
  local was_tool = false
  for _, piece in ipairs(self.pieces) do
    has_text = has_text or piece.text ~= nil
    if #lines > 0 and not (was_tool and piece.tool) then
      lines[#lines + 1] = ''
    end
    if piece.tool then
      lines[#lines + 1] = render_tool(piece.tool)
    else
      append_markdown(lines, piece.text)
    end
    was_tool = piece.tool ~= nil
  end
  if not has_text and self.briefing ~= '' then
    -- The facts are there long before a slow model's first word.
    local calls = lines
    lines = {}
    append_markdown(lines, self.briefing)
    if #calls > 0 then
      lines[#lines + 1] = ''
      vim.list_extend(lines, calls)
    end
  end
  vim.list_extend(lines, self.foot)
  if with_status and not self.is_over then
    vim.list_extend(lines, { '', '*' .. self.status .. '…*' })
  end
  while lines[1] == '' do
    table.remove(lines, 1)
  end
  return tables.align(lines)
end

--- Seconds since it was asked.
function Answer:age_s()
  return math.floor((vim.loop.now() - self.started_ms) / 1000)
end

return M
