"""Comments that dismiss findings: `# glossator: ignore[rule-id] reason`.

One on a line of its own is for the line below it (below further comments), one behind code for its
own line, and `ignore-file` for the file. A comment that our action writes ends with `(hash ...)`:
it lapses when the rule or the code it is about is another one. One written by hand has no hash.
"""

import hashlib
import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from glossator.core.lines import Lines
from glossator.core.locations import Point, Range
from glossator.core.text import SourceText
from glossator.rules.finding import Finding, hash_code, hash_rule
from glossator.rules.rule import Rule
from glossator.rules.suppressing.comments import Comment, find_comments, render_comments
from glossator.rules.suppressing.stripping import may_dismiss

Extent = Literal["line", "file"]

_SIGN = re.compile(r"glossator[:：]\s*ignore", re.IGNORECASE)
_DIRECTIVE = re.compile(
    r"(?:[#/*;]|--)[ \t]*glossator[:：][ \t]*(?P<verb>ignore(?:-file)?)\b[ \t]*"
    r"(?:[\[［](?P<ids>[^\]］\r\n]*)[\]］])?(?P<rest>[^\r\n]*)",
    re.IGNORECASE,
)
_BETWEEN_IDS = re.compile(r"[\s,，、;；]+")
_CLOSING = re.compile(r"\s*(?:\*/\}?|-->)\s*\Z")
_HASH = re.compile(
    r"\s*\(hash (?P<digest>[0-9a-f]{8})(?:, (?P<lines>[1-9][0-9]{0,3}) lines?)?\)\s*\Z"
)
_MARKS_ALONE = re.compile(r"[\s#/*<>!{}-]*")
_MAX_REASON_CHARS = 300


@dataclass(frozen=True, slots=True)
class Directive:
    """One dismissal in a comment.

    `digest` is empty when a person wrote it; else it is about the code of the finding, or about
    `n_lines` whole lines from `first_line` on when a model judged it. `first_line` to `line` are
    covered (1-based): a comment of its own line covers further comments and the code below them.
    `place` is the directive in the text, `ids_place` what is in its brackets, and
    `removal` what has to go when it goes.
    """

    extent: Extent
    rule_ids: tuple[str, ...]
    reason: str
    digest: str
    n_lines: int
    first_line: int
    line: int
    is_behind_code: bool
    place: Range
    ids_place: Range
    removal: Range


def find_directives(source: SourceText, language: str) -> tuple[Directive, ...]:
    """Return the dismissals that stand in the comments of a text, in their order."""
    if not may_dismiss(source.text) or _SIGN.search(source.text) is None:
        return ()
    comments = find_comments(source.text, language)
    if not any(_SIGN.search(comment.text) for comment in comments):
        return ()
    page = _Page(source.text, comments)
    return tuple(directive for comment in comments for directive in page.read(comment))


