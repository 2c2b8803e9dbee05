"""The knowledge and skills that ship with Glossator are complete, short and in both languages."""

import re
from pathlib import Path

import pytest
import yaml

from glossator.core.text import contains_chinese

ROOT = Path(__file__).parents[2]
KNOWLEDGE = sorted(ROOT.glob("knowledge/*.md"))
SKILLS = sorted(ROOT.glob("skills/*.md"))
FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
# Below a rule stands one line that says it in the other language.
TRANSLATION = re.compile(r"^  (?:中文：|English: ).*$", re.MULTILINE)


def split(path: Path) -> tuple[dict[str, object], str]:
    _, header, body = path.read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(header), body


def prose(path: Path) -> str:
    return FENCE.sub("", split(path)[1])


def count_words(text: str) -> int:
    """Count English words, and two Han characters as one word."""
    han = re.findall(r"[\u4e00-\u9fff]", text)
    return len(re.findall(r"[A-Za-z0-9][\w'./-]*", text)) + len(han) // 2


@pytest.mark.parametrize("path", [*KNOWLEDGE, *SKILLS], ids=lambda path: path.stem)
def test_the_header_is_complete(path: Path) -> None:
    header, _ = split(path)

    assert list(header) == ["name", "description", "keywords", "always", "globs"]
    assert header["name"] == path.stem
    assert isinstance(header["description"], str)
    assert isinstance(header["keywords"], list)
    assert len(header["keywords"]) >= 10
    assert len({str(word).casefold() for word in header["keywords"]}) == len(header["keywords"])
    assert any(contains_chinese(word) for word in header["keywords"])
    assert any(word.isascii() for word in header["keywords"])


@pytest.mark.parametrize("path", SKILLS, ids=lambda path: path.stem)
def test_a_skill_is_shorter_than_500_words_in_each_language(path: Path) -> None:
    text = prose(path)

    assert count_words(TRANSLATION.sub("", text)) < 500
    assert count_words("\n".join(TRANSLATION.findall(text))) < 500


@pytest.mark.parametrize("path", KNOWLEDGE, ids=lambda path: path.stem)
def test_knowledge_has_headings_that_sections_can_be_found_by(path: Path) -> None:
    headings = re.findall(r"^## (.+)$", prose(path), re.MULTILINE)

    assert len(headings) >= 5
    assert len(set(headings)) == len(headings)


def test_there_are_enough_documents_in_both_languages() -> None:
    for paths in (KNOWLEDGE, SKILLS):
        chinese = [path for path in paths if len(re.findall(r"[\u4e00-\u9fff]", prose(path))) > 200]
        assert len(paths) >= 6
        assert len(chinese) >= 2


@pytest.mark.parametrize("path", [*KNOWLEDGE, *SKILLS], ids=lambda path: path.stem)
def test_links_between_documents_resolve(path: Path) -> None:
    targets = [link.partition("#")[0] for link in LINK.findall(prose(path)) if "://" not in link]

    assert [target for target in targets if target and not (path.parent / target).exists()] == []
