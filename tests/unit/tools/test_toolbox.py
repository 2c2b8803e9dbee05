"""Calls as models write them: understood without guessing, or answered with advice."""

import json
from typing import Annotated, Any, Literal

import pytest

from glossator.core.errors import UnreadableFile
from glossator.core.messages import ToolCall
from glossator.tools.toolbox import Toolbox, ToolOutcome, make_toolbox

SEEN: list[dict[str, Any]] = []


async def read_lines(
    path: Annotated[str, "Where it is."],
    first: Annotated[int, "First line."] = 1,
    last: int | None = None,
    deep: bool = False,
    names: list[str] | None = None,
    order: Literal["up", "down"] = "up",
    share: float = 0.5,
) -> str:
    """Read lines.

    Second paragraph.
    """
    SEEN.append({"path": path, "first": first, "last": last, "deep": deep, "names": names})
    return f"read {path}\nmore"


async def list_all() -> str:
    """List."""
    return "all"


async def fail() -> str:
    """Fail."""
    raise UnreadableFile("`x` is broken; choose another.")


async def crash() -> str:
    """Have a fault of ours."""
    raise ZeroDivisionError


@pytest.fixture
def toolbox() -> Toolbox:
    SEEN.clear()
    return make_toolbox([read_lines, list_all, fail, crash])


async def run(toolbox: Toolbox, name: str, arguments: str) -> ToolOutcome:
    return await toolbox.run(ToolCall("1", name, arguments))


def test_schemas_are_plain_and_come_from_the_signature(toolbox: Toolbox) -> None:
    spec = toolbox.specs[0]

    assert (spec.name, spec.description) == ("read_lines", "Read lines.\n\nSecond paragraph.")
    assert spec.parameters == {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "Where it is."},
            "first": {"type": "integer", "description": "First line.", "default": 1},
            "last": {"type": "integer"},
            "deep": {"type": "boolean", "default": False},
            "names": {"type": "array", "items": {"type": "string"}},
            "order": {"type": "string", "enum": ["up", "down"], "default": "up"},
            "share": {"type": "number", "default": 0.5},
        },
        "required": ["path"],
    }
    assert toolbox.specs[1].parameters == {"type": "object", "properties": {}}
    text = json.dumps([spec.parameters for spec in toolbox.specs])
    assert not any(word in text for word in ("$ref", "$defs", "additionalProperties", "title"))


@pytest.mark.parametrize(
    "arguments",
    [
        '{"path": "a", "first": "10", "last": 20.0, "deep": "true"}',
        '"{\\"path\\": \\"a\\", \\"first\\": 10, \\"last\\": 20, \\"deep\\": true}"',
        ' {"path": "a", "first": 10, "last": "20", "deep": true, "names": null}\n',
    ],
)
async def test_what_loses_nothing_is_converted(toolbox: Toolbox, arguments: str) -> None:
    outcome = await run(toolbox, "read_lines", arguments)

    assert not outcome.is_error, outcome.text
    assert outcome.summary == "read a"
    assert SEEN == [{"path": "a", "first": 10, "last": 20, "deep": True, "names": None}]


async def test_lists_written_as_text_and_raw_line_breaks_are_taken(toolbox: Toolbox) -> None:
    await run(toolbox, "read_lines", '{"path": "a\nb\tc", "names": "[\\"x\\"]"}')

    assert SEEN[0]["path"] == "a\nb\tc"
    assert SEEN[0]["names"] == ["x"]


@pytest.mark.parametrize("arguments", ["", "  ", "null", "{}", '""', '"{}"'])
async def test_no_arguments_suit_a_tool_that_needs_none(toolbox: Toolbox, arguments: str) -> None:
    outcome = await run(toolbox, "list_all", arguments)

    assert outcome.text == "all"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("", "`path` (required)"),
        ("null", "arguments are missing"),
        ("{}", "`path` is required"),
        ('{"path": "a"}{"path": "b"}', "one call per object"),
        ('{"path": "a"}}', "not valid JSON"),
        ('{"path": "a"', "not valid JSON"),
        ('{\\n "path": "a"}', "not valid JSON"),
        ('[{"path": "a"}]', "one JSON object"),
        ('{"path": "a", "first": NaN}', "NaN"),
        ('{"path": "a", "first": 1e999}', "1e999"),
        ('{"path": "a", "share": -Infinity}', "-Infinity"),
        ('{"path": "a", "first": ' + "9" * 5000 + "}", "too large"),
        ('{"path": "a", "first": 1.5}', "`first`"),
        ('{"path": "a", "first": "ten"}', "`first`"),
        ('{"path": "a", "order": "sideways"}', "`order`"),
        ('{"path": ["a"]}', "`path`"),
        ("[" * 100_000, "arguments"),
        ('{"path": "' + "a" * 1_000_001 + '"}', "too long"),
        ('{"pth": "a"}', "no parameter `pth`"),
    ],
)
async def test_what_cannot_be_understood_runs_nothing_and_says_why(
    toolbox: Toolbox, arguments: str, said: str
) -> None:
    outcome = await run(toolbox, "read_lines", arguments)

    assert outcome.is_error
    assert "was not run" in outcome.text
    assert said in outcome.text
    assert len(outcome.text) < 600
    assert SEEN == []


async def test_an_unknown_parameter_is_ignored_and_said(toolbox: Toolbox) -> None:
    outcome = await run(toolbox, "read_lines", '{"path": "a", "encoding": "utf-8"}')

    assert not outcome.is_error
    assert "Ignored: `encoding`" in outcome.text


@pytest.mark.parametrize(
    "name",
    [
        "functions.read_lines", "read_lines:0", "read_lines<|channel|>commentary", " read_lines ",
        "`read_lines`", "default_api.read_lines", "read_lines()", "READ_LINES", "readLines",
    ],
)  # fmt: skip
async def test_decorated_names_are_known(toolbox: Toolbox, name: str) -> None:
    outcome = await run(toolbox, name, '{"path": "a"}')

    assert outcome.summary == "read a"


@pytest.mark.parametrize("name", ["search_web", "", "read", "READ_ALL", "\x1b[31mread\n" * 99])
async def test_an_unknown_tool_is_answered_with_the_real_ones(toolbox: Toolbox, name: str) -> None:
    outcome = await run(toolbox, name, "{}")

    assert outcome.is_error
    assert "`read_lines`, `list_all`" in outcome.text
    assert "\x1b" not in outcome.text


async def test_errors_of_the_world_are_text_and_faults_of_ours_raise(toolbox: Toolbox) -> None:
    outcome = await run(toolbox, "fail", "")

    assert outcome == ToolOutcome("`x` is broken; choose another.", True, outcome.text)
    with pytest.raises(ZeroDivisionError):
        await run(toolbox, "crash", "")
