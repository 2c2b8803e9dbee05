"""The engine against its formulas, written down once more in the plainest way."""

import math
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.knowledge import best_sections, lanes, posting_lists, scales
from glossator.knowledge import index as index_module
from glossator.knowledge.best_sections import find_best
from glossator.knowledge.documents import Document, Section, parse_document
from glossator.knowledge.index import HEADER_FACTOR, KnowledgeIndex
from glossator.knowledge.question import Question, parse_question
from glossator.knowledge.routing import is_about
from glossator.knowledge.section_words import count_words, find_header_words, select_sections
from glossator.knowledge.weightings import K1, B, Weighting
from glossator.knowledge.wording import read_wording

WORDS = ["cache", "cached", "retry", "缓存", "穿透", "缓存穿透", "the", "index", "use-effect", "x"]
TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
    | st.sampled_from(["# Alpha cache", "## Beta", "### 缓存", "", "- item"]),
    max_size=14,
).map("\n".join)
HEADERS = st.sampled_from(
    ["", "---\nkeywords: [cache, 缓存]\n---\n", "---\ndescription: the retry index\n---\n"]
)
LIBRARIES = st.dictionaries(
    st.sampled_from([f"{name}.md" for name in "abcdefgh"]),
    st.tuples(HEADERS, TEXTS).map("".join),
    max_size=8,
)
QUESTIONS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
WEIGHTINGS: tuple[Weighting, ...] = ("bm25", "cosine")


class Reference:
    """Every section scored by the book: nothing shared with the engine but the words."""

    def __init__(self, documents: list[Document]) -> None:
        self.rows = [
            (section, count_words(section), find_header_words(document))
            for document in documents
            for section in select_sections(document)
        ]

    def idf(self, word: str) -> float:
        n = sum(word in counts or word in header for _, counts, header in self.rows)
        return math.log(1 + (len(self.rows) - n + 0.5) / (n + 0.5))

    def score(self, question: Question, weighting: Weighting) -> list[tuple[float, Section]]:
        weights = {}
        for word, weight in question.terms:
            weights[word] = weight * self.idf(word)
            weights["@" + word] = weight * HEADER_FACTOR * self.idf("@" + word)
        measure = self._bm25 if weighting == "bm25" else self._cosine
        scored = [(measure(weights, Counter(c), h), section) for section, c, h in self.rows]
        found = [(score, section) for score, section in scored if score > 0]
        return sorted(found, key=lambda each: (-each[0], each[1].path, each[1].first_line))

    def _bm25(self, weights: dict[str, float], counts: Counter[str], header: set[str]) -> float:
        average = sum(sum(c.values()) for _, c, _ in self.rows) / len(self.rows)
        length = sum(counts.values())
        counts = counts + Counter(header)
        return sum(
            weight * n * (K1 + 1) / (n + K1 * (1 - B + B * length / max(1.0, average)))
            for word, weight in weights.items()
            if (n := counts[word])
        )

    def _cosine(self, weights: dict[str, float], counts: Counter[str], header: set[str]) -> float:
        norm = math.sqrt(sum((1 + math.log(n)) ** 2 for n in counts.values())) or 1.0
        asked = math.sqrt(sum(weight**2 for weight in weights.values())) or 1.0
        counts = counts + Counter(header)
        return sum(
            weight / asked * (1 + math.log(n)) / norm
            for word, weight in weights.items()
            if (n := counts[word])
        )


@given(LIBRARIES, QUESTIONS, st.integers(1, 20))
@settings(max_examples=60)
@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_the_scores_are_those_of_the_formula(
    weighting: Weighting, library: dict[str, str], text: str, limit: int
) -> None:
    documents = [parse_document(content, path=path) for path, content in library.items()]
    question = parse_question(text)
    index = KnowledgeIndex.build(documents)

    found = index.score(question, limit=limit, weighting=weighting)

    expected = Reference(documents).score(question, weighting)[:limit]
    assert [score for _, score in found] == pytest.approx([score for score, _ in expected])
    by_place = {(s.path, s.first_line): score for score, s in expected}
    for section, score in found:
        assert by_place.get((section.path, section.first_line), score) == pytest.approx(score)


