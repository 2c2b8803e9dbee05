"""Ten thousand files appear, change and vanish at random while questions are asked of the index."""

import gc
import queue
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from glossator.knowledge.documents import Document, parse_document
from glossator.knowledge.index import KnowledgeIndex
from glossator.knowledge.overlay import Placed, WordTable
from glossator.knowledge.posting_lists import PostingList
from glossator.knowledge.weightings import Weighting

N_FILES = 10_000
MOST_AT_ONCE = 300
N_TEXTS = 120
N_ASKING = 2
SAVE_EVERY = 40

WORDS = (
    *("cache", "retry", "timeout", "queue", "index", "column", "deploy", "rollback", "lock"),
    *("缓存", "穿透", "重试", "超时", "队列", "索引", "部署", "回滚", "告警", "分片", "令牌"),
)
QUESTIONS = ("how do I retry a timeout", "缓存 穿透 怎么办", "rollback 部署", "deploy lock", "索引")
WEIGHTINGS: tuple[Weighting, ...] = ("bm25", "cosine")


class Churn:
    """Files as they are at present, and the changes that make them other ones."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._texts = [parse_document(self._make_text(), path="") for _ in range(N_TEXTS)]
        self.files: dict[str, Document] = {}
        self.n_seen = 0

    def _make_text(self) -> str:
        choose = self._random.choices
        header = (
            f"---\nkeywords: [{choose(WORDS)[0]}]\n---\n" if self._random.random() < 0.3 else ""
        )
        own = f"word{self._random.randrange(10**9)}"
        sections = (
            f"## {choose(WORDS)[0]}\n{' '.join(choose(WORDS, k=5))} {own}\n"
            for _ in "ab"[: choose((1, 2))[0]]
        )
        return header + "\n".join(sections)

    def _make_file(self, path: str) -> Document:
        text = self._random.choice(self._texts)
        sections = tuple(replace(section, path=path) for section in text.sections)
        return replace(text, path=path, sections=sections)

    def step(self) -> tuple[list[Document], list[str]]:
        """Change some files at once: return those that are new or other, and those gone."""
        n_new = min(self._random.randrange(120), N_FILES - self.n_seen)
        new = [f"folder{n % 7}/file{n}.md" for n in range(self.n_seen, self.n_seen + n_new)]
        self.n_seen += n_new
        there = list(self.files)
        other = self._random.sample(there, min(len(there), self._random.randrange(20)))
        n_gone = max(self._random.randrange(90), len(there) - MOST_AT_ONCE)
        gone = self._random.sample(there, min(len(there), n_gone))
        changed = [self._make_file(path) for path in (*new, *other)]
        for path in gone:
            del self.files[path]
        changed = [each for each in changed if each.path not in gone]
        self.files.update((each.path, each) for each in changed)
        return changed, [*gone, "never.md"]


def ask(indexes: "queue.Queue[KnowledgeIndex | None]", seed: int) -> int:
    """Ask each index that comes, while others are made; return how many answers there were."""
    chooser = random.Random(seed)
    n_answered = 0
    while (index := indexes.get()) is not None:
        for question in chooser.sample(QUESTIONS, 1):
            hits = index.search(question, limit=4, weighting=chooser.choice(WEIGHTINGS))
            n_answered += bool(hits)
            for hit in hits:
                assert hit.section in index.documents[hit.section.path].sections
    return n_answered


def count_alive() -> dict[type, int]:
    gc.collect()
    kinds = (KnowledgeIndex, PostingList, Placed, WordTable)
    return {kind: sum(type(each) is kind for each in gc.get_objects()) for kind in kinds}


def search_all(index: KnowledgeIndex) -> Iterator[object]:
    for question in QUESTIONS:
        for weighting in WEIGHTINGS:
            yield index.search(question, limit=50, weighting=weighting)


def test_ten_thousand_files_come_and_go_while_questions_are_asked(tmp_path: Path) -> None:
    before = count_alive()
    churn = Churn(seed=11)
    index = KnowledgeIndex.build(churn.step()[0])
    indexes: queue.Queue[KnowledgeIndex | None] = queue.Queue(maxsize=2 * N_ASKING)
    n_steps = 0
    with ThreadPoolExecutor(N_ASKING) as threads:
        asked = [threads.submit(ask, indexes, seed) for seed in range(N_ASKING)]
        while churn.n_seen < N_FILES and not any(each.done() for each in asked):
            index = index.replace(*churn.step())
            n_steps += 1
            if n_steps % SAVE_EVERY == 0:
                index = index.save(tmp_path / "knowledge.index")
            indexes.put(index)
        for _ in asked:
            indexes.put(None)
    assert all(each.result() > n_steps / N_ASKING / 4 for each in asked)

    fresh = KnowledgeIndex.build(churn.files.values())
    assert dict(index.documents) == churn.files
    assert index.n_sections == fresh.n_sections
    assert list(search_all(index)) == list(search_all(fresh))

    del fresh
    index = index.replace(removed=list(churn.files))
    assert index.n_sections == 0
    assert not any(index.search(question) for question in QUESTIONS)
    index = index.save(tmp_path / "knowledge.index")
    kept = count_alive()
    assert kept[PostingList] == before[PostingList]
    assert kept[Placed] == before[Placed]
    assert kept[KnowledgeIndex] == before[KnowledgeIndex] + 1


def test_an_index_that_was_never_saved_forgets_what_is_gone() -> None:
    before = count_alive()
    churn = Churn(seed=12)
    first = churn.step()[0]
    index = KnowledgeIndex.build([]).replace(first)
    alive = count_alive()

    for _ in range(20):
        index = index.replace(*churn.step())
    index = index.replace(removed=list(index.documents))
    assert count_alive()[PostingList] == before[PostingList]

    index = index.replace(first)
    assert count_alive() == alive
