import pytest

from glossator.citations.finding import find_citations
from glossator.citations.judging import Judgement, judge
from glossator.core.text import SourceText

STORE = SourceText(
    "src/store.py",
    "class Store:\n    def load(self):\n        return 1\n\n    def save(self):\n        pass\n",
)
FILES = {"src/store.py": STORE, "src/仓库.py": SourceText("src/仓库.py", "x = 1\n")}


def judged(answer: str) -> Judgement:
    [cited] = find_citations(answer)
    return judge(cited, FILES.get, names_around)


def names_around(source: SourceText, line: int) -> list[str]:
    return ["save", "saved?"] if (source, line) == (STORE, 6) else []


@pytest.mark.parametrize(
    ("answer", "verdict", "place"),
    [
        ("`load` src/store.py:2", "exact", "src/store.py:2"),
        ("`Store.load()` src/store.py:2-3", "exact", "src/store.py:2-3"),
        ("`save` src/store.py:2", "moved", "src/store.py:5"),
        ("`save` src/store.py:6", "exact", "src/store.py:6"),
        ("`Store.saved?` src/store.py:6", "exact", "src/store.py:6"),
        ("`save` src/store.py:99", "moved", "src/store.py:5"),
        ("`save` src/store.py:0", "moved", "src/store.py:5"),
        ("`find(1).load` src/store.py:2", "exact", "src/store.py:2"),
        ("`$this->load` src/store.py:2", "exact", "src/store.py:2"),
        ("`store.load?` src/store.py:2", "exact", "src/store.py:2"),
        ("`Store::load(f(1))` src/store.py:2", "exact", "src/store.py:2"),
        ("“return 1” src/store.py:1", "moved", "src/store.py:3"),
        ("src/store.py:4", "exact", "src/store.py:4"),
        ("src/store.py:6-4", "exact", "src/store.py:4-6"),
        ("src\\store.py:4", "exact", "src/store.py:4"),
        ("src/store.py:99", "missing", "src/store.py:99"),
        ("src/store.py:0", "missing", "src/store.py:0"),
        ("src/store.py:5-99", "missing", "src/store.py:5-99"),
        ("src/nowhere.py:1", "missing", "src/nowhere.py:1"),
        ("参见src/仓库.py：1", "exact", "src/仓库.py:1"),
    ],
)
def test_a_citation_is_judged_by_what_stands_there(answer: str, verdict: str, place: str) -> None:
    judgement = judged(answer)

    assert (judgement.verdict, str(judgement.place)) == (verdict, place)


def test_a_name_inside_a_longer_word_does_not_count() -> None:
    assert judged("`av` src/store.py:5").verdict == "exact"
    assert judged("`load` src/store.py:5").verdict == "moved"
