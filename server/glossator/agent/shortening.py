"""Parts of a conversation made shorter, each with an honest word on what was cut.

A result of a tool keeps its beginning and names the call that shows the rest again; material is
left out by whole sections, by the frames that `prompt.frame_material` puts around them.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from glossator.core.messages import Message, ToolCall
from glossator.core.tokens import estimate_tokens
from glossator.model.arguments import parse_object

_MAX_ARGUMENTS = 200
_LEAST_GAIN = 100
_NOTE_TOKENS = 80
_LONGEST_NOTE = 1_000
# Advice may stand behind it.
_CUT = re.compile(r"\n\(([\d,]+) of ([\d,]+) characters left out; [^\n]*\)(?:\n\n[^\n]*)?\Z")
_NUMBERED = re.compile(r"^ *(\d+)\| ", re.MULTILINE)
_SHOWN_LINES = re.compile(r"\A[^\n]*, lines \d+-(\d+) of ")
_LABEL = re.compile(r"<material ([0-9a-f]+) ([^\n]*)>\n")
# What a reader misses least comes first; a kind that is not named stands before the code.
_LEAST_IMPORTANT_FIRST = ("workspace", "file", "definitions", "knowledge", "", "code", "briefing")
_MOST_IMPORTANT = "skill"


def shorten_result(call: ToolCall, text: str, n_kept: int) -> str:
    """Return the first lines of a result, about `n_kept` characters, and how to see the rest.

    A result that is hardly longer stays as it is. One that was shortened before counts what it had.
    """
    earlier = _CUT.search(text, max(0, len(text) - _LONGEST_NOTE))
    body = text[: earlier.start()] if earlier else text
    if len(text) <= n_kept + _LEAST_GAIN:
        return text
    n_total = _read_number(earlier[2]) if earlier else len(body)
    head = _take_lines(body, n_kept)
    n_cut = n_total - len(head)
    again = _describe_rest(call, body, len(head))
    head += _close_frame(head)
    note = f"({n_cut:,} of {n_total:,} characters left out; {again} shows them again.)"
    shorter = f"{head}\n{note}"
    return shorter if len(shorter) < len(text) else text


def tells(told: str, text: str) -> bool:
    """Say whether `told` is the result `text`: whole or shortened, maybe with advice behind it."""
    cut = _CUT.search(told)
    if cut is None:
        return told == text or told.startswith(f"{text}\n\n")
    return _read_number(cut[2]) == len(text) and text.startswith(told[: cut.start()])


def shorten_text(text: str, n_tokens: int) -> str:
    """Return the beginning of a text in about `n_tokens`, and how much of it is left out."""
    if estimate_tokens(text) <= n_tokens:
        return text
    head = text[: _find_length(text, n_tokens)].rstrip()
    return f"{head}\n({len(text) - len(head):,} of {len(text):,} characters left out.)"


def shorten_lines(text: str, n_tokens: int, rest: str) -> str:
    """Return the first whole lines of a text in about `n_tokens`; `rest` says how to see more."""
    if estimate_tokens(text) <= n_tokens:
        return text
    head = _take_lines(text, _find_length(text, n_tokens))
    note = f"({len(text) - len(head):,} of {len(text):,} characters left out{rest and '; '}{rest})"
    return f"{head}\n{note}"


def share_out(sizes: Sequence[int], room: int) -> list[int]:
    """Divide `room` among `sizes`: what a small one does not need, the larger ones get."""
    shares = [0] * len(sizes)
    left = room
    smallest_first = sorted(range(len(sizes)), key=sizes.__getitem__)
    for n_done, place in enumerate(smallest_first):
        shares[place] = min(sizes[place], max(0, left) // (len(sizes) - n_done))
        left -= shares[place]
    return shares


def cap_results(calls: Sequence[ToolCall], texts: Sequence[str], room: int) -> list[str]:
    """Return the results of one round, the longest cut so that all take about `room` tokens."""
    sizes = [estimate_tokens(text) for text in texts]
    if sum(sizes) <= room:
        return list(texts)
    return [
        shorten_result(call, text, _find_length(text, share)) if share < size else text
        for call, text, size, share in zip(calls, texts, sizes, share_out(sizes, room), strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Section:
    """One framed piece of material in a request."""

    start: int
    end: int
    label: str

    @property
    def rank(self) -> int:
        kind = self.label.removeprefix("kind=").partition(" ")[0]
        if kind == _MOST_IMPORTANT:
            return len(_LEAST_IMPORTANT_FIRST)
        known = kind in _LEAST_IMPORTANT_FIRST
        return _LEAST_IMPORTANT_FIRST.index(kind if known else "")


def leave_out_material(request: Message, n_tokens: int = 0) -> tuple[Message, int]:
    """Leave out sections of a request's material until it takes `n_tokens`; say how many.

    The least important go first, of equal ones the last. Everything else stays whole, so the
    result may be larger than was asked for.
    """
    text = request.text
    excess = estimate_tokens(text) - n_tokens
    left_out: list[_Section] = []
    sections = list(enumerate(_find_sections(text)))
    for _, section in sorted(sections, key=lambda item: (item[1].rank, -item[0])):
        if excess <= 0:
            break
        # The word on its absence is shorter than the frame alone.
        note = _note_absence(section)
        excess -= estimate_tokens(text[section.start : section.end]) - estimate_tokens(note)
        left_out.append(section)
    for section in sorted(left_out, key=lambda item: item.start, reverse=True):
        text = text[: section.start] + _note_absence(section) + text[section.end :]
    return replace(request, text=text), len(left_out)


def _note_absence(section: _Section) -> str:
    return f"({section.end - section.start:,} characters of material left out: {section.label})"


def _find_sections(text: str) -> list[_Section]:
    """Return the sections at the beginning of a request; what a user wrote behind is no material.

    Each has the marker of the first: a frame inside a section, or pasted by a user, has another.
    """
    sections: list[_Section] = []
    first = _LABEL.match(text)
    position = 0
    while first is not None and (opened := _LABEL.match(text, position)):
        closing = f"\n</material {first[1]}>"
        end = text.find(closing, opened.end() - 1)
        if opened[1] != first[1] or end < 0:
            break
        sections.append(_Section(position, end + len(closing), opened[2]))
        position = end + len(closing) + len("\n\n")
    return sections


def _find_length(text: str, n_tokens: int) -> int:
    """Return how much of `text` and a note take `n_tokens`."""
    n_tokens = max(0, n_tokens - _NOTE_TOKENS)
    length = len(text)
    while length and (size := estimate_tokens(text[:length])) > n_tokens:
        length = min(length - 1, length * n_tokens // size)
    return length


def _take_lines(text: str, n_kept: int) -> str:
    """Return whole lines from the beginning of `text`, or a part of one if it is long."""
    head = text[:n_kept]
    end = head.rfind("\n")
    return (head[:end] if end > n_kept // 2 else head).rstrip()


def _close_frame(head: str) -> str:
    """Return what closes a frame that was opened in `head` and is cut there."""
    opened = [match[1] for match in _LABEL.finditer(head)]
    return f"\n</material {opened[0]}>" if opened and f"</material {opened[0]}>" not in head else ""


def _describe_rest(call: ToolCall, body: str, n_kept: int) -> str:
    """Say which call shows what was left out of a result."""
    arguments: Mapping[str, Any] = parse_object(call.arguments) or {}
    if call.name == "read_file" and "path" in arguments:
        # A line that was cut within is shown again from its beginning.
        is_whole = body[n_kept : n_kept + 1] in ("", "\n")
        start = n_kept if is_whole else body.rfind("\n", 0, n_kept) + 1
        following = _NUMBERED.search(body, start)
        shown = _SHOWN_LINES.match(body)
        if following and shown:
            lines = {"first_line": int(following[1]), "last_line": int(shown[1])}
            arguments = {"path": arguments["path"], **lines}
    written = json.dumps(dict(arguments), ensure_ascii=False)
    if len(written) > _MAX_ARGUMENTS:
        return f"the same call of `{call.name}`"
    return f"`{call.name}` {written}"


def _read_number(digits: str) -> int:
    return int(digits.replace(",", ""))
