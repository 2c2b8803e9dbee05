"""Finding by meaning: the sections of the library as vectors, computed in the background.

A thread follows the library. What the cache knows is there at once; what it does not is encoded in
small batches when nothing else is asked, and kept. Until then words alone answer.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from glossator.app.byte_cache import ByteCache
from glossator.app.results import MeaningStatus
from glossator.app.retrieval.encoding_work import (
    HashedDocument,
    Work,
    find_section,
    hash_sections,
    list_texts,
)
from glossator.app.retrieval.fusion import Near, Nearest
from glossator.knowledge.index import KnowledgeIndex
from glossator.semantic.encoder import Encoder, EncoderUnavailable
from glossator.semantic.foreign import QUESTIONS, find_needed
from glossator.semantic.nearest import (
    Place,
    VectorTable,
    hash_text,
    pack,
    unpack,
)

if TYPE_CHECKING:
    from glossator.semantic.encoder import Matrix
    from glossator.semantic.nearest import Stored

_log = logging.getLogger(__name__)

QUESTION_TIMEOUT_S = 3.0
"""A question waits so long for its vector; then words alone answer."""

_BATCH_TIMEOUT_S = 60.0
_PAUSE_S = 0.02
_FIRST_WAIT_S, _LONGEST_WAIT_S = 5.0, 600.0
_SHOWN_EVERY_S = 5.0
_MAX_QUESTION_CHARS = 2_000
_NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The library that is to be followed."""

    index: KnowledgeIndex
    compute: bool
    versions: Mapping[str, str]