@given(LIBRARIES, LIBRARIES, QUESTIONS, st.integers(1, 12), st.sampled_from([0, 3, 32, 10**6]))
@settings(max_examples=60)
@pytest.mark.parametrize("crowd", [0, 500])
@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_skipping_common_words_finds_exactly_what_reading_all_finds(
    weighting: Weighting,
    crowd: int,
    library: dict[str, str],
    changed: dict[str, str],
    text: str,
    limit: int,
    rare_share: int,
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        look_words_up_in_lanes(patch, rare_share)
        patch.setattr(lanes, "_CROWD", crowd)
        index = KnowledgeIndex.build(parse_all(library))
        patch.setattr(index_module, "_COMPACT_FROM", 500)
        index = index.replace(parse_all(changed), removed=[*library][:2])
        words = index._weigh(parse_question(text), weighting)
        scale = index.scales.find(weighting)

        found = find_best(words, scale, limit, index.scales.find_ground(weighting))

    assert found == find_best(words, scale, limit)


def look_words_up_in_lanes(patch: pytest.MonkeyPatch, rare_share: int) -> None:
    """Have an index of any size treat words as one of many sections does."""
    patch.setattr(best_sections, "_FEW_POSTINGS", 0)
    patch.setattr(best_sections, "_RARE_SHARE", rare_share)
    patch.setattr(index_module, "_COMPACT_FROM", 0)
    patch.setattr(scales, "_CHANGED_SHARE", 0)


def parse_all(library: dict[str, str]) -> list[Document]:
    return [parse_document(content, path=path) for path, content in library.items()]


def test_a_library_of_many_sections_is_searched_as_the_formula_says() -> None:
    chance = random.Random(5)
    words = [f"word{n}" for n in range(400)]
    shares = [1 / (rank + 1) for rank in range(len(words))]
    index = KnowledgeIndex.build(
        parse_document(
            "\n".join(
                f"## {n}\n\n{' '.join(chance.choices(words, shares, k=chance.randrange(5, 300)))}\n"
                for n in range(8)
            ),
            path=f"{number}.md",
        )
        for number in range(150)
    )

    for _ in range(40):
        question = parse_question(" ".join(chance.choices(words, shares, k=5)))
        for weighting in WEIGHTINGS:
            words_sought, scale = index._weigh(question, weighting), index.scales.find(weighting)
            found = find_best(words_sought, scale, 20, index.scales.find_ground(weighting))
            assert found == find_best(words_sought, scale, 20)


@given(LIBRARIES, QUESTIONS, st.sets(st.sampled_from([f"{n}.md" for n in "abcdefghz"])))
@settings(max_examples=40)
@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_searching_some_documents_is_searching_all_and_leaving_out_the_others(
    weighting: Weighting, library: dict[str, str], text: str, among: set[str]
) -> None:
    documents = [parse_document(content, path=path) for path, content in library.items()]
    index = KnowledgeIndex.build(documents)

    found = index.search(text, limit=99, among=among, weighting=weighting)

    everywhere = index.search(text, limit=99, weighting=weighting)
    assert found == tuple(hit for hit in everywhere if hit.section.path in among)


CHANGES = st.lists(
    st.tuples(
        st.lists(st.sampled_from([f"{name}.md" for name in "abcdefgh"]), max_size=3),
        st.none() | st.tuples(HEADERS, TEXTS).map("".join),
        st.booleans(),
    ),
    max_size=10,
)


@given(CHANGES, QUESTIONS, st.sampled_from([0, 3, 500]), st.sampled_from([0, 999]), st.booleans())
@settings(max_examples=50)
def test_any_history_ends_where_a_fresh_build_begins(
    tmp_path_factory: pytest.TempPathFactory,
    changes: list[tuple[list[str], str | None, bool]],
    text: str,
    compact_from: int,
    edit_factor: int,
    has_lanes: bool,
) -> None:
    file = tmp_path_factory.getbasetemp() / "history.index"
    current: dict[str, str] = {}
    question = parse_question(text)
    with pytest.MonkeyPatch.context() as patch:
        if has_lanes:
            look_words_up_in_lanes(patch, rare_share=3)
        patch.setattr(index_module, "_COMPACT_FROM", compact_from)
        patch.setattr(posting_lists, "_EDIT_FACTOR", edit_factor)
        index = KnowledgeIndex.build([])
        for paths, content, is_saved in changes:
            index = _change(index, current, paths, content)
            index.score(question, limit=3, weighting="bm25")
            index = index.save(file) if is_saved else index
        ours = [index.score(question, limit=30, weighting=each) for each in WEIGHTINGS]
        fresh = KnowledgeIndex.build(parse_all(current))

    assert dict(index.documents) == dict(fresh.documents)
    assert list(index.documents) == list(fresh.documents)
    assert index.n_sections == fresh.n_sections
    assert ours == [fresh.score(question, limit=30, weighting=each) for each in WEIGHTINGS]
    for weighting in WEIGHTINGS:
        assert index.search(text, weighting=weighting) == fresh.search(text, weighting=weighting)
    said = frozenset(["cache", "retry", "缓存", "index"])
    assert index.find_mentioned(said) == fresh.find_mentioned(said)


def _change(
    index: KnowledgeIndex, current: dict[str, str], paths: list[str], content: str | None
) -> KnowledgeIndex:
    if content is None:
        for path in paths:
            current.pop(path, None)
        return index.replace(removed=paths)
    current.update(dict.fromkeys(paths, content))
    return index.replace([parse_document(content, path=path) for path in paths])


def test_ties_are_ranked_by_path_and_line_whatever_came_first(tmp_path: Path) -> None:
    def parse(path: str) -> Document:
        return parse_document("# One\nsame words\n\n# Two\nsame words\n", path=path)

    index = KnowledgeIndex.build([parse("c.md")]).save(tmp_path / "x.index")
    index = index.replace([parse("d.md")]).replace([parse("a.md")]).replace([parse("b.md")])

    hits = index.search("same words", limit=5)

    places = [(hit.section.path, hit.section.first_line) for hit in hits]
    assert places == [("a.md", 1), ("a.md", 4), ("b.md", 1), ("b.md", 4), ("c.md", 1)]


@pytest.mark.parametrize("limit", [0, -1])
def test_no_hits_are_found_where_none_are_wanted(limit: int) -> None:
    assert (
        KnowledgeIndex.build([parse_document("cache", path="a")]).search("cache", limit=limit) == ()
    )


def test_a_word_that_stands_too_often_is_counted_as_often_as_can_be_kept() -> None:
    text = "# Many\n\nOften:\n" + "cache " * 70_000 + "\n\n# Few\n\ncache cache\n"
    index = KnowledgeIndex.build([parse_document(text, path="a.md")])

    assert {hit.section.title for hit in index.search("cache")} == {"Many", "Few"}
    assert index.search("cache") == KnowledgeIndex.build(index.documents.values()).search("cache")


def test_a_section_without_words_is_found_by_its_document_alone() -> None:
    text = "---\nkeywords: [cache]\n---\n***\n"
    index = KnowledgeIndex.build([parse_document(text, path="a.md")])

    for weighting in WEIGHTINGS:
        assert len(index.search("cache", weighting=weighting)) == 1


@given(LIBRARIES, QUESTIONS)
@settings(max_examples=60)
def test_every_document_that_a_question_is_about_is_looked_at(
    library: dict[str, str], text: str
) -> None:
    documents = [parse_document(content, path=path) for path, content in library.items()]
    wording = read_wording(text)

    mentioned = KnowledgeIndex.build(documents).find_mentioned(wording.said)

    about = {document.path for document in documents if is_about(document, wording)}
    assert about <= {document.path for document in mentioned}


def test_a_word_that_names_very_many_documents_names_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(index_module, "MOST_MENTIONED", 2)
    texts = dict.fromkeys(("a.md", "b.md"), "---\nkeywords: [cache]\n---\nText.\n")
    index = KnowledgeIndex.build(parse_document(text, path=path) for path, text in texts.items())
    index = index.save(tmp_path / "x.index")
    another = parse_document("---\nkeywords: [cache, retry]\n---\nText.\n", path="c.md")

    assert [d.path for d in index.find_mentioned({"cach"})] == ["a.md", "b.md"]
    assert index.replace([another]).find_mentioned({"cach"}) == ()
    assert index.replace([another]).find_mentioned({"retri", "retry"}) == (another,)
    assert len(index.replace([another], removed=["a.md"]).find_mentioned({"cach"})) == 2


def test_documents_of_a_mode_are_known_by_path(tmp_path: Path) -> None:
    plain = parse_document("Text.\n", path="a.md")
    manual, always = replace(plain, path="m.md", manual=True), replace(plain, path="z", always=True)
    index = KnowledgeIndex.build([plain, manual, always])

    for made in (index, index.save(tmp_path / "x.index")):
        assert (made.manual, made.always) == ({"m.md"}, {"z"})
        assert made.replace(removed=["m.md"]).manual == frozenset()


@pytest.mark.parametrize("place", [320, 639], ids=["amid others", "last"])
def test_the_section_that_has_all_of_very_many_common_words_is_found(place: int) -> None:
    words = [f"{first}{second}u" for first in "bdfgklmnprtv" for second in "aeiobdfgklm"][:100]
    draw = random.Random(100)
    header = f"---\ndescription: {' '.join(words)}\n---\n"
    bodies = [" ".join(draw.choices(words, k=60)) for _ in range(640)]
    bodies[place] = " ".join(words * 33)
    index = KnowledgeIndex.build(
        parse_document(f"{header}# T\n\n{body}\n", path=f"{number:03}.md")
        for number, body in enumerate(bodies)
    )

    for weighting in WEIGHTINGS:
        found = index.search(" ".join(words), limit=1, weighting=weighting)
        assert [hit.section.path for hit in found] == [f"{place:03}.md"]
