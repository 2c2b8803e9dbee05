"""What checks found is kept: asked through an application's `check_paths` with a cache folder."""

import os
import sqlite3
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from glossator.app.byte_cache import ByteCache
from glossator.app.checking import cache as cache_module
from glossator.app.checking.cache import FILE_NAME, NO_SIGNATURE, CheckCache, Seen, look_at_file
from glossator.app.checking.reasons import Reason
from glossator.app.checking.records import Record, decode_record, encode_record
from glossator.app.checking.report import CheckReport
from glossator.app.checking.running import Effort
from glossator.app.checking.worker import Examiner, Outcome, Task
from glossator.core.locations import Point, Range
from glossator.rules.finding import Finding
from glossator.rules.rule import Rule
from workbench import Bench, MakeBench

RULE = """\
- Use the log, not `print`. {{#no-print}}

  ```check
  language: python
  message: {message}
  rule:
    pattern: print($$$)
  ```
"""
A_WHILE_AGO_NS = 1_700_000_000_000_000_000


class Workshop:
    """A workspace that is checked with a cache, and which files were really examined."""

    def __init__(self, make_bench: MakeBench, folder: Path, examined: list[str]) -> None:
        self._make_bench = make_bench
        self.folder = folder
        self.examined = examined
        self.message = "Use the log."
        self.bench: Bench

    async def check(self, **files: str) -> dict[str, CheckReport]:
        """Write files, check them all in a new application, as another process would."""
        rule = {"knowledge/log.md": RULE.format(message=self.message)}
        texts = {f"{name}.py": text for name, text in files.items()}
        self.bench = self._make_bench(
            {**rule, **texts, "glossator.toml": "[knowledge]\nbundled = false\n"}
        )
        paths = [self.bench.root / f"{name}.py" for name in ("a", "b")]
        self.examined.clear()
        reports = await self.bench.application.checks.check_paths(
            [path for path in paths if path.exists()], effort=Effort(1, self.folder)
        )
        return {report.shown_path: report for report in reports}


@pytest.fixture
def workshop(make_bench: MakeBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    # Files of a test are always new; whether that matters is tested by itself.
    monkeypatch.setattr(cache_module, "_RACY_NS", -(10**12))
    examined: list[str] = []
    examine = Examiner.examine

    def note(self: Examiner, task: Task) -> Outcome:
        examined.append(task.place)
        return examine(self, task)

    monkeypatch.setattr(Examiner, "examine", note)
    return Workshop(make_bench, tmp_path / "cache", examined)


async def test_an_unchanged_file_is_not_examined_again_and_its_report_is_the_same(
    workshop: Workshop,
) -> None:
    first = await workshop.check(a="print('日志')  # \ud7ff\n", b="x = 1\n")
    assert workshop.examined == ["a.py", "b.py"]

    second = await workshop.check()

    assert workshop.examined == []
    assert second == first
    assert second["a.py"].findings[0].message == "Use the log."


async def test_only_the_file_that_changed_is_examined_again(workshop: Workshop) -> None:
    await workshop.check(a="print(1)\n", b="x = 1\n")

    reports = await workshop.check(b="print(2)\n")

    assert workshop.examined == ["b.py"]
    assert reports["b.py"].findings[0].code == "print(2)"


async def test_a_file_that_was_only_touched_is_read_and_not_examined(workshop: Workshop) -> None:
    await workshop.check(a="print(1)\n", b="x = 1\n")
    os.utime(workshop.bench.root / "a.py", ns=(A_WHILE_AGO_NS, A_WHILE_AGO_NS))

    reports = await workshop.check()

    assert workshop.examined == []
    assert reports["a.py"].findings


async def test_another_check_of_the_rule_examines_everything_again(workshop: Workshop) -> None:
    await workshop.check(a="print(1)\n", b="x = 1\n")
    workshop.message = "Use the logger."

    reports = await workshop.check()

    assert workshop.examined == ["a.py", "b.py"]
    assert reports["a.py"].findings[0].message == "Use the logger."


async def test_a_comment_that_dismisses_is_heeded_also_in_what_is_kept(workshop: Workshop) -> None:
    text = "print(1)  # glossator: ignore[no-print] the command's output\n"
    await workshop.check(a=text)

    reports = await workshop.check()

    assert workshop.examined == []
    assert reports["a.py"].outcome == "clean"
    assert [each.reason for each in reports["a.py"].suppressed] == ["the command's output"]


async def test_a_file_that_is_still_being_written_is_looked_at_again(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "_RACY_NS", 10**15)
    await workshop.check(a="print(1)\n")
    file = workshop.bench.root / "a.py"
    status = file.stat()
    # The same size, and by a coarse clock the same time.
    file.write_text("print=1)\n", encoding="utf-8")
    file.write_text("print=11\n", encoding="utf-8")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))

    reports = await workshop.check()

    assert workshop.examined == ["a.py"]
    assert reports["a.py"].outcome == "clean"


