"""What finding by meaning adds to words, what it lets through, and what it costs.

The documents of `tests/unit/knowledge/data` stand in English and in Chinese, with questions in both
languages and foreign ones. Asking one half in the language of the other shows what words cannot
find, unless their table of synonyms knows it.

Measured when the thresholds were chosen (`foreign.SPREAD`, `fusion.SAME_LANGUAGE`, the encoder's
`least_cosine`): of the 190 foreign questions of `data/foreign.jsonl` put to seven collections (39
to 997 sections, these and the documentation of three projects) 24 of 1,330 pass by words and 25
with meaning: 98.1 % stay refused. Of the 64 foreign ones here, put to three collections, 3 of 192
pass by words and 6 with meaning. Near questions, about the same tools, pass more often: of 350 of
that file 84 by words, 101 with meaning.
"""

import resource
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

from benchmarks.editor import Editor
from benchmarks.measuring import Goal, Result, percentile
from benchmarks.places import OUR_SERVER, Ground
from glossator.app.byte_cache import ByteCache
from glossator.app.library import Library, read_library
from glossator.app.retrieval.meaning import Meaning
from glossator.app.retrieval.members import Members
from glossator.app.retrieval.retrieving import Find, Query, Seeker, find_knowledge
from glossator.knowledge.documents import parse_document
from glossator.knowledge.index import KnowledgeIndex
from glossator.knowledge.routing import Found
from glossator.semantic.local import LocalEncoder

_DATA = Path(__file__).parents[1] / "unit" / "knowledge" / "data"
_LANGUAGES = ("english", "chinese")
_N_LARGE = 50_000

Known = Sequence[tuple[str, str]]


def measure(ground: Ground) -> Iterator[Result]:
    """Ask both halves in both languages; then measure what it takes."""
    with (_DATA / "questions.toml").open("rb") as file:
        questions = tomllib.load(file)
    encoder = LocalEncoder()
    cache = ByteCache(ground.folder / "vectors.sqlite3")
    try:
        for half in _LANGUAGES:
            meaning = Meaning(encoder, cache)
            library = _read_half(half)
            meaning.follow(library.index, compute=True)
            meaning.wait(300)
            for asked in _LANGUAGES:
                find = Seeker(Members(meaning)).find
                title = f"{half} documents asked in {asked}"
                yield from _measure_finding(title, library, questions[asked], find)
            yield from _measure_time(half, library, meaning, questions)
    finally:
        encoder.close()
        cache.close()
    yield _measure_cost(ground)
    yield _measure_many()
    yield from _measure_waiting(ground)


def _read_half(language: str) -> Library:
    files = [
        file
        for file in sorted((_DATA / "team").glob("*.md"))
        if file.stem.endswith("-zh") == (language == "chinese")
    ]
    documents = [parse_document(file.read_text(encoding="utf-8"), path=file.name) for file in files]
    return replace(read_library(()), index=KnowledgeIndex.build(documents))


def _measure_finding(
    title: str, library: Library, questions: dict[str, list[object]], find: Find
) -> Iterator[Result]:
    names = _name_documents(library)
    known = [(str(question), str(name)) for question, name in questions["known"]]  # type: ignore[misc]  # Pairs, says the file.
    for what, score in (
        ("MRR of the document", _find_mrr(library, known, names, find)),
        ("questions answered, %", 100 * _share_found(library, [q for q, _ in known], find)),
    ):
        words = (
            _find_mrr(library, known, names, find_knowledge)
            if what.startswith("MRR")
            else 100 * _share_found(library, [q for q, _ in known], find_knowledge)
        )
        yield Result(f"{title}: {what}", score, "", words, "words alone")
    foreign = [str(each) for each in questions["unknown"]]
    passed = 100 * _share_found(library, foreign, find)
    words = 100 * _share_found(library, foreign, find_knowledge)
    yield Result(f"{title}: foreign questions that pass, %", passed, "", words, "words", Goal(5))


def _name_documents(library: Library) -> dict[str, str]:
    """Map names of documents, which the questions use, to what both languages have in common."""
    return {
        name: document.path.removesuffix(".md").removesuffix("-zh")
        for document in library.index.documents.values()
        for name in (document.name, document.path.removesuffix(".md"))
    }


