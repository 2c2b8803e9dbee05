"""Which source files hold which words: how the code map finds files without parsing them.

Built on the first use, never at start, and checked by asking the system what changed. Files are
read one at a time; opening each lets other threads have their turn.
"""

import os
import re
import threading
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from glossator.code.languages import Language, find_language
from glossator.tools.decoding import decode_text
from glossator.tools.walking import FileOnDisk
from glossator.tools.workspace import Workspace

MAX_FILES = 20_000
MAX_FILE_BYTES = 1_000_000
MAX_TOTAL_BYTES = 400_000_000
# Room for a workspace of ten thousand files: what is not kept is read from the disk again.
MAX_KEPT_BYTES = 64_000_000
# A change within this time of a look may not show in the time stamp.
_RACY_NS = 50_000_000
_RACY = -1
_WORDS = bytes(
    byte if byte >= 0x80 or byte == 0x5F or chr(byte).isalnum() else 0x20 for byte in range(256)
)


def _match_part(part: str) -> re.Pattern[bytes]:
    small, first, large = (
        re.escape(form.encode("utf-8", "surrogatepass"))
        for form in (part, part[:1].upper() + part[1:], part.upper())
    )
    if not part.isascii():
        return re.compile(small)
    return re.compile(
        rb"(?:^|[_0-9])" + small + rb"|(?:^|[a-z0-9_])" + first + rb"|(?:^|[_0-9])" + large
    )


@dataclass(slots=True)
class IndexedFile:
    """A source file as it was when it was read. `number` is never given to other content.

    `data` is that content in UTF-8, None when there was no room to keep it.
    """

    path: str
    language: Language
    number: int
    size_bytes: int
    mtime_ns: int
    data: bytes | None = field(default=None, repr=False)


