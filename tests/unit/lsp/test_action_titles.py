from typing import Any

from glossator.core.text import SourceText
from glossator.lsp.action_titles import tell_apart

SOURCE = SourceText("a.py", "🙂(1); f(2)\nf(3)\n")


def action(title: str, code: str, start: int, end: int, *, edit: str = "") -> dict[str, Any]:
    place = {"start": {"line": 0, "character": start}, "end": {"line": 0, "character": end}}
    found = {"code": code, "range": place}
    return {"title": title, "edit": edit or f"{code}{start}", "diagnostics": [found]}


def titles(*actions: dict[str, Any]) -> list[str]:
    return [each["title"] for each in tell_apart(actions, SOURCE, "utf-16")]


def test_equal_titles_get_the_code_that_each_is_about() -> None:
    assert titles(action("Fix", "r", 0, 5), action("Fix", "r", 7, 11)) == [
        "Fix (`🙂(1)`)", "Fix (`f(2)`)",
    ]  # fmt: skip


def test_of_the_same_code_they_get_the_rule() -> None:
    assert titles(action("Fix", "one", 0, 5), action("Fix", "two", 0, 5)) == [
        "Fix (`one`)", "Fix (`two`)",
    ]  # fmt: skip


def test_what_does_the_same_stands_once() -> None:
    same = action("Ignore", "r", 0, 5, edit="x"), action("Ignore", "r", 7, 11, edit="x")

    assert titles(*same) == ["Ignore"]


def test_titles_that_differ_stay_as_they_are() -> None:
    assert titles(action("Fix", "r", 0, 5), action("Ignore", "r", 0, 5)) == ["Fix", "Ignore"]
