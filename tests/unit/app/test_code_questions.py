"""Questions in plain words, put to this repository without any knowledge: code, or refused."""

import json
from collections import defaultdict
from pathlib import Path

import pytest

from glossator.app.checking.report import CheckReport
from glossator.app.grounds import find_grounds
from glossator.app.library import read_library
from glossator.core.text import SourceText
from glossator.tools.code_map import CodeMap
from glossator.tools.workspace import Workspace

_REPOSITORY = Path(__file__).parents[3]
_QUESTIONS = Path(__file__).parent / "data" / "code-questions.jsonl"


def check_nothing(source: SourceText) -> CheckReport:
    return CheckReport(source.scope, None, None, "clean")


@pytest.fixture(scope="module")
def answered() -> dict[tuple[str, str], float]:
    """The share of questions that are not refused, by kind and language."""
    workspace = Workspace([_REPOSITORY])
    code_map, library = CodeMap(workspace), read_library(())
    known = defaultdict(list)
    for line in _QUESTIONS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        grounds = find_grounds(row["question"], workspace, code_map, library, check=check_nothing)
        known[row["kind"], row["language"]].append(not grounds.is_unknown)
    return {key: sum(each) / len(each) for key, each in known.items()}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_questions_about_conventions_and_life_are_refused(
    answered: dict[tuple[str, str], float], language: str
) -> None:
    assert answered["foreign", language] <= 0.06


@pytest.mark.parametrize(("language", "least"), [("en", 0.85), ("zh", 0.65)])
def test_questions_about_code_that_is_there_are_answered(
    answered: dict[tuple[str, str], float], language: str, least: float
) -> None:
    assert answered["code", language] >= least