def _find_mrr(library: Library, known: Known, names: dict[str, str], find: Find) -> float:
    subjects = _SUBJECTS | names
    total = 0.0
    for question, name in known:
        outcome = find(library, Query(question))
        if isinstance(outcome, Found):
            found = [names[Path(hit.section.path).stem] for hit in outcome.hits]
            wanted = subjects.get(name, name)
            total += 1 / (found.index(wanted) + 1) if wanted in found else 0.0
    return total / len(known)


_SUBJECTS = {
    "Python 编码约定": "python",
    "前端组件约定": "react",
    "数据库规范": "database",
    "接口规范": "http-api",
    "测试约定": "testing",
    "Git 工作流": "git",
}
"""What the Chinese documents are called, and their English counterparts."""


def _share_found(library: Library, questions: Sequence[str], find: Find) -> float:
    return sum(isinstance(find(library, Query(each)), Found) for each in questions) / len(questions)


def _measure_time(
    half: str, library: Library, meaning: Meaning, questions: dict[str, dict[str, list[object]]]
) -> Iterator[Result]:
    asked = [str(each[0]) for each in questions[half]["known"]]  # type: ignore[index]  # Pairs, says the file.
    seeker = Seeker(Members(meaning))
    ours = [_time_ms(lambda each=each: seeker.find(library, Query(each))) for each in asked]  # type: ignore[misc]  # A default has no type.
    words = [_time_ms(lambda each=each: find_knowledge(library, Query(each))) for each in asked]  # type: ignore[misc]
    yield Result(f"a question in {half}, p50", median(ours), "ms", median(words), "words alone")
    yield Result(
        f"a question in {half}, p95", percentile(ours, 0.95), "ms", percentile(words, 0.95), "words"
    )


def _time_ms(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000


def _measure_cost(ground: Ground) -> Result:
    """Measure the CPU of a section, in the process that ends with the encoder."""
    texts = [
        section.text
        for file in sorted((ground.knowledge / "knowledge").rglob("*.md"))[:40]
        for section in parse_document(file.read_text(encoding="utf-8"), path=file.name).sections
    ][:200]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    encoder = LocalEncoder()
    encoder.encode(texts[:1], timeout_s=60)
    encoder.close()
    loading = resource.getrusage(resource.RUSAGE_CHILDREN)
    encoder = LocalEncoder()
    encoder.encode(texts, timeout_s=300)
    encoder.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    load_s = loading.ru_utime - before.ru_utime
    cpu_s = after.ru_utime - loading.ru_utime - load_s
    return Result("CPU of a section's vector", 1000 * cpu_s / len(texts), "ms")


def _measure_many() -> Result:
    """Measure how long it takes to compare a question with very many vectors."""
    import numpy as np

    from glossator.semantic.nearest import VectorTable

    rng = np.random.default_rng(1)
    matrix = rng.normal(size=(_N_LARGE, 512)).astype(np.float32)
    places = tuple((f"{number}.md", 1) for number in range(_N_LARGE))
    table = VectorTable(places, tuple(str(n).encode() for n in range(_N_LARGE)), matrix)
    question = rng.normal(size=(1, 512)).astype(np.float32)
    samples = [_time_ms(lambda: table.find_nearest(question, 40)) for _ in range(15)]
    return Result(f"the nearest of {_N_LARGE:,} vectors", median(samples), "ms", goal=Goal(100))


def _measure_waiting(ground: Ground) -> Iterator[Result]:
    """Measure how long requests wait while the vectors of 5,000 sections are computed."""
    for source in ("off", "local"):
        env = ground.env(XDG_CONFIG_HOME=ground.write_settings(source))
        with Editor(OUR_SERVER, env) as server:
            server.initialize(ground.knowledge)
            server.wait_until_ready()
            samples = []
            until = time.perf_counter() + 8
            while time.perf_counter() < until:
                samples.append(server.command("glossator.status").wait())
                time.sleep(0.02)
        goal = Goal(50) if source == "local" else None
        what = "while vectors are computed" if source == "local" else "without vectors"
        yield Result(f"status {what}, p99", percentile(samples, 0.99), "ms", goal=goal)
