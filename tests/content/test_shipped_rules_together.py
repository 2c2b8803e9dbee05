"""All shipped rules in one walk, without those that cannot match, find what each finds alone."""

import sysconfig
from collections.abc import Iterable
from pathlib import Path

import pytest

from content.test_shipped_rules import CHECKED, ROOT
from glossator.code.languages import find_language
from glossator.rules.combining import Query, find_nodes, make_query
from glossator.rules.fixes import find_offsets
from glossator.rules.trees import parse_tree
from glossator.rules.vocabulary import Vocabulary

QUERIES = [
    make_query(rule, check, number)
    for number, (rule, check) in enumerate(
        (rule, check) for rule in CHECKED for check in rule.checks
    )
]
EXAMPLES = [(each.language, each.text) for rule in CHECKED for each in rule.examples]
N_PACKAGE_FILES = 80
MAX_BYTES = 60_000


def list_real_files() -> list[Path]:
    """Return files of installed packages, spread over all of them, and our own TypeScript."""
    packages = sorted(Path(sysconfig.get_path("purelib")).rglob("*.py"))
    sample = packages[:: max(1, len(packages) // N_PACKAGE_FILES)]
    own = sorted((ROOT / "editor-client" / "vscode" / "src").rglob("*.ts*"))
    return [file for file in (*sample, *own[::3]) if file.stat().st_size < MAX_BYTES]


def find_together(text: str, language: str) -> set[tuple[str, int, int]]:
    vocabulary = Vocabulary(text)
    queries = [query for query in _select(language) if vocabulary.mentions_all(query.needs)]
    return _find(text, language, [queries])


def find_each_alone(text: str, language: str) -> set[tuple[str, int, int]]:
    return _find(text, language, [[query] for query in _select(language)])


def _select(language: str) -> list[Query]:
    return [query for query in QUERIES if language in query.check.languages]


def _find(text: str, language: str, walks: Iterable[list[Query]]) -> set[tuple[str, int, int]]:
    root = parse_tree(text, language)
    return {
        (query.rule.id, *find_offsets(node))
        for queries in walks
        for query, node in find_nodes(root, queries)[0]
    }


def test_in_their_examples_rules_find_together_what_each_finds_alone() -> None:
    texts = [(name, text) for name, text in EXAMPLES if _select(name)]

    assert len(texts) > 2 * len(CHECKED)
    for language, text in texts:
        assert find_together(text, language) == find_each_alone(text, language)


@pytest.mark.parametrize("file", list_real_files(), ids=lambda file: file.name)
def test_in_real_files_rules_find_together_what_each_finds_alone(file: Path) -> None:
    language = find_language(file.name, None)
    assert language is not None
    text = file.read_text(encoding="utf-8", errors="replace")

    assert find_together(text, language.id) == find_each_alone(text, language.id)
