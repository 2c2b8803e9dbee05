"""What an asker attaches to a question: found through the path guard, and cut to what has room.

Nothing that is attached is dropped without a word: what cannot be read carries its reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from glossator.app.phrasing import Phrasing
from glossator.app.results import AttachmentRequest, Target
from glossator.code.outline import TypeDefinition
from glossator.core.errors import GlossatorError, InvalidArguments, ProtectedFile
from glossator.core.locations import Point, Range, Span
from glossator.core.text import SourceText
from glossator.core.tokens import estimate_tokens
from glossator.sessions.session import Attachment
from glossator.tools.code_map import CodeMap, Place
from glossator.tools.escaping import quote_name
from glossator.tools.lookup import Named, find_definitions
from glossator.tools.path_text import candidate_spellings
from glossator.tools.protection import is_private_key
from glossator.tools.workspace import Workspace

MAX_ATTACHMENTS = 20
MAX_TOKENS = 24_000
"""So much of all that is attached is given, however much the model can take."""

_SHARE_OF_ROOM = 0.4
_MAX_NAMED = 4


@dataclass(frozen=True, slots=True)
class Attached:
    """Something attached, as it was found.

    `span` are the lines it has, `n_given` of them, from the first, are given; `point` is where
    the code stands that it is about, None for a whole file.
    """

    request: AttachmentRequest
    source: SourceText | None = None
    span: Span | None = None
    point: Point | None = None
    n_given: int = 0
    problem: str = ""

    @property
    def lines(self) -> Sequence[str]:
        """The lines that are given."""
        if self.source is None or self.span is None:
            return ()
        first = self.span.first_line - 1
        return self.source.lines[first : first + self.n_given]

    @property
    def n_left_out(self) -> int:
        """How many of its lines had no room."""
        if self.span is None:
            return 0
        return self.span.last_line - self.span.first_line + 1 - self.n_given

    @property
    def given(self) -> Span | None:
        """The lines that are given; None when none are."""
        if self.span is None or not self.n_given:
            return None
        last = self.span.first_line + self.n_given - 1
        return Span(self.span.path, self.span.first_line, last)

    def keep(self) -> Attachment:
        """Return it as a session keeps it."""
        place = self.given or (replace(self.span, first_line=0, last_line=0) if self.span else None)
        return Attachment(
            self.request.kind,
            place.path if place else self.request.path,
            place.first_line if place else 0,
            place.last_line if place else 0,
            self.request.symbol,
            self.n_left_out,
            self.problem,
        )


def find_attached(
    requests: Sequence[AttachmentRequest], workspace: Workspace, code_map: CodeMap, say: Phrasing
) -> tuple[Attached, ...]:
    """Look for what is attached. Reads files of the workspace: call it in a worker thread.

    Raises:
        InvalidArguments: there is more than can be looked at.
    """
    if len(requests) > MAX_ATTACHMENTS:
        raise InvalidArguments(
            f"{len(requests)} things are attached; {MAX_ATTACHMENTS} are looked at at most. "
            "Attach fewer."
        )
    return tuple(_find(request, workspace, code_map, say) for request in requests)


def _find(
    request: AttachmentRequest, workspace: Workspace, code_map: CodeMap, say: Phrasing
) -> Attached:
    try:
        if request.kind == "symbol":
            return _find_symbol(request, workspace, code_map, say)
        source = request.source or workspace.read(request.path)
    except ProtectedFile:
        name = next(candidate_spellings(request.path)).rpartition("/")[2]
        return Attached(request, problem=_say_protected(name, say))
    except GlossatorError as error:
        return Attached(request, problem=say.translate(str(error)))
    if is_private_key(source.text):
        return Attached(request, problem=_say_protected(source.name, say))
    return _make(request, source, request.lines)


def _say_protected(name: str, say: Phrasing) -> str:
    """Say it to who attached the file; the error's own words are for a model."""
    shown = quote_name(name)
    return say(
        f"{shown} may hold keys, passwords or repository internals, so it is never read.",
        f"{shown} 可能含有密钥、密码或仓库内部数据，因此从不读取。",
    )


