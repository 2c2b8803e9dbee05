"""The index of 2,000 and of 50,000 sections: questions, a changed file, the file it is kept in.

The sections are of real text: documentation strings of Python's library and of the installed
packages; one in five is Chinese, of made-up words as frequent as words are in prose. scikit-learn,
bm25s (dependency group `bench`) and SQLite FTS5 get the same words of the same sections.
"""

import random
import re
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TypeVar

from benchmarks.measuring import Goal, Result, in_turns, percentile
from benchmarks.places import Ground
from benchmarks.retrieval_peers import build_bm25s, build_fts5, build_tfidf
from glossator.knowledge.documents import Document, parse_document
from glossator.knowledge.index import KnowledgeIndex
from glossator.knowledge.routing import POOL
from glossator.knowledge.weightings import Weighting
from glossator.knowledge.words import find_words

_T = TypeVar("_T")

_SIZES = ((2_000, 1.0, 200), (50_000, 5.0, 60))
"""Sections, the goal for a question in milliseconds, and how many questions are asked."""

_SECTION_CHARS = 700
_SECTIONS_A_FILE = 6
_CHINESE_SHARE = 0.2
_N_CHINESE_WORDS = 5_000
_N_CHINESE_SENTENCES = 20_000
_REPOSITORY = Path(__file__).parents[2]
_STRING = re.compile(r'"""(.{120,4000}?)"""', re.DOTALL)
_HAN = re.compile("[\u4e00-\u9fff]")
_PLAIN = str.maketrans({"+": "p", "#": "s", ".": "d"})
_LOAD_GOAL = Goal(1_000)
_N_CHANGES = 40


def measure(ground: Ground) -> Iterator[Result]:
    """Build, ask, change, keep and load; small first."""
    texts = _make_texts(max(size for size, _, _ in _SIZES))
    for n_sections, goal_ms, n_questions in _SIZES:
        documents = _make_documents(texts[:n_sections])
        index, build_ms = _time(lambda: KnowledgeIndex.build(documents))  # noqa: B023 - called at once
        label = f"{index.n_sections:,} sections"
        yield Result(f"index, {label}: build (words included)", build_ms)
        questions = _make_questions(documents, n_questions)
        yield from _measure_questions(index, label, questions, texts[:n_sections], goal_ms)
        yield from _measure_changes(index, label, documents)
        yield from _measure_file(index, label, ground.folder / f"{n_sections}.index")


@dataclass(frozen=True, slots=True)
class _Asked:
    name: str
    search: Callable[[str], object]


def _measure_questions(
    index: KnowledgeIndex,
    label: str,
    questions: Sequence[str],
    texts: Sequence[str],
    goal_ms: float,
) -> Iterator[Result]:
    """Ask each engine each question in turns; the sure ones of a pool are told from the others."""
    peers = list(_build_peers(texts))
    for weighting in ("bm25", "cosine"):
        ours = _Asked("ours", _make_search(index, weighting))
        engines = [ours, *peers] if weighting == "bm25" else [ours]
        times = _ask(engines, questions)
        what = f"index, {label}: question ({weighting}, {POOL} judged)"
        own = times[0]
        yield Result(f"{what}, p50", median(own), goal=Goal(goal_ms))
        for peer, taken in zip(peers, times[1:], strict=False):
            yield Result(f"{what}, p50", median(own), "ms", median(taken), peer.name)
        yield Result(f"{what}, p95", percentile(own, 0.95))


def _make_search(index: KnowledgeIndex, weighting: Weighting) -> Callable[[str], object]:
    return lambda question: index.search(question, limit=POOL, weighting=weighting)


def _ask(engines: Sequence[_Asked], questions: Sequence[str]) -> list[list[float]]:
    for each in engines:
        each.search(questions[0])
    times: list[list[float]] = [[] for _ in engines]
    for question in questions:
        runs = [lambda each=each: _time(lambda: each.search(question))[1] for each in engines]  # noqa: B023 - called at once
        for taken, found in zip(in_turns(3, *runs), times, strict=True):
            found.append(median(taken))
    return times


def _build_peers(texts: Sequence[str]) -> Iterator[_Asked]:
    """Build the engines that are installed; say which are not."""
    builders: dict[str, Callable[[], Callable[[str, int], object]]] = {
        "SQLite FTS5": lambda: build_fts5(list(map(_join, texts)), "unicode61", _join),
        "bm25s": lambda: build_bm25s(texts, find_words),
        "TfidfVectorizer": lambda: build_tfidf(
            texts, {"analyzer": find_words, "sublinear_tf": True}
        ),
    }
    for name, build in builders.items():
        try:
            search, build_ms = _time(build)
        except ImportError as error:
            print(f"index: {name} is left out: {error}", file=sys.stderr)
            continue
        print(f"index: {name} built in {build_ms:,.0f} ms", file=sys.stderr)
        yield _Asked(name, lambda question, search=search: search(question, POOL))


def _join(text: str) -> str:
    """Return our words with nothing in them that FTS5 would cut."""
    return " ".join(word.translate(_PLAIN) for word in find_words(text))


