"""One segment made of a segment and the overlay above it: nothing in it that is not in force."""

import json
from array import array
from collections.abc import Callable, Iterator

from glossator.knowledge.overlay import Overlay, Placed
from glossator.knowledge.posting_lists import PostingList, sort_postings
from glossator.knowledge.records import encode, pack_header, pack_sections
from glossator.knowledge.segment import Segment, find_bucket

_WORDS_PER_BUCKET = 2
_NOWHERE = 0xFFFF_FFFF


def compact(
    segment: Segment, overlay: Overlay, on_step: Callable[[], None] = lambda: None
) -> Segment:
    """Return a segment with the content of both.

    `on_step` is called between two documents and a few words, and may raise to give up.
    """
    documents = _DocumentTables(segment, overlay, on_step)
    documents.write()
    words = _WordTables(segment, documents.moved, on_step)
    words.write(_list_words(segment, overlay))
    return Segment({**documents.finish(), **words.finish()})


def _list_words(segment: Segment, overlay: Overlay) -> Iterator[tuple[str, int | PostingList]]:
    """Yield every word with its number in the segment, or with its list where that is new.

    Lists made for all words at once would keep the collector of garbage busy, and all else waiting.
    """
    for number, word in enumerate(segment.list_words()):
        if word not in overlay.words:
            yield word, number
    for word, changed in overlay.words.items():
        if changed is not None:
            yield word, changed


class _DocumentTables:
    """Writes documents in the order of their paths. `moved` are the new ids by the old ones."""

    def __init__(self, segment: Segment, overlay: Overlay, on_step: Callable[[], None]) -> None:
        self._segment = segment
        self._on_step = on_step
        self._overlay = overlay
        self._texts = bytearray()
        self._infos = bytearray()
        self._documents = array("Q")
        self._sections = array("Q")
        self._lengths = array("I")
        self._norms = array("d")
        self._keys: dict[str, list[int]] = {}
        self._always: list[str] = []
        self._manual: list[str] = []
        self._globs: dict[str, tuple[str, ...]] = {}
        self._paths: list[str] = []
        self.moved = [_NOWHERE] * len(overlay.lengths)

    def write(self) -> None:
        """Write all documents that are in force."""
        changed = self._overlay.documents
        kept = [path for path in self._segment.paths if path not in changed]
        put = [path for path, placed in changed.items() if placed is not None]
        joining, named = set(self._segment.always), set(self._segment.manual)
        keys = self._list_old_keys()
        for path in sorted([*kept, *put]):
            self._on_step()
            placed = changed.get(path)
            if placed is None:
                self._copy(self._segment.numbers[path])
                own_keys = keys.get(self._segment.numbers[path], [])
                is_always, is_manual = path in joining, path in named
                globs = self._segment.globs.get(path)
            else:
                self._put(placed)
                own_keys = sorted(placed.keys)
                is_always, is_manual = placed.document.always, placed.document.manual
                globs = placed.document.globs
            for key in own_keys:
                self._keys.setdefault(key, []).append(len(self._paths))
            self._always += [path] * is_always
            self._manual += [path] * is_manual
            if globs:
                self._globs[path] = globs
            self._paths.append(path)

    def _list_old_keys(self) -> dict[int, list[str]]:
        keys: dict[int, list[str]] = {}
        for key, numbers in self._segment.keys.items():
            for number in numbers:
                keys.setdefault(number, []).append(key)
        return keys

    def _copy(self, number: int) -> None:
        """Write a document of the segment: its bytes as they are."""
        tables = self._segment.tables
        start, end, header, header_end, first, last = self._segment.document_row(number)
        shift = len(self._texts) - start
        first_section = len(self._lengths)
        for section_id in range(first, last):
            row = self._segment.section_row(section_id)
            info = self._put_info(tables["infos"][row[5] : row[6]])
            self._put_section(section_id, row[1:3], [row[3] + shift, row[4] + shift], info, row[7])
        self._finish_document(
            tables["texts"][start:end], tables["infos"][header:header_end], first_section
        )

    def _put(self, placed: Placed) -> None:
        """Write a document of the overlay."""
        ids = {id(each): n for each, n in zip(placed.sections, placed.ids, strict=True)}
        shift = len(self._texts)
        first_section = len(self._lengths)
        for section, record in zip(
            placed.document.sections, pack_sections(placed.document), strict=True
        ):
            section_id = ids.get(id(section), _NOWHERE)
            lines = [record.first_line, record.last_line]
            text = [record.start + shift, record.end + shift]
            info = self._put_info(record.info)
            self._put_section(section_id, lines, text, info, int(id(section) in ids))
        text_bytes = encode(placed.document.text)
        self._finish_document(text_bytes, pack_header(placed.document), first_section)

    def _put_info(self, info: bytes | memoryview) -> list[int]:
        begin = len(self._infos)
        self._infos += info
        return [begin, len(self._infos)]

    def _put_section(
        self, old_id: int, lines: list[int], text: list[int], info: list[int], is_found: int
    ) -> None:
        if is_found:
            self.moved[old_id] = len(self._lengths)
        self._lengths.append(self._overlay.lengths[old_id] if is_found else 0)
        self._norms.append(self._overlay.norms[old_id] if is_found else 1.0)
        row = [len(self._paths), *lines, *text, *info, is_found]
        self._sections.extend(row)

    def _finish_document(
        self, text: bytes | memoryview, header: bytes | memoryview, first_section: int
    ) -> None:
        begin = len(self._texts)
        self._texts += text
        row = [begin, len(self._texts), *self._put_info(header), first_section, len(self._lengths)]
        self._documents.extend(row)

    def finish(self) -> dict[str, memoryview]:
        """Return the tables."""
        facts = {
            "n_found": self._overlay.n_sections,
            "paths": self._paths,
            "always": self._always,
            "manual": self._manual,
            "globs": self._globs,
            "keys": self._keys,
        }
        return {
            "texts": memoryview(self._texts),
            "infos": memoryview(self._infos),
            "documents": memoryview(self._documents),
            "sections": memoryview(self._sections),
            "lengths": memoryview(self._lengths),
            "norms": memoryview(self._norms),
            "facts": memoryview(json.dumps(facts, separators=(",", ":")).encode()),
        }


