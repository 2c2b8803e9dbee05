import os

import pytest

from glossator.app.checking.reasons import Reason
from glossator.app.checking.report import CheckReport
from rule_texts import NO_PRINT
from workbench import OWN_ONLY_TOML, Bench, MakeBench

FILES = {
    "glossator.toml": OWN_ONLY_TOML,
    "knowledge/log.md": NO_PRINT,
    ".gitignore": "out/\n",
    ".glossatorignore": "vendored.py\n",
    "src/a.py": "print(1)\n",
    "out/b.py": "print(1)\n",
    "vendored.py": "print(1)\n",
    "keys.pem": "secret\n",
}


async def check(bench: Bench, *names: str) -> dict[str, CheckReport]:
    reports = await bench.application.checks.check_paths([bench.root / name for name in names])
    assert len({report.shown_path for report in reports}) == len(reports)
    return {report.shown_path: report for report in reports}


async def test_below_a_folder_each_file_is_checked_or_it_is_said_why_not(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(FILES)

    reports = await check(bench, ".")

    assert {name: report.reason for name, report in reports.items()} == {
        "src/a.py": None,
        "out": Reason("ignored"),
        "vendored.py": Reason("ignored"),
        "keys.pem": Reason("secret"),
        ".gitignore": Reason("no-language"),
        ".glossatorignore": Reason("no-language"),
        "glossator.toml": Reason("no-language"),
        "knowledge/log.md": Reason("no-language"),
    }
    assert [name for name, report in reports.items() if report.findings] == ["src/a.py"]


async def test_what_is_ignored_is_checked_when_it_is_named(make_bench: MakeBench) -> None:
    bench = make_bench(FILES)

    reports = await check(bench, "vendored.py", "out/b.py", ".")

    assert reports["vendored.py"].findings
    assert reports["out/b.py"].findings


async def test_what_may_hold_secrets_is_not_read_though_it_be_named(make_bench: MakeBench) -> None:
    bench = make_bench(FILES)

    reports = await check(bench, "keys.pem")

    assert reports["keys.pem"].reason == Reason("secret")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x00\x01binary\x00", Reason("binary")),
        (b"caf\xe9 = 1\n", Reason("encoding")),
        (b"\xef\xbb\xbfprint(1)\n", None),
        ("print('日志')\n".encode("gb18030"), None),
    ],
)
async def test_bytes_that_are_no_text_are_reported_and_the_others_are_checked(
    make_bench: MakeBench, data: bytes, reason: Reason | None
) -> None:
    bench = make_bench(FILES)
    (bench.root / "b.py").write_bytes(data)

    reports = await check(bench, "src/a.py", "b.py")

    assert reports["b.py"].reason == reason
    assert reports["src/a.py"].outcome == "findings"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
async def test_a_pipe_is_not_waited_for(make_bench: MakeBench) -> None:
    bench = make_bench(FILES)
    os.mkfifo(bench.root / "pipe.py")

    reports = await check(bench, "pipe.py")

    assert reports["pipe.py"].reason is not None
    assert reports["pipe.py"].reason.code == "unreadable"


async def test_an_open_document_is_checked_as_its_editor_has_it(make_bench: MakeBench) -> None:
    bench = make_bench(FILES)
    path = bench.application.status().roots[0] / "src/a.py"
    source = bench.application.read(path)
    bench.buffers[path] = type(source)(source.name, "x = 1\n", path, version=3)

    reports = await check(bench, ".")

    assert (reports["src/a.py"].outcome, reports["src/a.py"].version) == ("clean", 3)