def _measure_changes(
    index: KnowledgeIndex, label: str, documents: Sequence[Document]
) -> Iterator[Result]:
    """Change one file after the other, and measure what building anew would cost instead."""
    chooser = random.Random(2)
    taken = []
    for number in range(_N_CHANGES):
        old = chooser.choice(documents)
        new = parse_document(f"{old.text}\nOne more line, {number}.\n", path=old.path)
        index, ms = _time(lambda: index.replace([new]))  # noqa: B023 - called at once
        taken.append(ms)
    yield Result(f"index, {label}: one changed file, p50", median(taken))
    yield Result(f"index, {label}: one changed file, p95", percentile(taken, 0.95))


def _measure_file(index: KnowledgeIndex, label: str, file: Path) -> Iterator[Result]:
    _, save_ms = _time(lambda: index.save(file))
    yield Result(f"index, {label}: written to a file, in the background", save_ms)
    yield Result(f"index, {label}: size of the file", file.stat().st_size / 1e6, "MB")
    question = "how is a file read"

    def load() -> float:
        return _time(lambda: KnowledgeIndex.load(file).search(question))[1]

    def read() -> float:
        return _time(file.read_bytes)[1]

    load()
    loads, reads = in_turns(7, load, read)
    what = f"index, {label}: loaded, to the first answer"
    yield Result(what, median(loads), "ms", median(reads), "reading the bytes", _LOAD_GOAL)
    yield Result(f"index, {label}: memory that is taken by it loaded", _find_memory(file), "MB")


def _find_memory(file: Path) -> float:
    """Return by how much a fresh process grows that loads the index and asks twenty questions."""
    program = (
        "import sys, pathlib\n"
        "from glossator.knowledge.index import KnowledgeIndex\n"
        "def rss(): return int(open('/proc/self/statm').read().split()[1]) * 4096\n"
        "KnowledgeIndex.build([]).search('how is a file read 读取')\n"
        "before = rss()\n"
        "index = KnowledgeIndex.load(pathlib.Path(sys.argv[1]))\n"
        "words = 'file read error index class default 文件 索引 list string'.split()\n"
        "for word in words: index.search(word); index.search(f'how to {word} a value')\n"
        "print((rss() - before) / 1e6)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def _make_texts(n_texts: int) -> list[str]:
    """Return the text of so many sections: the first hundred are as mixed as all are."""
    chooser = random.Random(1)
    english, chinese = _read_english(), _make_chinese(chooser)
    texts = []
    while len(texts) < n_texts:
        if chooser.random() < _CHINESE_SHARE:
            text = "".join(chooser.choices(chinese, k=12))
        else:
            text = "\n\n".join(chooser.choices(english, k=3))
        texts.append(text[: chooser.randrange(_SECTION_CHARS // 3, _SECTION_CHARS * 2)])
    return texts


def _read_english() -> list[str]:
    found: dict[str, None] = {}
    for folder in (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")):
        for file in sorted(Path(folder).rglob("*.py")):
            try:
                source = file.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                continue
            found.update((" ".join(text.split()), None) for text in _STRING.findall(source))
    return list(found)


def _make_chinese(chooser: random.Random) -> list[str]:
    """Return sentences of words of two characters, some of them far more frequent than others."""
    prose = "".join(file.read_text(encoding="utf-8") for file in _list_prose())
    characters = list(dict.fromkeys(_HAN.findall(prose)))
    words = ["".join(chooser.choices(characters, k=2)) for _ in range(_N_CHINESE_WORDS)]
    shares = [1 / (rank + 3) for rank in range(len(words))]
    lengths = (chooser.randrange(5, 20) for _ in range(_N_CHINESE_SENTENCES))
    return ["".join(chooser.choices(words, shares, k=length)) + "。" for length in lengths]


def _list_prose() -> list[Path]:
    return sorted(
        file
        for file in _REPOSITORY.rglob("*.md")
        if ".venv" not in file.parts and "node_modules" not in file.parts
    )


def _make_documents(texts: Sequence[str]) -> list[Document]:
    documents = []
    for start in range(0, len(texts), _SECTIONS_A_FILE):
        some = texts[start : start + _SECTIONS_A_FILE]
        sections = (f"## {_shorten(text, 4)}\n\n{text}\n" for text in some)
        path = f"folder{start % 97}/file{start}.md"
        documents.append(parse_document("\n".join(sections), path=path))
    return documents


def _make_questions(documents: Sequence[Document], n_questions: int) -> list[str]:
    """Return headings, pieces of sentences, and headings in the frame of a question."""
    chooser = random.Random(3)
    questions = []
    while len(questions) < n_questions:
        section = chooser.choice(chooser.choice(documents).sections)
        sentence = _shorten(section.text[chooser.randrange(len(section.text)) :], 6)
        is_chinese = _HAN.match(section.title) is not None
        frame = f"{section.title}怎么用？" if is_chinese else f"How do I use {section.title}?"
        questions.append(chooser.choice([section.title, sentence, frame]))
    return questions


def _shorten(text: str, n_words: int) -> str:
    """Return the first words of a text, of Chinese twice as many characters."""
    if _HAN.match(text):
        return text[: 2 * n_words]
    return " ".join(re.sub("[^\\w.]+", " ", text).split()[:n_words]) or "nothing"


def _time(work: Callable[[], _T]) -> tuple[_T, float]:
    began = time.perf_counter()
    outcome = work()
    return outcome, (time.perf_counter() - began) * 1000