class Meaning:
    """The vectors of the library in force. Methods may be called from any thread."""

    def __init__(self, encoder: Encoder, cache: ByteCache) -> None:
        self.encoder = encoder
        self.cache = cache
        self._table = VectorTable()
        self._foreign: Stored | None = None
        self._needed = 1.0
        self._n_sections = 0
        self._problem = ""
        self._cache_bytes = 0
        self._is_warm = False
        self._resting_until = 0.0
        self._rest_s = _FIRST_WAIT_S
        self._known: dict[str, HashedDocument] = {}
        self._changed = threading.Condition()
        self._wanted: _Wanted | None = None
        self._is_working = False
        self._is_computing = False
        self._is_closed = False
        self._thread: threading.Thread | None = None

    def follow(
        self,
        index: KnowledgeIndex,
        *,
        compute: bool,
        versions: Mapping[str, str] = _NOTHING,
    ) -> None:
        """Have vectors for the sections of `index`; returns at once.

        Unless they are to be computed, those in the cache have to do. A document whose version is
        that of before is not looked at; `versions` are by path, and may be incomplete.
        """
        with self._changed:
            if self._is_closed:
                return
            self._wanted = _Wanted(index, compute, versions)
            self._is_computing = compute
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="meaning", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def wait(self, timeout_s: float) -> bool:
        """Wait until nothing is left to do; say whether that is so."""
        with self._changed:
            return self._changed.wait_for(
                lambda: self._is_closed or (self._wanted is None and not self._is_working),
                timeout_s,
            )

    def close(self) -> None:
        """Stop, whatever is under way."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        self.encoder.close()
        if self._thread is not None:
            self._thread.join(5)
        self.cache.close()

    def describe(self) -> MeaningStatus:
        """Return how far the vectors are."""
        return MeaningStatus(
            encoder=self.encoder.name,
            n_ready=len(self._table.places),
            n_sections=self._n_sections,
            cache=self.cache.path,
            cache_bytes=self._cache_bytes,
            problem=self._problem or self.cache.problem,
        )

    def measure_cache(self) -> None:
        """Learn how large the cache is, which reads all of its index."""
        self._cache_bytes = self.cache.measure()

    @property
    def is_ready(self) -> bool:
        """Whether any section can be found by its meaning."""
        return bool(self._table.places) and self._foreign is not None

    @property
    def is_computing(self) -> bool:
        """Whether what is missing is computed in the background."""
        return self._is_computing

    def settle(self) -> None:
        """Wait until what the cache has is here, which is soon; for what is computed do not."""
        if not self._is_computing:
            self.wait(QUESTION_TIMEOUT_S)

    def find(self, vector: "Matrix", index: KnowledgeIndex, *, limit: int) -> Nearest:
        """Return the sections of `index` that are nearest to the vector of a question."""
        table, needed = self._table, self._needed
        hits = []
        for row, cosine in table.find_nearest(vector, limit):
            section = find_section(index, table.places[row], table.hashes[row])
            if section is not None:
                hits.append(Near(section, cosine))
        return Nearest(tuple(hits), needed)

    def encode_question(self, question: str) -> "Matrix":
        """Return the vector of a question, as a matrix of one row.

        Raises:
            EncoderUnavailable: it fails, does not come in time, or is left alone for a while.
        """
        if time.monotonic() < self._resting_until:
            raise EncoderUnavailable(self._problem)
        try:
            vector = self.encoder.encode(
                [question[:_MAX_QUESTION_CHARS]], timeout_s=QUESTION_TIMEOUT_S
            )
        except EncoderUnavailable as error:
            self._rest(error)
            raise
        self._recover()
        return vector

    def prepare(self, index: KnowledgeIndex, tell: Callable[[int, int], None]) -> None:
        """Compute what is missing of `index` and wait for it; `tell` hears how far it is.

        Raises:
            EncoderUnavailable: the encoder fails; what was computed until then is kept.
        """
        self.encode_all(list_texts(index.documents.values()), tell)
        self.follow(index, compute=False)
        self.wait(_BATCH_TIMEOUT_S)

    def encode_all(
        self, texts: Mapping[bytes, str], tell: Callable[[int, int], None]
    ) -> "tuple[dict[bytes, bytes], Stored]":
        """Return the vectors of texts by their hash, and those of the foreign questions.

        What is kept already is not computed again. `tell` hears how many of how many are done.

        Raises:
            EncoderUnavailable: the encoder fails; what was computed until then is kept.
        """
        wanted = {hash_text(question): question for question in QUESTIONS} | dict(texts)
        found = self.cache.read(self.encoder.name, list(wanted))
        missing = {hash_: text for hash_, text in wanted.items() if hash_ not in found}
        while missing:
            tell(len(wanted) - len(missing), len(wanted))
            some = dict(list(missing.items())[: self.encoder.batch_size])
            matrix = self.encoder.encode(list(some.values()), timeout_s=_BATCH_TIMEOUT_S)
            vectors = dict(zip(some, pack(matrix), strict=True))
            self.cache.write(self.encoder.name, vectors)
            found |= vectors
            missing = {hash_: text for hash_, text in missing.items() if hash_ not in vectors}
        foreign = unpack([found[hash_text(question)] for question in QUESTIONS])
        return {hash_: found[hash_] for hash_ in texts}, foreign

    def _rest(self, error: EncoderUnavailable) -> None:
        """Leave the encoder alone for a while, each time for longer."""
        if error.wait_s == 0:
            return
        wait_s = max(self._rest_s, error.wait_s or 0.0)
        self._rest_s = min(2 * self._rest_s, _LONGEST_WAIT_S)
        self._resting_until = time.monotonic() + min(wait_s, _LONGEST_WAIT_S)
        if self._problem != str(error):
            _log.warning("meaning: %s", error)
        self._problem = str(error)

    def _recover(self) -> None:
        self._resting_until, self._rest_s, self._problem = 0.0, _FIRST_WAIT_S, ""

    def _work(self) -> None:
        """Follow the library until this is closed."""
        while True:
            with self._changed:
                self._is_working = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._is_closed or self._wanted is not None)
                if self._is_closed or self._wanted is None:
                    return
                wanted, self._wanted = self._wanted, None
                self._is_working = True
            try:
                self._follow(wanted)
            except Exception:  # noqa: BLE001 - the thread goes on, and words answer meanwhile.
                _log.exception("meaning: the sections cannot be read")

    def _is_interrupted(self) -> bool:
        return self._is_closed or self._wanted is not None

    def _follow(self, task: "_Wanted") -> None:
        index, compute = task.index, task.compute
        self._known = hash_sections(index, task.versions, self._known)
        wanted = [
            ((path, line), hash_)
            for path, known in self._known.items()
            for line, hash_ in known.sections
        ]
        self._n_sections = len(wanted)
        missing = self._take_over(wanted)
        work = Work(index, wanted, missing)
        while compute and work.left and not self._is_interrupted():
            if self._wait_for_encoder():
                self._encode_some(work)
        self._publish(work)
        if compute and not self._is_warm and not self._is_interrupted():
            self._encode_some(Work(index, [], {}))

    def _take_over(self, wanted: list[tuple[Place, bytes]]) -> dict[bytes, Place]:
        """Show what has a vector already, here or in the cache; return what has none."""
        have = set(self._table.hashes)
        unknown = list(dict.fromkeys(hash_ for _, hash_ in wanted if hash_ not in have))
        found = self.cache.read(self.encoder.name, unknown) if unknown else {}
        self._show(wanted, found)
        have |= found.keys()
        return {hash_: place for place, hash_ in wanted if hash_ not in have}

    def _wait_for_encoder(self) -> bool:
        """Wait until the encoder may be asked again; say whether that is so."""
        rest_s = self._resting_until - time.monotonic()
        with self._changed:
            return not self._changed.wait_for(self._is_interrupted, max(_PAUSE_S, rest_s))

    def _encode_some(self, work: "Work") -> None:
        """Encode the next texts.

        Without any, one whose vector is known: the encoder is then awake when a question comes.
        """
        texts = work.take(self.encoder.batch_size)
        if self._foreign is None:
            texts = {hash_text(question): question for question in QUESTIONS}
        texts = texts or {hash_text(QUESTIONS[0]): QUESTIONS[0]}
        try:
            matrix = self.encoder.encode(list(texts.values()), timeout_s=_BATCH_TIMEOUT_S)
        except EncoderUnavailable as error:
            if not self._is_closed:
                self._rest(error)
                # If it is for these texts that it fails, the others need not wait.
                work.postpone(texts)
            return
        self._recover()
        self._is_warm = True
        vectors = dict(zip(texts, pack(matrix), strict=True))
        self.cache.write(self.encoder.name, vectors)
        if self._foreign is None:
            self._foreign = unpack(list(vectors.values()))
            return
        work.add(vectors)
        if time.monotonic() - work.shown_at > _SHOWN_EVERY_S:
            self._publish(work)

    def _publish(self, work: "Work") -> None:
        self._show(work.wanted, work.found)
        work.shown_at = time.monotonic()
        work.found = {}

    def _show(self, wanted: list[tuple[Place, bytes]], found: Mapping[bytes, bytes]) -> None:
        """Make the table that questions are put to from now on."""
        table = self._table.rearrange(wanted, found)
        if self._foreign is None:
            self._foreign = self._read_foreign()
        if self._foreign is not None and table.places:
            highest = table.find_highest(self._foreign)
            self._needed = find_needed(highest, self.encoder.least_cosine)
        self._table = table

    def _read_foreign(self) -> "Stored | None":
        """Return the vectors of the foreign questions, if the cache has them."""
        hashes = [hash_text(question) for question in QUESTIONS]
        kept = self.cache.read(self.encoder.name, hashes)
        return unpack([kept[hash_] for hash_ in hashes]) if len(kept) == len(hashes) else None
