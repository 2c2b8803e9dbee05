"""What is said in one turn: what of it is sent, and what the models have shown they cannot take."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from glossator.agent.budget import Budget, Limits, StopReason
from glossator.agent.capacity import (
    Capacity,
    count_tokens,
    count_tool_tokens,
    recall_capacity,
)
from glossator.agent.pinning import Pinned, fit_pinned
from glossator.agent.prompt import IN_WORDS, LAST_ROUND, NO_TOOLS, render_rounds_left
from glossator.agent.replies import Reply, read_reply
from glossator.agent.shortening import cap_results
from glossator.agent.window import NOTHING_TRIMMED, Trimmed, has_summary
from glossator.core.errors import ModelUnavailable
from glossator.core.events import ContextTrimmed, Emit, RoundStarted
from glossator.core.messages import Message, ToolSpec, Usage
from glossator.model.failures import ContextTooLong, ToolsUnsupported
from glossator.model.port import ChatModel
from glossator.tools.toolbox import ToolOutcome

# The results of one round may take this much of the room, and the tools that much.
_SHARE_OF_RESULTS = 0.4
_SHARE_OF_TOOLS = 0.5
_USUAL_REMARKS = 300


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn added to the transcript; its last message is the answer.

    `trimmed` is what the model was not sent because it did not fit. `is_without_tools`: the model
    takes no tools, or has no room for them. `lighter_problem` says why the lighter model was not
    used to the end.
    """

    added: tuple[Message, ...]
    stop_reason: StopReason
    usage: Usage
    trimmed: Trimmed = NOTHING_TRIMMED
    is_without_tools: bool = False
    lighter_problem: str = ""

    @property
    def answer(self) -> str:
        """The text of the last message."""
        return self.added[-1].text


@dataclass(frozen=True, slots=True)
class Models:
    """Who answers. A lighter model, if there is one, is asked as long as there are tools."""

    answering: ChatModel
    gathering: ChatModel | None = None