class _WordTables:
    """Writes words with their postings, bucket after bucket."""

    def __init__(self, segment: Segment, moved: list[int], on_step: Callable[[], None]) -> None:
        self._segment = segment
        self._on_step = on_step
        self._moved = moved
        self._words = bytearray()
        self._word_ends = array("Q", [0])
        self._posting_ends = array("Q", [0])
        self._buckets = array("I", [0])
        self._ids = array("I")
        self._counts = array("H")
        self._peaks = array("d")

    def write(self, words: Iterator[tuple[str, int | PostingList]]) -> None:
        """Write all words.

        The words of a bucket are chained by numbers: so many lists, or pairs, would keep the
        collector of garbage busy, and all else waiting.
        """
        encoded: list[bytes] = []
        sources: list[int | PostingList] = []
        for word, source in words:
            encoded.append(encode(word))
            sources.append(source)
        n_bits = max(0, (len(encoded) // _WORDS_PER_BUCKET).bit_length())
        firsts, nexts = array("q", [-1]) * (1 << n_bits), array("q", [-1]) * len(encoded)
        for number in range(len(encoded) - 1, -1, -1):
            bucket = find_bucket(encoded[number], n_bits)
            nexts[number], firsts[bucket] = firsts[bucket], number
        for number in firsts:
            self._on_step()
            while number >= 0:
                source = sources[number]
                postings = self._segment.postings(source) if isinstance(source, int) else source
                self._put(encoded[number], postings)
                number = nexts[number]
            self._buckets.append(len(self._peaks))

    def _put(self, word: bytes, postings: PostingList) -> None:
        ids = array("I", map(self._moved.__getitem__, postings.ids.tolist()))
        counts = array("H", postings.counts.tobytes())
        if not _is_ascending(ids):
            ids, counts = sort_postings(dict(zip(ids, counts, strict=True)))
        self._words += word
        self._word_ends.append(len(self._words))
        self._ids += ids
        self._counts += counts
        self._posting_ends.append(len(self._ids))
        self._peaks.append(postings.peak)

    def finish(self) -> dict[str, memoryview]:
        """Return the tables."""
        return {
            "words": memoryview(self._words),
            "word_ends": memoryview(self._word_ends),
            "buckets": memoryview(self._buckets),
            "posting_ends": memoryview(self._posting_ends),
            "ids": memoryview(self._ids),
            "counts": memoryview(self._counts),
            "peaks": memoryview(self._peaks),
        }


def _is_ascending(ids: "array[int]") -> bool:
    values = ids.tolist()
    return values == sorted(values)
