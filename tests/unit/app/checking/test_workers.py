"""Files are checked in processes beside this one, also where a check crashes or never ends."""

import asyncio
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from glossator.app.checking import running, worker_process
from glossator.app.checking.reasons import Reason
from glossator.app.checking.report import CheckReport
from glossator.app.checking.running import Effort
from glossator.core.events import Event
from rule_texts import NO_PRINT
from workbench import OWN_ONLY_TOML, Bench, MakeBench

N_FILES = 60
FILES = {
    "glossator.toml": OWN_ONLY_TOML,
    "knowledge/log.md": NO_PRINT,
    **{f"src/m{n:02}.py": f"print({n})\n" * (n % 7) for n in range(N_FILES)},
}
# Dies or hangs at files of such names, and says which processes there were.
ODD_WORKER = """\
import os, pickle, signal, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from glossator.app.checking import worker
examine = worker.Examiner.examine
open(os.path.join({folder!r}, str(os.getpid())), "w").close()
def odd(self, task):
    name = os.path.basename(task.path)
    if name in {crashing!r}:
        os.kill(os.getpid(), signal.SIGSEGV)
    while name in {hanging!r}:
        pass
    return examine(self, task)
worker.Examiner.examine = odd
worker.main()
"""

UseOddWorkers = Callable[..., Path]


@pytest.fixture
def use_odd_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UseOddWorkers:
    """Let processes crash or hang at some files; return the folder that names the processes."""

    def use(*, crashing: tuple[str, ...] = (), hanging: tuple[str, ...] = ()) -> Path:
        folder = tmp_path / "processes"
        folder.mkdir()
        code = ODD_WORKER.format(folder=str(folder), crashing=crashing, hanging=hanging)
        command = tuple(part if "import" not in part else code for part in worker_process.COMMAND)
        monkeypatch.setattr(worker_process, "COMMAND", command)
        return folder

    return use


@pytest.fixture(autouse=True)
def _few_files_are_worth_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_BYTES_A_PROCESS", 100)


async def check(bench: Bench, effort: Effort) -> tuple[CheckReport, ...]:
    async with asyncio.timeout(60):
        return await bench.application.checks.check_paths([bench.root / "src"], effort=effort)


def is_running(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


def wait_for_hands() -> None:
    """Wait until nobody talks to a process any more."""
    for thread in threading.enumerate():
        if thread.name.startswith("glossator-check"):
            thread.join(20)


async def test_any_number_of_processes_gives_the_same_reports_in_the_same_order(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(FILES)

    alone, together = await check(bench, Effort(1)), await check(bench, Effort(3))

    assert together == alone
    assert [report.shown_path for report in together] == [f"src/m{n:02}.py" for n in range(N_FILES)]
    assert sum(len(report.findings) for report in together) == sum(n % 7 for n in range(N_FILES))


async def test_a_crash_costs_the_file_that_it_happened_in_and_no_other(
    make_bench: MakeBench, use_odd_workers: UseOddWorkers
) -> None:
    use_odd_workers(crashing=("m03.py", "m04.py", "m59.py"))
    bench = make_bench(FILES)

    reports = await check(bench, Effort(2))

    lost = {report.shown_path: report.reason for report in reports if report.reason}
    assert lost == dict.fromkeys(("src/m03.py", "src/m04.py", "src/m59.py"), Reason("crashed"))
    assert len(reports) == N_FILES


async def test_a_check_that_does_not_end_is_ended(
    make_bench: MakeBench, use_odd_workers: UseOddWorkers
) -> None:
    use_odd_workers(hanging=("m05.py",))
    bench = make_bench(FILES)

    reports = await check(bench, Effort(2, timeout_s=0.5))

    lost = {report.shown_path: report.reason for report in reports if report.reason}
    assert lost == {"src/m05.py": Reason("timeout", ("0.5",))}


async def test_what_crashed_is_not_kept(
    make_bench: MakeBench,
    use_odd_workers: UseOddWorkers,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = make_bench(FILES)
    with monkeypatch.context():
        command = worker_process.COMMAND
        use_odd_workers(crashing=("m03.py",))
        await check(bench, Effort(2, tmp_path / "cache"))
        monkeypatch.setattr(worker_process, "COMMAND", command)

    reports = await check(bench, Effort(2, tmp_path / "cache"))

    assert [report.reason for report in reports] == [None] * N_FILES


@pytest.mark.parametrize("command", [("/nowhere/python",), ("false",)])
async def test_where_no_process_can_be_started_files_are_checked_here(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr(worker_process, "COMMAND", command)
    bench = make_bench(FILES)

    reports = await check(bench, Effort(2))

    assert len(reports) == N_FILES
    assert not any(report.reason for report in reports)


async def test_who_gives_up_leaves_no_process(
    make_bench: MakeBench, use_odd_workers: UseOddWorkers
) -> None:
    folder = use_odd_workers(hanging=("m06.py", "m13.py"))
    bench = make_bench(FILES)
    is_under_way = asyncio.Event()

    def hear(event: Event) -> None:
        is_under_way.set()

    checking = asyncio.create_task(
        bench.application.checks.check_paths([bench.root / "src"], effort=Effort(2), emit=hear)
    )
    async with asyncio.timeout(30):
        await is_under_way.wait()
        checking.cancel()
        await asyncio.wait([checking])
        await asyncio.to_thread(wait_for_hands)

    assert checking.cancelled()
    assert not any(is_running(int(file.name)) for file in folder.iterdir())


async def test_a_process_that_was_started_early_is_the_first_to_work(
    make_bench: MakeBench, use_odd_workers: UseOddWorkers
) -> None:
    folder = use_odd_workers()
    bench = make_bench(FILES)

    with worker_process.started_early():
        reports = await check(bench, Effort(1, is_guarded=True))
        n_processes = len([*folder.iterdir()])

    assert n_processes == 1
    assert not any(report.reason for report in reports)


def test_a_process_that_nobody_takes_is_ended() -> None:
    with worker_process.started_early():
        process = worker_process.take_process()
        worker_process._early.append(process)

    assert process._process.returncode is not None


def test_a_process_whose_starter_is_gone_ends_without_a_word() -> None:
    told = pickle.dumps(sys.path)

    done = subprocess.run(worker_process.COMMAND, input=told, capture_output=True, check=True)

    assert done.stdout + done.stderr == b""


@pytest.mark.parametrize("command", [("/nowhere/python",), ("false",)])
async def test_where_no_process_can_be_started_early_files_are_checked_all_the_same(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr(worker_process, "COMMAND", command)
    bench = make_bench(FILES)

    with worker_process.started_early():
        reports = await check(bench, Effort(2))

    assert len(reports) == N_FILES


async def test_a_workspace_cannot_put_its_own_modules_in_the_place_of_ours(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = "raise SystemExit('planted')\n"
    bench = make_bench({**FILES, "pickle.py": planted, "signal.py": planted, "yaml.py": planted})
    monkeypatch.chdir(bench.root)

    reports = await check(bench, Effort(2))

    assert not any(report.reason for report in reports)
