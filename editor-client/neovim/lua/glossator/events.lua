--- What each event of the server changes in an answer.

local wording = require('glossator.wording')

local on_event = {}

function on_event.stepStarted(answer, event)
  local total = tonumber(event.total) or 0
  answer.status = event.text .. (total > 0 and (' (%d/%d)'):format(event.done, total) or '')
end

function on_event.briefingReady(answer, event)
  answer.briefing = event.markdown
end

function on_event.knowledgeFound(answer, event)
  local text = answer:say('Found %d sections of knowledge', '找到 %d 段知识')
  answer.status = text:format(#event.hits)
end

function on_event.roundStarted(answer, event)
  local text = answer:say('Waiting for the model', '等待模型')
  answer.status = event.number == 1 and text or ('%s (%d)'):format(text, event.number)
end

function on_event.waitingForModel(answer, event)
  local text = answer:say('The model asks to wait %d s: %s', '模型要求等待 %d 秒：%s')
  answer.status = text:format(event.seconds, event.reason)
end

function on_event.reasoningArrived(answer)
  answer.status = answer:say('The model is thinking', '模型在思考')
end

function on_event.textArrived(answer, event)
  answer.status = answer:say('Answering', '正在回答')
  local last = answer.pieces[#answer.pieces]
  if last and last.text then
    last.text = last.text .. event.text
  else
    answer.pieces[#answer.pieces + 1] = { text = event.text }
  end
end

local function add_tool(answer, id, name, arguments)
  local tool = { name = name, arguments = arguments, is_error = false }
  answer.tools[id] = tool
  answer.pieces[#answer.pieces + 1] = { tool = tool }
  answer.status = wording.one_line(name .. ' ' .. arguments, 60)
end

function on_event.toolStarted(answer, event)
  -- The plan and the helpers have events of their own.
  if event.name ~= 'plan' and event.name ~= 'delegate' then
    add_tool(answer, event.callId, event.name, wording.brief_arguments(event.arguments))
  end
end

function on_event.skillActivated(answer, event)
  answer.status = answer:say('Skill %s', '技能 %s'):format(wording.one_line(event.name, 60))
end

function on_event.planChanged(answer, event)
  for number, step in ipairs(event.steps) do
    if step.state == 'active' then
      local text = answer:say('Step %d of %d: %s', '第 %d 步，共 %d 步：%s')
      answer.status = text:format(number, #event.steps, wording.one_line(step.text, 60))
    end
  end
end

function on_event.helperStarted(answer, event)
  local task = wording.one_line(event.task:gsub('`', ''), 60)
  add_tool(answer, 'helper ' .. event.helperId, event.helperId, task)
end

function on_event.helperActed(answer, event)
  local inner = event.event
  if inner.type == 'toolStarted' then
    local what = inner.name .. ' ' .. wording.brief_arguments(inner.arguments)
    answer.status = wording.one_line(event.helperId .. ': ' .. what, 60)
  end
end

function on_event.helperEnded(answer, event)
  local tool = answer.tools['helper ' .. event.helperId]
  if tool then
    tool.is_error = event.stopReason == 'failed' or event.stopReason == 'cancelled'
    tool.outcome = ('%s (%s)'):format(event.stopReason, wording.seconds(event.durationMs))
  end
end

function on_event.toolFinished(answer, event)
  local tool = answer.tools[event.callId]
  if tool then
    tool.is_error = event.isError == true
    local duration = tonumber(event.durationMs) or 0
    tool.outcome = wording.one_line(event.summary, 80) .. (' (%s)'):format(wording.seconds(duration))
  end
end

function on_event.answerVerified(answer)
  answer.status = answer:say('Reading the citations again', '核对引用')
end

--- Puts one event into an answer. Unknown ones are passed over: a newer server may send more.
return function(answer, event)
  local handle = type(event) == 'table' and on_event[event.type]
  if handle then
    handle(answer, event)
  end
end
