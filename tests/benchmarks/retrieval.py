"""How well sections are found and foreign questions refused, beside other lexical engines.

Every engine is given the same sections and the same questions, in turns. Of each peer the best of
its settings counts, chosen anew for each set; settings "our words" are fed with our tokenizer.
`data/README.md` describes the sets, `retrieval_peers` the engines.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import mean, median

from benchmarks.measuring import Goal, Result, Table
from benchmarks.places import Ground
from benchmarks.retrieval_peers import Search, build_peers
from benchmarks.retrieval_scores import false_refusals, rank_quality
from benchmarks.retrieval_sets import TUNED_ON, Asked, RetrievalSet, list_sets, read_set
from glossator.core.text import contains_chinese
from glossator.knowledge.documents import parse_document
from glossator.knowledge.index import KnowledgeIndex
from glossator.knowledge.routing import Found, retrieve

OURS = "Glossator"
_LIMIT = 10
_N_TIMED = 200
_TRUE_SHARE = 0.95


@dataclass(slots=True)
class _Measured:
    """What one engine did on one set: ranks by kind of question, top scores, seconds."""

    ranks: dict[str, list[list[str]]] = field(default_factory=lambda: defaultdict(list))
    known: list[float] = field(default_factory=list)
    foreign: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def measure(ground: Ground) -> Iterator[Result | Table]:
    """Measure every set; a table of all engines comes first, then rows with goals."""
    folders = ground.sets or list_sets()
    peers: list[str] = []
    ranks: list[tuple[str, ...]] = []
    refusals: list[tuple[str, ...]] = []
    results: list[Result] = []
    for folder in folders:
        found = read_set(folder)
        index, engines = _build(found)
        measured = _run(found, engines)
        ranks += _tabulate_ranks(found, measured)
        refusals.append(_tabulate_refusals(found, index, measured))
        results += _compare(found, measured)
        peers = [name for name in measured if name != OURS]
    yield Table(
        "MRR@10 / nDCG@10; the best of each row is bold",
        (("set", "questions", OURS, *peers), *ranks),
    )
    yield Table(
        "Refused of all questions that the set answers (false) and of foreign ones (true)",
        (
            ("set", "false, shipped", "true, shipped", "near, shipped",
             *(f"false at {_TRUE_SHARE:.0%} true: {name}" for name in (OURS, *peers))),
            *refusals,
        ),
    )  # fmt: skip
    yield from results


def _build(found: RetrievalSet) -> tuple[KnowledgeIndex, dict[str, Search]]:
    texts = [piece.text for piece in found.pieces]
    index = KnowledgeIndex.build(
        parse_document(text, path=f"s{number}.md") for number, text in enumerate(texts)
    )
    return index, {OURS: _make_search(index), **build_peers(texts)}


def _make_search(index: KnowledgeIndex) -> Search:
    def search(question: str, limit: int) -> list[tuple[int, float]]:
        ranked: dict[int, float] = {}
        # A long section is cut in pieces: they count as one.
        for hit in index.search(question, limit=limit + 5):
            ranked.setdefault(int(hit.section.path[1:-3]), hit.score)
        return list(ranked.items())[:limit]

    return search


def _run(found: RetrievalSet, engines: dict[str, Search]) -> dict[str, _Measured]:
    """Put each question to all engines in turns, the order reversed each time."""
    measured = {name: _Measured() for name in engines}
    ids = [piece.id for piece in found.pieces]
    for number, asked in enumerate(found.asked):
        for name in _in_turn(engines, number):
            began = time.perf_counter()
            ranked = engines[name](asked.question, _LIMIT)
            if number < _N_TIMED:
                measured[name].seconds.append(time.perf_counter() - began)
            measured[name].ranks[asked.kind].append([ids[place] for place, _ in ranked])
            measured[name].known.append(_best(ranked))
    for question in _list_foreign(found, near=False):
        for name, search in engines.items():
            measured[name].foreign.append(_best(search(question, _LIMIT)))
    return measured


def _in_turn(engines: dict[str, Search], number: int) -> Sequence[str]:
    return list(engines) if number % 2 == 0 else list(reversed(engines))


def _best(ranked: Sequence[tuple[int, float]]) -> float:
    return max((score for _, score in ranked), default=0.0)


def _list_foreign(found: RetrievalSet, *, near: bool) -> list[str]:
    """Return the foreign questions in the language of the set."""
    is_chinese = sum(contains_chinese(piece.text) for piece in found.pieces) > len(found.pieces) / 2
    return [
        foreign.question
        for foreign in found.foreign
        if (foreign.kind == "near") == near and contains_chinese(foreign.question) == is_chinese
    ]


def _list_kinds(found: RetrievalSet) -> dict[str, list[Asked]]:
    kinds: dict[str, list[Asked]] = defaultdict(list)
    for asked in found.asked:
        kinds[asked.kind].append(asked)
    return kinds


def _tabulate_ranks(
    found: RetrievalSet, measured: dict[str, _Measured]
) -> Iterator[tuple[str, ...]]:
    for kind, asked in _list_kinds(found).items():
        quality = {
            name: rank_quality(each.ranks[kind], [one.answers for one in asked])
            for name, each in measured.items()
        }
        best = max(mrr for mrr, _ in quality.values())
        cells = [
            f"**{mrr:.3f}** / {ndcg:.3f}" if mrr == best else f"{mrr:.3f} / {ndcg:.3f}"
            for mrr, ndcg in quality.values()
        ]
        yield (_name(found), f"{len(asked)} {kind}", *cells)


def _tabulate_refusals(
    found: RetrievalSet, index: KnowledgeIndex, measured: dict[str, _Measured]
) -> tuple[str, ...]:
    def share_refused(questions: Sequence[str]) -> str:
        refused = [not isinstance(retrieve(index, each), Found) for each in questions]
        return f"{mean(refused):.1%}" if refused else ""

    at_least = (
        f"{false_refusals(each.known, each.foreign, _TRUE_SHARE):.1%}" if each.foreign else ""
        for each in measured.values()
    )
    return (
        _name(found),
        share_refused([asked.question for asked in found.asked]),
        share_refused(_list_foreign(found, near=False)),
        share_refused(_list_foreign(found, near=True)),
        *at_least,
    )


def _compare(found: RetrievalSet, measured: dict[str, _Measured]) -> Iterator[Result]:
    """Yield ours beside the best peer in any of its settings."""
    kinds = _list_kinds(found)
    metrics: tuple[tuple[str, Callable[[tuple[float, float]], float]], ...] = (
        ("MRR@10", lambda quality: quality[0]),
        ("nDCG@10", lambda quality: quality[1]),
    )
    for kind, asked in kinds.items():
        answers = [one.answers for one in asked]
        quality = {name: rank_quality(each.ranks[kind], answers) for name, each in measured.items()}
        for metric, choose in metrics:
            peers = {name: choose(each) for name, each in quality.items() if name != OURS}
            best = max(peers, key=lambda name: peers[name])
            yield Result(
                f"{metric}, {_name(found)}, {len(asked)} {kind}", choose(quality[OURS]), "",
                floor=peers[best], against=best, goal=Goal(1, of_ratio=True, at_least=True),
            )  # fmt: skip
    if measured[OURS].foreign:
        yield Result(
            f"false refusals at {_TRUE_SHARE:.0%} true ones, {_name(found)}",
            100 * false_refusals(measured[OURS].known, measured[OURS].foreign, _TRUE_SHARE), "%",
            goal=Goal(3),
        )  # fmt: skip
    fastest = min(
        (name for name in measured if name != OURS), key=lambda name: _p50(measured[name])
    )
    yield Result(
        f"query, p50, {_name(found)}, {len(found.pieces)} sections", _p50(measured[OURS]),
        floor=_p50(measured[fastest]), against=fastest, goal=Goal(1),
    )  # fmt: skip


def _p50(measured: _Measured) -> float:
    return median(measured.seconds) * 1000 if measured.seconds else 0.0


def _name(found: RetrievalSet) -> str:
    return f"{found.name} (tuned on)" if found.name in TUNED_ON else found.name