class WordIndex:
    """Words of all source files of a workspace. Not safe for threads: the code map locks.

    `generation` is another number whenever a file came, changed or went.
    """

    def __init__(self, workspace: Workspace, *, revalidate_after_s: float = 1.0) -> None:
        self._workspace = workspace
        self._revalidate_after_s = revalidate_after_s
        self.generation = 0
        self.forget()

    def forget(self) -> None:
        """Drop everything; the next use reads the workspace again."""
        self._files: dict[str, IndexedFile] = {}
        self._by_number: dict[int, IndexedFile] = {}
        self._postings: defaultdict[bytes, list[int]] = defaultdict(list)
        self._folders: dict[str, int] = {}
        self._next_number = 0
        self._n_dead = 0
        self._n_kept_bytes = 0
        self._checked_at: float | None = None
        self.n_left_out = 0
        self.generation += 1

    def expire(self) -> None:
        """Look for changes at the next use, however recent the last look was."""
        if self._checked_at is not None:
            self._checked_at = -1e9

    @property
    def files(self) -> Iterable[IndexedFile]:
        """All files, as of the last `refresh`."""
        return self._files.values()

    @property
    def n_files(self) -> int:
        """How many files there are, as of the last `refresh`."""
        return len(self._files)

    def get(self, path: str) -> IndexedFile | None:
        """Return the file at a real path."""
        return self._files.get(path)

    def find(self, word: str) -> Iterator[IndexedFile]:
        """Yield the files that hold `word` as a whole word, in the order they were read."""
        for number in self._postings.get(word.encode("utf-8", "surrogatepass"), ()):
            file = self._by_number.get(number)
            if file is not None:
                yield file

    def holds(self, word: str) -> bool:
        """Say whether any file holds `word` as a whole word, or held it a while ago."""
        return word.encode("utf-8", "surrogatepass") in self._postings

    def find_by_part(self, part: str) -> set[int]:
        """Return the numbers of the files with a word that has a part beginning with `part`.

        `cancel` is in `cancelled`, `on_cancel`, `onCancel` and `CANCEL_ALL`. Looks through all
        words: it takes some tens of milliseconds in a large workspace.
        """
        pattern = _match_part(part)
        found: set[int] = set()
        for word, numbers in self._postings.items():
            if pattern.search(word):
                found.update(numbers)
        return found & self._by_number.keys()

    def list_words(self) -> Iterator[str]:
        """Yield all words, those of files that are gone included."""
        return (word.decode("utf-8", "surrogateescape") for word in self._postings)

    def path_of(self, number: int) -> str:
        """Return the real path of a file by its number."""
        return self._by_number[number].path

    def mentions(self, file: IndexedFile, word: str) -> bool:
        """Say whether `file` holds `word`."""
        numbers = self._postings.get(word.encode("utf-8", "surrogatepass"), [])
        # Numbers only grow, so each list is sorted.
        place = bisect_left(numbers, file.number)
        return place < len(numbers) and numbers[place] == file.number

    def refresh(self, stop: threading.Event | None = None) -> None:
        """Bring the index up to date with the disk; cheap when that was done a moment ago."""
        now = time.monotonic()
        if self._checked_at is not None and now - self._checked_at < self._revalidate_after_s:
            return
        if self._checked_at is None or self._has_changed_folder():
            self._walk(stop)
        else:
            self._check_files()
        self._drop_dead()
        self._checked_at = time.monotonic()

    def _has_changed_folder(self) -> bool:
        # A folder that was changing when it was looked into has to be looked into again.
        return any(
            mtime == _RACY or _read_mtime(path) != mtime for path, mtime in self._folders.items()
        )

    def _walk(self, stop: threading.Event | None) -> None:
        folders: dict[str, int] = {}

        def note(folder: str) -> None:
            folders[folder] = _read_mtime(folder)
            rules = f"{folder}{os.sep}.gitignore"
            # A new one changes its folder, too.
            if mtime := _read_mtime(rules):
                folders[rules] = mtime

        seen: dict[str, IndexedFile] = {}
        total = n_left_out = 0
        for found in self._workspace.walk_files(on_folder=note):
            language = find_language(found.path)
            if language is None:
                continue
            total += found.size_bytes
            if (
                found.size_bytes > MAX_FILE_BYTES
                or len(seen) >= MAX_FILES
                or total > MAX_TOTAL_BYTES
                or (stop is not None and stop.is_set())
            ):
                n_left_out += 1
                continue
            file = self._files.get(found.path)
            if file is None or (file.size_bytes, file.mtime_ns) != (
                found.size_bytes,
                found.mtime_ns,
            ):
                file = self._read(found, language)
            if file is not None:
                seen[found.path] = file
        for path in self._files.keys() - seen.keys():
            self._kill(self._files[path])
        self._files = seen
        self._folders = folders
        self.n_left_out = n_left_out

    def _check_files(self) -> None:
        """Read again the files that the system says have changed."""
        changed = []
        stat = os.stat
        for file in self._files.values():
            try:
                status = stat(file.path)
            except OSError:
                continue
            if status.st_mtime_ns != file.mtime_ns or status.st_size != file.size_bytes:
                changed.append((file, status))
        for file, status in changed:
            found = FileOnDisk(file.path, status.st_size, status.st_mtime_ns)
            again = self._read(found, file.language)
            if again is None:
                self._kill(file)
                del self._files[file.path]
            else:
                self._files[file.path] = again

    def _read(self, found: FileOnDisk, language: Language) -> IndexedFile | None:
        data = self._workspace.read_walked_bytes(found)
        if data is None or len(data) > MAX_FILE_BYTES:
            return None
        old = self._files.get(found.path)
        if old is not None:
            self._kill(old)
        is_racy = time.time_ns() - found.mtime_ns < _RACY_NS
        file = IndexedFile(
            found.path,
            language,
            self._next_number,
            found.size_bytes,
            _RACY if is_racy else found.mtime_ns,
        )
        self._next_number += 1
        data = _as_utf8(data)
        for word in set(data.translate(_WORDS).split()):
            self._postings[word].append(file.number)
        if self._n_kept_bytes + len(data) <= MAX_KEPT_BYTES:
            file.data = data
            self._n_kept_bytes += len(data)
        self._by_number[file.number] = file
        self.generation += 1
        return file

    def _kill(self, file: IndexedFile) -> None:
        if self._by_number.pop(file.number, None) is not None:
            self.generation += 1
            self._n_dead += 1
            self._n_kept_bytes -= len(file.data or b"")

    def _drop_dead(self) -> None:
        """Forget the words of content that is gone, once there is much of it."""
        if self._n_dead <= 200 + len(self._by_number) // 2:
            return
        kept: defaultdict[bytes, list[int]] = defaultdict(list)
        for word, numbers in self._postings.items():
            alive = [number for number in numbers if number in self._by_number]
            if alive:
                kept[word] = alive
        self._postings = kept
        self._n_dead = 0


def _as_utf8(data: bytes) -> bytes:
    """Return the bytes of a text as UTF-8; what is no text as it is, its words harm nobody."""
    if data.isascii():
        return data
    decoded = decode_text(data)
    if decoded is None or decoded.encoding == "utf-8":
        return data
    return decoded.text.encode("utf-8", "surrogatepass")


def _read_mtime(path: str) -> int:
    try:
        mtime = os.stat(path).st_mtime_ns  # noqa: PTH116 - asked for each folder
    except OSError:
        return 0
    return _RACY if time.time_ns() - mtime < _RACY_NS else mtime