@pytest.mark.parametrize(
    "damage", [b"", b"no database at all", b"SQLite format 3\x00" + b"\xff" * 4096]
)
async def test_a_damaged_cache_is_replaced(workshop: Workshop, damage: bytes) -> None:
    first = await workshop.check(a="print(1)\n", b="x = 1\n")
    for file in workshop.folder.iterdir():
        file.write_bytes(damage)

    assert await workshop.check() == first
    assert workshop.examined == ["a.py", "b.py"]
    assert await workshop.check() == first
    assert workshop.examined == []


@pytest.mark.parametrize("value", [b"", b"{", b"[null,false,[[1]]]", b'["","",""]', b"\xff", b"[]"])
async def test_a_record_that_cannot_be_read_is_made_again(workshop: Workshop, value: bytes) -> None:
    first = await workshop.check(a="print(1)\n")
    with sqlite3.connect(workshop.folder / FILE_NAME) as database:
        database.execute("UPDATE vectors SET vector = ? WHERE encoder = 'records'", (value,))
    database.close()

    assert await workshop.check() == first
    assert workshop.examined == ["a.py"]
    assert await workshop.check() == first
    assert workshop.examined == []


async def test_a_folder_that_cannot_be_written_costs_time_and_nothing_else(
    workshop: Workshop,
) -> None:
    workshop.folder.write_text("a file where the folder should be", encoding="utf-8")

    reports = await workshop.check(a="print(1)\n")

    assert reports["a.py"].outcome == "findings"


async def test_the_cache_holds_no_code_but_that_of_findings(workshop: Workshop) -> None:
    await workshop.check(a="token = 'hunter2'\nprint(1)\n", b="password = 'hunter2'\n")

    kept = b"".join(file.read_bytes() for file in workshop.folder.iterdir())

    assert b"print(1)" in kept
    assert b"hunter2" not in kept
    assert (workshop.folder / FILE_NAME).stat().st_mode & 0o077 == 0 or os.name == "nt"


def test_processes_may_write_at_once(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from glossator.app.checking.cache import CheckCache, Seen\n"
        "from glossator.app.checking.records import Record, encode_record\n"
        "me = int(sys.argv[2])\n"
        "for n in range(40):\n"
        "    cache = CheckCache(Path(sys.argv[1]))\n"
        "    name = bytes([me, n]) * 8\n"
        "    seen = [Seen(f'/{me}/{n}', b'%032d' % n, name)]\n"
        "    cache.keep(seen, {name: encode_record(Record())})\n"
        "    cache.close()\n"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path), str(me)]) for me in range(3)
    ]

    assert [writer.wait(60) for writer in writers] == [0, 0, 0]

    cache = CheckCache(tmp_path)
    names = [bytes([me, n]) * 8 for me in range(3) for n in range(40)]
    assert cache.find_records(names).keys() == set(names)
    cache.close()


def test_what_was_not_asked_for_longest_makes_room(tmp_path: Path) -> None:
    cache = CheckCache(tmp_path)
    cache._file = ByteCache(tmp_path / FILE_NAME, max_bytes=200_000)
    record = encode_record(Record(reason=Reason("unreadable", ("x" * 1_000,))))

    for n in range(400):
        cache.keep([], {n.to_bytes(16): record})

    kept = cache.find_records([n.to_bytes(16) for n in range(400)])
    assert 0 < len(kept) < 250
    cache.close()


def test_the_status_of_a_file_shows_each_change(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("x = 1\n", encoding="utf-8")
    os.utime(file, ns=(A_WHILE_AGO_NS, A_WHILE_AGO_NS))

    look = look_at_file(str(file))

    assert look is not None
    assert look.size_bytes == 6
    # Its time says that it is old, but its status was changed just now.
    assert look.signature == NO_SIGNATURE
    assert look_at_file(str(tmp_path / "none.py")) is None


def test_what_a_file_holds_is_known_by_its_status_alone(tmp_path: Path) -> None:
    cache = CheckCache(tmp_path)
    cache.keep([Seen("/a", b"1" * 32, b"c" * 16), Seen("/b", NO_SIGNATURE, b"d" * 16)], {})

    found = cache.find_contents({"/a": b"1" * 32, "/b": NO_SIGNATURE, "/c": b"3" * 32})

    assert found == {"/a": b"c" * 16, "/b": None}
    assert cache.find_contents({"/a": b"2" * 32}) == {"/a": None}
    cache.close()


def test_a_finding_is_kept_as_it_is() -> None:
    rule = Rule("no-print", "Use the log.", "", "k.md", 1, 9, "workspace", "k")
    place = Range(Point(1, 0), Point(2, 3))
    finding = Finding(
        rule,
        place,
        "日志 \ud800",
        "hint",
        "print(\n1)",
        ((place, "log"),),
        "compiled",
        ("deprecated",),
    )
    # What a finding gains must be kept as well, and this test then gives it a value.
    assert all(getattr(finding, each.name) for each in fields(Finding))
    record = Record((finding,), may_suppress=True)

    assert decode_record(encode_record(record), {"no-print": rule}) == record
    assert decode_record(encode_record(record), {}) is None