class Talk:
    """One turn as it goes on.

    What is sent is valid as it stands: turns and rounds stay whole, each call is answered right
    behind its message. How a server wants it written is for `model/sending.py`.
    """

    def __init__(
        self,
        models: Models,
        transcript: Sequence[Message],
        tools: Sequence[ToolSpec],
        limits: Limits,
        budget: Budget,
        emit: Emit,
        remind: Callable[[], str],
        on_trim: Callable[[], None],
        pin: Callable[[], Sequence[Pinned]] = tuple,
    ) -> None:
        self._n_rounds = 0
        self._models = models
        self._transcript = transcript
        self._tools = tools
        self._tools_size = count_tool_tokens(tools)
        self._limits = limits
        self._budget = budget
        self._emit = emit
        self._remind = remind
        self._on_trim = on_trim
        self._pin = pin
        self._added: list[Message] = []
        self._usage = Usage()
        self._trimmed = NOTHING_TRIMMED
        self._is_without_tools = False
        self._has_shrunk = False
        self._lighter_problem = ""

    def find_closing(self) -> StopReason | None:
        """Return why the next round has to be the last one, or None."""
        capacity = recall_capacity(self._models.answering)
        size = count_tokens(self._transcript) + count_tokens(self._added)
        n_next = min(size, self._room_for(capacity)) + self._tools_size
        return self._budget.find_closing(capacity.scale(n_next))

    async def ask(self, remaining: int) -> Reply:
        """Ask for calls or the answer; `remaining` more rounds with tools may follow."""
        return await self._ask(remaining)

    async def ask_last(self) -> Reply:
        """Ask for the answer without offering tools.

        A model that has called tools before and says nothing now is asked once more: as a rule it
        has called one all the same.
        """
        self._tools = ()
        has_called = bool(self._added)
        reply = await self._ask(0, LAST_ROUND)
        is_silent = not reply.message.text.strip() and reply.stop_reason is StopReason.ANSWERED
        if not (has_called and is_silent) or self._budget.over:
            return reply
        self._added.pop()
        return await self._ask(0, f"{LAST_ROUND} {IN_WORDS}")

    def add_results(
        self, reply: Reply, outcomes: Sequence[ToolOutcome], advice: Sequence[str] = ()
    ) -> None:
        """Answer each call of the last message; what is too long is cut and says so."""
        model = self._models.gathering or self._models.answering
        room = self._room_for(recall_capacity(model)) * _SHARE_OF_RESULTS
        texts = cap_results(reply.calls, [outcome.text for outcome in outcomes], int(room))
        for place, (call, text) in enumerate(zip(reply.calls, texts, strict=True)):
            remark = advice[place] if advice else ""
            text = f"{text}\n\n{remark}" if remark else text
            self._added.append(Message("tool", text, call_id=call.id))

    def end(self, stop_reason: StopReason) -> Turn:
        """Return the turn, whose answer was the last to be added, or is empty."""
        if not self._added or self._added[-1].role != "assistant":
            self._added.append(Message("assistant", ""))
        return Turn(
            tuple(self._added),
            stop_reason,
            self._usage,
            trimmed=self._trimmed,
            is_without_tools=self._is_without_tools,
            lighter_problem=self._lighter_problem,
        )

    async def _ask(self, remaining: int, order: str = "") -> Reply:
        """Ask for the next message and add it; a model that cannot take this is asked for less."""
        self._n_rounds += 1
        self._has_shrunk = False
        self._emit(RoundStarted(self._n_rounds, remaining, self._choose_model().name))
        reminder = self._remind()
        while True:
            model = self._choose_model()
            if self._tools and not self._have_tools_room(recall_capacity(model)):
                self._do_without_tools(model)
                continue
            remarks = self._write_remarks(remaining, reminder, order)
            request = self._compose(recall_capacity(model), remarks)
            try:
                return await self._ask_once(model, request)
            except ModelUnavailable as error:
                if not self._adapt(error, model, request, remarks):
                    raise

    async def _ask_once(self, model: ChatModel, request: Sequence[Message]) -> Reply:
        capacity = recall_capacity(model)
        estimate = self._estimate(request)
        reply = await read_reply(
            model,
            request,
            self._tools,
            self._budget,
            self._emit,
            number=self._n_rounds,
            n_prompt_tokens=capacity.scale(estimate),
            is_final=model is self._models.answering,
        )
        usage = reply.completion.usage
        if usage:
            capacity.note_usage(estimate, usage.prompt_tokens)
            self._usage += usage
        # What the lighter model writes in the end is not kept: the answer is still to come.
        if reply.calls or reply.is_final:
            self._added.append(reply.message)
        return reply

    def _choose_model(self) -> ChatModel:
        gathering = self._models.gathering
        return gathering if gathering is not None and self._tools else self._models.answering

    def _adapt(
        self,
        error: ModelUnavailable,
        model: ChatModel,
        request: Sequence[Message],
        remarks: "_Remarks",
    ) -> bool:
        """Learn from a failure; say whether the next request would be another one.

        A conversation is shortened once a round. Without the lighter model the stronger one goes
        on.
        """
        if isinstance(error, ContextTooLong):
            recall_capacity(model).note_refusal(self._estimate(request), error)
            if not self._has_shrunk and self._can_shrink(model, request, remarks):
                self._has_shrunk = True
                return True
        if model is not self._models.answering:
            self._models = replace(self._models, gathering=None)
            self._lighter_problem = str(error)
            return True
        if isinstance(error, ToolsUnsupported) and self._tools:
            self._do_without_tools(model)
            return True
        return False

    def _can_shrink(
        self, model: ChatModel, refused: Sequence[Message], remarks: "_Remarks"
    ) -> bool:
        capacity = recall_capacity(model)
        if self._tools and not self._have_tools_room(capacity):
            return True
        return count_tokens(self._compose(capacity, remarks)) < count_tokens(refused)

    def _have_tools_room(self, capacity: Capacity) -> bool:
        return _leaves_room(self._tools_size, capacity, self._limits.context_tokens)

    def _do_without_tools(self, model: ChatModel) -> None:
        """Offer this model no tools; the stronger one may still take them."""
        if model is self._models.answering:
            self._is_without_tools, self._tools, self._tools_size = True, (), 0
        else:
            self._models = replace(self._models, gathering=None)

    def _write_remarks(self, remaining: int, reminder: str, order: str) -> "_Remarks":
        """Write what is said in this round only."""
        is_first = not self._added
        rounds = render_rounds_left(remaining + 1) if self._tools and not is_first else ""
        return _Remarks(
            _join(reminder, rounds), _join(order, NO_TOOLS if self._is_without_tools else "")
        )

    def _compose(self, capacity: Capacity, remarks: "_Remarks") -> tuple[Message, ...]:
        """Return what is sent: what fits of the conversation, and the remarks at its end."""
        room = self._room_for(capacity)
        # As a rule the same for every round: a room that changes would change the beginning, too.
        room -= max(remarks.size, min(_USUAL_REMARKS, room // 10))
        fitted = fit_pinned(self._transcript, self._added, room, self._pin())
        is_news = fitted.trimmed != self._trimmed
        self._trimmed = fitted.trimmed
        if fitted.trimmed and is_news:
            self._on_trim()
            self._emit(
                ContextTrimmed(
                    fitted.trimmed.n_results,
                    fitted.trimmed.n_turns,
                    is_summarized=has_summary(self._transcript),
                    budget_tokens=capacity.scale(room),
                    n_sections_left_out=fitted.trimmed.n_sections,
                )
            )
        return remarks.add_to(fitted.messages)

    def _estimate(self, request: Sequence[Message]) -> int:
        return count_tokens(request) + (self._tools_size if self._tools else 0)

    def _room_for(self, capacity: Capacity) -> int:
        """Return what the conversation may take beside the tools.

        The same when the last round offers none, so that nothing changes at its beginning.
        """
        return capacity.find_room(self._limits.context_tokens) - self._tools_size


def have_tools_room(tools: Sequence[ToolSpec], model: ChatModel, context_tokens: int) -> bool:
    """Say whether a model is offered so many tools; with more than fit, it is offered none."""
    return _leaves_room(count_tool_tokens(tools), recall_capacity(model), context_tokens)


def _leaves_room(tools_size: int, capacity: Capacity, context_tokens: int) -> bool:
    return tools_size <= capacity.find_room(context_tokens) * _SHARE_OF_TOOLS


@dataclass(frozen=True, slots=True)
class _Remarks:
    """What changes from round to round; at the very end, so that the beginning stays the same.

    Information goes behind the last text. An order is the user's: results of tools give none.
    """

    information: str
    order: str

    @property
    def size(self) -> int:
        return count_tokens([Message("user", self.information + self.order)])

    def add_to(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        *others, last = messages
        if last.role == "user":
            return (*others, replace(last, text=_join(last.text, self.information, self.order)))
        last = replace(last, text=_join(last.text, self.information))
        return (*others, last, Message("user", self.order)) if self.order else (*others, last)


def _join(*texts: str) -> str:
    return "\n\n".join(filter(None, texts))