def _find_symbol(
    request: AttachmentRequest, workspace: Workspace, code_map: CodeMap, say: Phrasing
) -> Attached:
    """Return a definition: the one of that name nearest to the line that is named, if one is."""
    path, line = request.path, request.lines[0] if request.lines else 0
    if not path:
        place = _find_only(request.symbol, code_map, say)
        path, line = place.path, place.line
    source = workspace.read(path)
    outline = code_map.outline(source)
    if outline is None:
        return _make(request, source, request.lines)
    try:
        named = find_definitions(source, outline, request.symbol)
    except InvalidArguments:
        if request.lines is None:
            raise
        # The editor's other servers know symbols that are no functions or types.
        return _make(request, source, request.lines)
    definition = min(named, key=lambda each: abs(each.name_range.start.line - line))
    lines = _lines_of(definition, source)
    return _make(request, source, lines, definition.name_range.start)


def _find_only(name: str, code_map: CodeMap, say: Phrasing) -> Place:
    last = name.replace("::", ".").rpartition(".")[2]
    found = [place for place in code_map.find_definitions(last) if _is_called(place, name)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise InvalidArguments(
            say(
                f"Nothing in the workspace is called `{name}`.",
                f"工作区中没有名为 `{name}` 的符号。",
            )
        )
    places = ", ".join(f"{place.path}:{place.line}" for place in found[:_MAX_NAMED])
    raise InvalidArguments(
        say(
            f"`{name}` is defined {len(found)} times ({places}). Name its file too.",
            f"`{name}` 有 {len(found)} 处定义（{places}）。请同时指明文件。",
        )
    )


def _is_called(place: Place, name: str) -> bool:
    dotted = name.replace("::", ".")
    if "." not in dotted or place.function is None:
        return True
    return f".{place.function.qualified_name}".endswith(f".{dotted}")


def _lines_of(definition: Named, source: SourceText) -> tuple[int, int]:
    first, last = definition.range.start.line, definition.range.end.line
    if isinstance(definition, TypeDefinition):
        last = max(last, first)
    return first, min(last, max(1, len(source.lines)))


def _make(
    request: AttachmentRequest,
    source: SourceText,
    lines: tuple[int, int] | None,
    point: Point | None = None,
) -> Attached:
    n_lines = max(1, len(source.lines))
    first, last = lines or (1, n_lines)
    first = min(first, n_lines)
    span = Span(source.name, first, max(first, min(last, n_lines)))
    if point is None and request.kind != "file":
        indented = source.lines[first - 1] if source.lines else ""
        point = Point(first, len(indented) - len(indented.lstrip()))
    return Attached(request, source, span, point, n_given=span.last_line - span.first_line + 1)


def find_focus(attached: Sequence[Attached]) -> Target | None:
    """Return the code that the first attached symbol or selection is about."""
    for each in attached:
        if each.source is not None and each.span is not None and each.point is not None:
            end = Point(each.span.last_line + 1, 0)
            selection = Range(Point(each.span.first_line, 0), end)
            is_selected = each.request.kind == "selection"
            return Target(each.source, each.point, selection if is_selected else None)
    return None


def fit_attached(attached: Sequence[Attached], room: int) -> tuple[Attached, ...]:
    """Cut what is attached to its share of `room` tokens: small things whole, large ones alike."""
    left = min(MAX_TOKENS, int(room * _SHARE_OF_ROOM))
    costs = {number: _count_tokens(each) for number, each in enumerate(attached)}
    fitted = list(attached)
    for n_done, number in enumerate(sorted(costs, key=costs.__getitem__)):
        share = left // (len(costs) - n_done)
        fitted[number] = _cut(attached[number], share)
        left -= min(costs[number], share)
    return tuple(fitted)


def _count_tokens(attached: Attached) -> int:
    return estimate_tokens("\n".join(attached.lines))


def _cut(attached: Attached, n_tokens: int) -> Attached:
    n_given = used = 0
    for line in attached.lines:
        used += estimate_tokens(line) + 1
        if used > n_tokens:
            break
        n_given += 1
    return replace(attached, n_given=n_given)
