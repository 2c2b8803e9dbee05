import os
from pathlib import Path

import pytest

from glossator.lsp import answers
from glossator.lsp.answers import write_answer


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.mark.parametrize("title", ["", "Explain `a.b`", "../../etc/passwd", "错误" * 500, "a\nb"])
def test_an_answer_is_a_markdown_file_whatever_its_title(title: str, tmp_path: Path) -> None:
    path = write_answer(title, "text")

    assert path.is_relative_to(tmp_path)
    assert path.suffix == ".md"
    assert len(os.fsencode(path.name)) < 255
    assert path.read_text(encoding="utf-8") == "text\n"


def test_only_the_user_can_read_it() -> None:
    path = write_answer("a", "text")

    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0


def test_the_same_title_is_the_same_file() -> None:
    assert write_answer("a", "one") == write_answer("a", "two")
    assert write_answer("a/b", "one") != write_answer("a b", "two")


def test_old_answers_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "_MAX_KEPT", 3)

    for number in range(6):
        path = write_answer(f"answer {number}", "text")
        os.utime(path, (number, number))
    write_answer("the last", "text")

    assert len(list(path.parent.iterdir())) == 3


def test_half_a_character_does_not_lose_an_answer() -> None:
    assert write_answer("a", "\ud83d").read_text(encoding="utf-8") == "?\n"