class _Page:
    """A text with its comments and lines."""

    def __init__(self, text: str, comments: Sequence[Comment]) -> None:
        self._text = text
        self._lines = Lines(text)
        # Lines that hold comments and nothing else, and those of them that dismiss something.
        self._comment_lines: set[int] = set()
        self._directive_lines: set[int] = set()
        for comment in comments:
            first, last = self._span(comment)
            if self._stands_alone(comment):
                self._comment_lines.update(range(first, last + 1))
                if _DIRECTIVE.search(comment.text):
                    self._directive_lines.update(range(first, last + 1))

    def read(self, comment: Comment) -> Iterator[Directive]:
        for match in _DIRECTIVE.finditer(comment.text):
            yield self._make(comment, match)

    def _make(self, comment: Comment, match: re.Match[str]) -> Directive:
        rest = _CLOSING.sub("", match["rest"])
        hashed = _HASH.search(rest)
        reason = rest[: hashed.start()] if hashed else rest
        ids = [each for each in _BETWEEN_IDS.split(match["ids"] or "") if each]
        first, last = self._span(comment)
        is_alone = self._stands_alone(comment)
        is_behind = not is_alone and bool(self._before(comment).strip())
        own_line = first if is_behind else last
        return Directive(
            extent="file" if match["verb"].lower() == "ignore-file" else "line",
            rule_ids=tuple(dict.fromkeys(ids)),
            reason=reason.strip(" \t:：-—")[:_MAX_REASON_CHARS],
            digest=hashed["digest"] if hashed else "",
            n_lines=int(hashed["lines"] or 0) if hashed else 0,
            first_line=_find_below(last, self._directive_lines) if is_alone else own_line,
            line=_find_below(last, self._comment_lines) if is_alone else own_line,
            is_behind_code=is_behind,
            place=self._range(comment.start + match.start(), comment.start + match.end()),
            ids_place=self._find_ids(comment, match),
            removal=self._find_removal(comment, match, is_alone=is_alone),
        )

    def _find_ids(self, comment: Comment, match: re.Match[str]) -> Range:
        start, end = match.span("ids") if match["ids"] is not None else (match.end("verb"),) * 2
        return self._range(comment.start + start, comment.start + end)

    def _find_removal(self, comment: Comment, match: re.Match[str], *, is_alone: bool) -> Range:
        before, after = comment.text[: match.start()], comment.text[match.end() :]
        if not (_MARKS_ALONE.fullmatch(before) and _MARKS_ALONE.fullmatch(after)):
            start = match.start() + (0 if before.strip() else 1)  # The mark opens the comment.
            return self._range(comment.start + start, comment.start + match.end())
        first, last = self._span(comment)
        if is_alone:
            return Range(Point(first, 0), Point(last + 1, 0))
        blanks = len(self._before(comment)) - len(self._before(comment).rstrip())
        is_behind = bool(self._before(comment).strip())
        end = comment.end
        if not is_behind:
            rest = self._after(comment)
            end += len(rest) - len(rest.lstrip())
        return self._range(comment.start - (blanks if is_behind else 0), end)

    def _span(self, comment: Comment) -> tuple[int, int]:
        """Return the first and last line of a comment."""
        start = self._lines.find_point(comment.start).line
        return start, self._lines.find_point(comment.end).line

    def _before(self, comment: Comment) -> str:
        start = self._lines.find_offset(Point(self._span(comment)[0], 0))
        return self._text[start : comment.start]

    def _after(self, comment: Comment) -> str:
        end = re.compile(r"[^\r\n]*").match(self._text, comment.end)
        return end[0] if end else ""

    def _stands_alone(self, comment: Comment) -> bool:
        """Say whether its lines hold nothing else, or only the braces that JSX wants."""
        before, after = self._before(comment).strip(), self._after(comment).strip()
        return (before, after) in (("", ""), ("{", "}"))

    def _range(self, start: int, end: int) -> Range:
        return Range(self._lines.find_point(start), self._lines.find_point(end))


def _find_below(line: int, left_out: Container[int]) -> int:
    line += 1
    while line in left_out:
        line += 1
    return line


def covers(directive: Directive, finding: Finding) -> bool:
    """Say whether a finding is of the rule and at the place that a directive names."""
    if finding.rule.id not in directive.rule_ids:
        return False
    first, last = lines_of(finding)
    if directive.extent == "file":
        return True
    if finding.proof == "judged":
        # A model quotes more at one time and less at another.
        end = max(directive.line, directive.first_line + directive.n_lines - 1)
        return first <= end and directive.first_line <= last
    return directive.first_line <= first <= directive.line or (
        directive.is_behind_code and last == directive.line
    )


def holds(directive: Directive, finding: Finding, source: SourceText) -> bool:
    """Say whether a directive that covers a finding is still about the same rule and code."""
    if not directive.digest:
        return True
    if directive.extent == "file":
        return directive.digest == _digest(finding.rule)
    if directive.n_lines:
        first = directive.first_line
        code = "\n".join(source.lines[first - 1 : first - 1 + directive.n_lines])
        return directive.digest == _digest(finding.rule, code)
    return directive.digest == _digest(finding.rule, finding.code)


def write_directive(
    finding: Finding, source: SourceText, language: str, extent: Extent, reason: str = ""
) -> tuple[str, ...]:
    """Return comments that would dismiss a finding, the usual form first."""
    reason = " ".join(reason.split())[:_MAX_REASON_CHARS]
    verb, about = "ignore-file", f"(hash {_digest(finding.rule)})"
    if extent == "line":
        verb = "ignore"
        about = f"(hash {_digest(finding.rule, finding.code)})"
        if finding.proof == "judged":
            first, last = lines_of(finding)
            digest = _digest(finding.rule, "\n".join(source.lines[first - 1 : last]))
            n_lines = last - first + 1
            about = f"(hash {digest}, {n_lines} line{'' if n_lines == 1 else 's'})"
    words = f"glossator: {verb}[{finding.rule.id}]"
    return render_comments(" ".join(filter(None, [words, reason, about])), language)


def lines_of(finding: Finding) -> tuple[int, int]:
    """Return the first and the last line that a finding's code stands on."""
    start, end = finding.range.start, finding.range.end
    return start.line, max(start.line, end.line - (end.column == 0))


def _digest(rule: Rule, code: str | None = None) -> str:
    parts = (hash_rule(rule),) if code is None else (hash_rule(rule), hash_code(code))
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=4).hexdigest()
