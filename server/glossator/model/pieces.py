"""The pieces of one text: what is new in each, in whole characters.

Few servers send all of the text again in every piece, and none says so. It shows in the first
pieces: each begins with all of the one before, and goes on. Such pieces are held back until it is
certain; what is no more than a real repeat ("ha", "haha") is then passed on as it is.
"""

from dataclasses import dataclass, field

from glossator.model.surrogates import ends_with_half_pair, replace_lone_surrogates

_MIN_PIECES = 4
_MIN_LENGTH = 12
_MIN_LETTERS = 6


@dataclass(slots=True)
class PieceReader:
    """Reads one text. `is_cumulative`: each piece holds all before it; may be set at the start."""

    is_cumulative: bool = False
    _is_plain: bool = False
    _first: list[str] = field(default_factory=list)
    _whole: str = ""
    _half_pair: str = ""

    @property
    def is_holding(self) -> bool:
        """Whether something was read that is not yet passed on."""
        return len(self._first) > 1 or self._half_pair != ""

    def feed(self, piece: str) -> str:
        """Return what is known to be new with `piece`."""
        if not self._is_plain:
            piece = self._find_new(piece)
        if piece.isascii() and not self._half_pair:
            return piece
        piece = self._half_pair + piece
        self._half_pair = piece[-1] if ends_with_half_pair(piece) else ""
        return replace_lone_surrogates(piece[:-1] if self._half_pair else piece)

    def release(self) -> str:
        """Return what was held back, now that something else or nothing follows."""
        held = self._half_pair + self._give_up()
        self._half_pair = ""
        return replace_lone_surrogates(held)

    def _find_new(self, piece: str) -> str:
        if self.is_cumulative:
            return self._take_new(piece)
        if not self._first:
            self._first.append(piece)
            return piece
        before = self._first[-1]
        if len(piece) <= len(before) or not piece.startswith(before):
            return self._give_up() + piece
        self._first.append(piece)
        if not self._is_certain(before):
            return ""
        self.is_cumulative, self._whole = True, self._first[0]
        self._first.clear()
        return self._take_new(piece)

    def _is_certain(self, before: str) -> bool:
        return (
            len(self._first) >= _MIN_PIECES
            and len(before) >= _MIN_LENGTH
            and len(set(before)) >= _MIN_LETTERS
        )

    def _give_up(self) -> str:
        """Return what is held back: it is no more than text that repeats itself."""
        held = "".join(self._first[1:])
        self._first.clear()
        self._is_plain = not self.is_cumulative
        return held

    def _take_new(self, piece: str) -> str:
        if piece.startswith(self._whole):
            new, self._whole = piece[len(self._whole) :], piece
            return new
        # A part of its own, such as what is said between two calls.
        self._whole += piece
        return piece
