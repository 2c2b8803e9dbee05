"""What the sections of an index are weighed with, made once for each weighting."""

from collections.abc import Sequence
from typing import TypeAlias

from glossator.knowledge.best_sections import Ground
from glossator.knowledge.lanes import Lanes
from glossator.knowledge.overlay import Overlay
from glossator.knowledge.segment import Segment
from glossator.knowledge.weightings import Bm25, Cosine, Scale, Weighting

_CHANGED_SHARE = 16
"""When more than one section in so many was changed, every word is read to its end."""

LanesByWeighting: TypeAlias = dict[Weighting, Lanes]


class Scales:
    """The scales of a segment and its overlay. `lanes` are shared by all that stand on it."""

    def __init__(self, segment: Segment, overlay: Overlay, lanes: LanesByWeighting) -> None:
        self.lanes = lanes
        self._segment = segment
        self._overlay = overlay
        self._scales: dict[Weighting, Scale] = {}
        self._grounds: dict[Weighting, Ground | None] = {}

    def find(self, weighting: Weighting) -> Scale:
        """Return what a section gains by a word."""
        if weighting not in self._scales:
            overlay = self._overlay
            self._scales[weighting] = (
                Bm25(overlay.lengths, overlay.n_sections, overlay.total_length)
                if weighting == "bm25"
                else Cosine(overlay.norms)
            )
        return self._scales[weighting]

    def find_ground(self, weighting: Weighting) -> Ground | None:
        """Return where common words are looked up, None where all words may as well be read."""
        if weighting not in self._grounds:
            self._grounds[weighting] = self._make_ground(weighting)
        return self._grounds[weighting]

    def find_known_counts(self, word: str, among: Sequence[int]) -> Sequence[int] | None:
        """Return how often each of the sections `among` has a word, None if it takes looking up.

        Only for a word that is as the segment has it: sections beyond the segment count 0.
        """
        lanes = self.lanes.get("bm25")
        return None if lanes is None else lanes.find_known_counts(word, among)

    def _make_ground(self, weighting: Weighting) -> Ground | None:
        segment, overlay = self._segment, self._overlay
        if not segment.n_found or len(overlay.sections) * _CHANGED_SHARE > segment.n_found:
            return None
        lanes = self.lanes.get(weighting)
        if lanes is None:
            lanes = self.lanes[weighting] = _make_lanes(segment, weighting)
        numbers = (segment.numbers.get(path) for path in overlay.documents)
        changed = {i for number in numbers if number is not None for i in segment.ids_of(number)}
        return Ground(lanes, segment.find, changed, overlay.sections.keys())


def _make_lanes(segment: Segment, weighting: Weighting) -> Lanes:
    lengths, norms = segment.tables["lengths"].tolist(), segment.tables["norms"].tolist()
    if weighting == "bm25":
        return Lanes(Bm25(lengths, segment.n_found, sum(lengths)), lengths)
    return Lanes(Cosine(norms), norms)
