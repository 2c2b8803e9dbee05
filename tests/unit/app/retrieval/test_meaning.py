"""Vectors follow the library in the background, whatever happens meanwhile."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import workbench
from glossator.app.byte_cache import ByteCache
from glossator.app.retrieval import meaning as meaning_module
from glossator.app.retrieval.meaning import Meaning
from glossator.app.retrieval.members import Members
from glossator.knowledge.documents import Document, parse_document
from glossator.knowledge.index import KnowledgeIndex
from glossator.semantic.foreign import QUESTIONS
from unit.semantic.encoders import MeaningEncoder

N_FOREIGN = len(QUESTIONS)


def write(number: int, text: str = "Text.") -> Document:
    return parse_document(f"# number {number}\n{text}\n", path=f"knowledge/{number}.md")


def build(*numbers: int) -> KnowledgeIndex:
    return KnowledgeIndex.build(write(number) for number in numbers)


@pytest.fixture
def encoder() -> MeaningEncoder:
    return MeaningEncoder((("number 1",), ("number 2",)))


@pytest.fixture
def cache(tmp_path: Path) -> ByteCache:
    return ByteCache(tmp_path / "vectors.sqlite3")


@pytest.fixture
def meaning(encoder: MeaningEncoder, cache: ByteCache) -> Iterator[Meaning]:
    meaning = Meaning(encoder, cache)
    yield meaning
    encoder.hold.set()
    meaning.close()


def follow(meaning: Meaning, index: KnowledgeIndex, *, compute: bool = True) -> tuple[int, int]:
    meaning.follow(index, compute=compute)
    assert meaning.wait(20)
    state = meaning.describe()
    return state.n_ready, state.n_sections


def test_a_changed_document_costs_its_own_sections(
    meaning: Meaning, encoder: MeaningEncoder
) -> None:
    index = build(1, 2, 3)
    assert follow(meaning, index) == (3, 3)
    asked = encoder.asked

    changed = index.replace([write(2, "Other text.")], ["knowledge/3.md"])

    assert follow(meaning, changed) == (2, 2)
    assert encoder.asked == asked + 1


def test_another_process_finds_what_was_computed(
    meaning: Meaning, encoder: MeaningEncoder, cache: ByteCache
) -> None:
    follow(meaning, build(1, 2))
    other_encoder = MeaningEncoder(())
    other = Meaning(other_encoder, ByteCache(cache.path))

    assert follow(other, build(1, 2, 3), compute=False) == (2, 3)
    assert other.is_ready
    assert other_encoder.asked == 0
    other.close()


def test_the_same_text_is_encoded_once(meaning: Meaning, encoder: MeaningEncoder) -> None:
    twins = [parse_document("# Same\nText.\n", path=f"{name}.md") for name in "abc"]

    assert follow(meaning, KnowledgeIndex.build(twins)) == (3, 3)
    assert encoder.asked == N_FOREIGN + 1


def test_a_newer_library_takes_the_place_of_one_that_is_under_way(
    meaning: Meaning, encoder: MeaningEncoder
) -> None:
    encoder.hold.clear()
    meaning.follow(build(*range(50)), compute=True)
    meaning.follow(build(1), compute=True)
    encoder.hold.set()

    assert meaning.wait(20)
    assert meaning.describe().n_sections == 1
    assert encoder.asked < N_FOREIGN + 10


def test_an_encoder_that_comes_back_goes_on_where_it_was(
    meaning: Meaning, encoder: MeaningEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meaning_module, "_FIRST_WAIT_S", 0.05)
    encoder.fail = "It is away."
    meaning = Meaning(encoder, meaning.cache)
    meaning.follow(build(1, 2), compute=True)
    assert encoder.refused.wait(20)
    assert not meaning.is_ready

    encoder.fail = ""

    assert meaning.wait(20)
    assert meaning.describe().n_ready == 2
    assert meaning.describe().problem == ""
    meaning.close()


def test_closing_does_not_wait_for_an_encoder_that_is_slow(
    meaning: Meaning, encoder: MeaningEncoder
) -> None:
    encoder.fail = "It is away."
    meaning.follow(build(1), compute=True)

    meaning.close()

    assert meaning.wait(1)
    assert "meaning" not in {thread.name for thread in threading.enumerate()}


def test_everything_is_computed_on_demand_with_its_progress(
    meaning: Meaning, encoder: MeaningEncoder
) -> None:
    told: list[tuple[int, int]] = []

    meaning.prepare(build(1, 2, 3), lambda done, total: told.append((done, total)))

    assert meaning.describe().n_ready == 3
    assert told[0] == (0, N_FOREIGN + 3)
    assert told == sorted(told)


async def test_other_settings_and_a_start_after_a_question_make_vectors_as_well(
    make_bench: workbench.MakeBench, encoder: MeaningEncoder, cache: ByteCache
) -> None:
    made: list[Meaning] = []

    def make_members() -> Members:
        made.append(Meaning(encoder, cache))
        return Members(made[-1])

    bench = make_bench(
        {"knowledge/a.md": "# Ledger\nIt is sealed.\n"},
        settings={"knowledge.bundled": False},
        make_members=make_members,
    )
    await bench.application.ask("When is the ledger sealed?")
    assert not made[-1].is_ready

    await bench.application.start()
    assert await asyncio.to_thread(made[-1].wait, 20)
    assert made[-1].describe().n_ready == 1

    await bench.application.change_settings({"knowledge.bundled": False, "check.onSave": False})
    assert await asyncio.to_thread(made[-1].wait, 20)
    assert len(made) == 2
    assert made[-1].describe().n_ready == 1
