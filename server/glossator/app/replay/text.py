"""A replayed turn in words."""

from collections.abc import Iterator

from glossator.app.phrasing import Phrasing, count
from glossator.app.replay.replaying import CallState, Replay, ReplayedCall, ReplayedCitation

_MARKS: dict[CallState, str] = {"same": "✓", "differs": "✗", "played": "·", "new": "✗"}
_SHOWN_CALL = 200


def render_replay(replay: Replay, say: Phrasing) -> str:
    """Write a replay as Markdown: the turn as it ran, and what is different now."""
    parts = [*_render_head(replay, say)]
    if replay.calls:
        calls = [_render_call(call, say) for call in replay.calls]
        parts += [f"## {say('Tool calls', '工具调用')}", "\n".join(calls)]
    parts += [f"## {say('Answer', '回答')}", replay.recording.answer.strip()]
    if replay.citations:
        citations = [_render_citation(each, say) for each in replay.citations]
        parts += [f"## {say('Citations', '引用')}", "\n".join(citations)]
    parts += [f"## {say('Result', '结果')}", describe_result(replay, say)]
    return "\n\n".join(parts) + "\n"


def describe_result(replay: Replay, say: Phrasing) -> str:
    """Say in a sentence or two whether anything is different."""
    if replay.problem:
        return say(
            f"The turn did not come to its end: {replay.problem}", f"未能运行到底：{replay.problem}"
        )
    n_calls, n_places = len(replay.calls), len(replay.citations)
    if replay.is_same:
        return say(
            f"Nothing is different: {count(n_calls, 'tool call')}, {count(n_places, 'citation')}.",
            f"没有差异：{n_calls} 次工具调用，{n_places} 处引用。",
        )
    return say(
        f"Different are {replay.n_results_differ} of {count(n_calls, 'tool result')} and the "
        f"verdicts on {replay.n_verdicts_differ} of {count(n_places, 'citation')}.",
        f"{n_calls} 次工具调用中有 {replay.n_results_differ} 次结果不同，"
        f"{n_places} 处引用中有 {replay.n_verdicts_differ} 处判定不同。",
    )


def _render_head(replay: Replay, say: Phrasing) -> Iterator[str]:
    recording = replay.recording
    yield f"# {say('Replay of turn', '重放')} {recording.id}"
    if recording.question:
        yield "\n".join(f"> {line}".rstrip() for line in recording.question.splitlines())
    model = recording.replies[-1].model
    facts = [recording.recorded_at, model and f"`{model}`", recording.stop_reason]
    yield say(", ", "，").join(filter(None, facts))


def _render_call(call: ReplayedCall, say: Phrasing) -> str:
    # Both were written by a model. A line end or a backtick would end the code that they stand in.
    shown = " ".join(f"{call.name} {call.arguments}".split()).replace("`", "'")
    if len(shown) > _SHOWN_CALL:
        shown = f"{shown[:_SHOWN_CALL]}…"
    state = {
        "same": say("same", "相同"),
        "differs": say("differs", "不同"),
        "played": say("played from the recording", "取自记录，未重新运行"),
        "new": say("not in the recording", "记录中没有结果"),
    }[call.state]
    line = f"- {_MARKS[call.state]} {call.round}. `{shown}`{say(': ', '：')}{state}"
    if not call.diff:
        return line
    fence = "`" * max(3, _longest_ticks(call.diff) + 1)
    diff = "\n".join(f"  {row}" for row in [f"{fence}diff", *call.diff.splitlines(), fence])
    return f"{line}\n{diff}"


def _render_citation(citation: ReplayedCitation, say: Phrasing) -> str:
    names = {
        "exact": say("exact", "准确"),
        "moved": say("moved", "已移动"),
        "missing": say("missing", "不存在"),
    }
    now = names[citation.now]
    if citation.now == "moved":
        now += f" → {citation.place}"
    if citation.then in ("", citation.now):
        mark, verdict = ("✓" if citation.now == "exact" else "~"), now
    else:
        then = names.get(citation.then, citation.then)
        mark, verdict = "✗", say(f"was {then}, is {now}", f"原为{then}，现为{now}")
    return f"- {mark} `{citation.text.replace('`', '')}`{say(': ', '：')}{verdict}"


def _longest_ticks(text: str) -> int:
    longest = 0
    while "`" * (longest + 1) in text:
        longest += 1
    return longest
