"""Repairs and dismissals over real files, rules and a baseline on the disk."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from glossator.app.checking.dismissing import CannotDismiss
from glossator.app.checking.fixing import find_edits
from glossator.app.checking.report import CheckReport
from glossator.core.messages import Usage
from glossator.core.text import SourceText
from glossator.model.scripted import ScriptedModel
from glossator.rules.finding import Finding
from glossator.rules.fixes import apply_edits
from rule_texts import MENDING_RULES
from workbench import OWN_ONLY, Bench, MakeBench

RULES = f"""\
{MENDING_RULES}
- No `same`. {{#no-same}}

  ```check
  language: python
  rule: {{pattern: same($A)}}
  fix: "same( $A )"
  ```

- No `first`. {{#no-first}}

  ```check
  language: python
  rule: {{pattern: first($A)}}
  fix: second($A)
  ```

- No `second`. {{#no-second}}

  ```check
  language: python
  rule: {{pattern: second($A)}}
  fix: first($A)
  ```
"""
BASELINE = ".glossator/baseline.json"


async def open_bench(make_bench: MakeBench, *, locale: str = "en", **files: str) -> Bench:
    named = {name.replace("_", "."): text for name, text in files.items()}
    bench = make_bench({"knowledge/r.md": RULES, **named}, settings=OWN_ONLY, locale=locale)
    await bench.application.rebuild_index()
    return bench


async def check(bench: Bench, name: str = "a.py") -> tuple[SourceText, CheckReport]:
    source = bench.application.read(bench.root / name)
    return source, await bench.application.checks.check(source)


async def only(bench: Bench, name: str = "a.py") -> tuple[SourceText, Finding]:
    source, report = await check(bench, name)
    (finding,) = report.findings
    return source, finding


# Repairs


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("print(x)\n", None),
        ("old(x)\n", "breaks-syntax"),
        ("same(x)\n", "still-found"),
        ("first(x)\n", None),
    ],
)
async def test_a_repair_is_offered_only_when_it_does_what_it_promises(
    make_bench: MakeBench, text: str, refusal: str | None
) -> None:
    bench = await open_bench(make_bench, a_py=text)

    assert await bench.application.mending.judge_fix(*await only(bench)) == refusal


async def test_a_repair_may_be_offered_where_the_code_was_broken_before(
    make_bench: MakeBench,
) -> None:
    bench = await open_bench(make_bench, a_py="print(x)\n\ndef f(:\n    pass\n")

    assert await bench.application.mending.judge_fix(*await only(bench)) is None


async def test_what_a_model_proposes_must_parse_and_is_never_made_unseen(
    make_bench: MakeBench,
) -> None:
    bench = await open_bench(make_bench, a_py="print(x)\n")
    source, finding = await only(bench)
    judged = replace(finding, proof="judged")
    broken = replace(judged, fix=((finding.range, "log.info("),))

    assert await bench.application.mending.judge_fix(source, judged) is None
    assert await bench.application.mending.judge_fix(source, broken) == "breaks-syntax"


async def test_all_repairs_are_made_until_nothing_changes(make_bench: MakeBench) -> None:
    bench = await open_bench(make_bench, a_py="print(print(1))\nold(2)\nprint(3)\nfirst(4)\n")
    source, _ = await check(bench)

    done = await bench.application.mending.repair(source)

    assert done.text == "log.info(log.info(1))\nold(2)\nlog.info(3)\nfirst(4)\n"
    assert {(one.finding.rule.id, one.refusal) for one in done.left} == {
        ("no-old", "breaks-syntax"),
        ("no-first", "finds-more"),
    }
    assert len(done.fixed) == 3


async def test_all_of_one_rule_are_repaired_alone(make_bench: MakeBench) -> None:
    bench = await open_bench(make_bench, a_py="print(1)\nfirst(2)\nprint(3)\n")
    source, _ = await check(bench)

    done = await bench.application.mending.repair(source, "no-print")

    assert done.text == "log.info(1)\nfirst(2)\nlog.info(3)\n"


async def test_what_is_dismissed_is_not_repaired(make_bench: MakeBench) -> None:
    text = "print(1)  # glossator: ignore[no-print] a script\nprint(2)\n"
    bench = await open_bench(make_bench, a_py=text)
    source, _ = await check(bench)

    done = await bench.application.mending.repair(source)

    assert done.text == text.replace("print(2)", "log.info(2)")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb\nc\n", "a\nx\ny\nc\n"),
        ("a\r\nb", "a\r\n"),
        ("", "a\n"),
        ("a", "b"),
        ("a\n\nb\n", "b\n"),
    ],
)
def test_edits_of_lines_make_one_text_of_the_other(before: str, after: str) -> None:
    assert apply_edits(before, find_edits(before, after)) == after


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfprint(1)\r\nx = '\xe6\x97\xa5'\r\n",
        "print(1)\nx = '日志系统记录'\n".encode("gb18030"),
        "print(1)\n".encode("utf-16-le").join([b"\xff\xfe", b""]),
        b"print(1)",
    ],
)
async def test_a_file_keeps_its_encoding_mark_and_line_breaks(
    make_bench: MakeBench, data: bytes
) -> None:
    bench = await open_bench(make_bench)
    path = bench.root / "a.py"
    path.write_bytes(data)
    path.chmod(0o755)
    reports = await bench.application.checks.check_paths([path])

    (shown,) = await bench.application.mending.fix_files(reports, writes=False)
    assert path.read_bytes() == data
    (fix,) = await bench.application.mending.fix_files(reports, writes=True)

    wanted = data.replace(b"print", b"log.info")
    if data.startswith(b"\xff\xfe"):
        wanted = b"\xff\xfe" + "log.info(1)\n".encode("utf-16-le")
    assert path.read_bytes() == wanted
    assert path.stat().st_mode & 0o777 == 0o755
    assert (shown.is_written, fix.is_written) == (False, True)
    assert "-print(1)\n+log.info(1)\n" in shown.diff


# Comments


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("a.py", "if x:\n    print(1)\n", "if x:\n    # glossator: ignore[no-print] (hash "),
        ("a.js", "f(\r\n\tprint(1));\r\n", "f(\r\n\t// glossator: ignore[no-print] (hash "),
        ("a.go", "package a\nfunc f() {\n\tprint(1)\n}\n", "\t//glossator:ignore[no-print] (hash "),
        ("a.tsx", "a = <p>\n  {print(1)}\n</p>;\n", "  {/* glossator: ignore[no-print] (hash "),
        ("a.tsx", "a = <p\n  b={print(1)}/>;\n", "  // glossator: ignore[no-print] (hash "),
    ],
)  # fmt: skip
async def test_a_finding_is_dismissed_by_a_comment_above_it(
    make_bench: MakeBench, name: str, text: str, wanted: str
) -> None:
    bench = await open_bench(make_bench)
    (bench.root / name).write_bytes(text.encode())
    source, finding = await only(bench, name)

    edit = await bench.application.mending.write_comment(source, finding, "line")

    assert edit is not None
    changed = apply_edits(text, [edit])
    assert wanted in changed
    (bench.root / name).write_bytes(changed.encode())
    _, report = await check(bench, name)
    assert (report.outcome, len(report.suppressed)) == ("clean", 1)


@pytest.mark.parametrize("text", ['x = f"""\n{print(1)}\n"""\n', "x = 1 + \\\n    print(1)\n"])
async def test_where_no_comment_can_stand_none_is_offered(make_bench: MakeBench, text: str) -> None:
    bench = await open_bench(make_bench, a_py=text)

    assert await bench.application.mending.write_comment(*await only(bench), "line") is None


@pytest.mark.parametrize(
    ("name", "text", "before"),
    [
        ("a.py", "print(1)\n", ""),
        ("a.py", "#!/usr/bin/env python\nprint(1)\n", "#!/usr/bin/env python\n"),
        ("a.py", "# -*- coding: utf-8 -*-\nx = 1\nprint(1)\n", "# -*- coding: utf-8 -*-\nx = 1\n"),
        ("a.go", "package a\n\nvar _ = print(1)\n", ""),
        ("a.php", "<?php\nprint(1);\n", "<?php\n"),
    ],
)  # fmt: skip
async def test_a_rule_is_dismissed_for_a_file_at_its_top(
    make_bench: MakeBench, name: str, text: str, before: str
) -> None:
    bench = await open_bench(make_bench)
    (bench.root / name).write_bytes(text.encode())
    source, report = await check(bench, name)
    if not report.findings:
        pytest.fail(f"nothing is found in {name}")

    edit = await bench.application.mending.write_comment(source, report.findings[0], "file")

    assert edit is not None
    changed = apply_edits(text, [edit])
    assert changed.startswith(before)
    assert "ignore-file[no-print] (hash " in changed[len(before) :].splitlines()[0]
    (bench.root / name).write_bytes(changed.encode())
    _, report = await check(bench, name)
    assert report.outcome == "clean"


async def test_a_useless_comment_is_a_hint_with_its_removal(make_bench: MakeBench) -> None:
    bench = await open_bench(
        make_bench, locale="zh-cn", a_py="x = 1  # glossator: ignore[no-print]\n"
    )

    source, finding = await only(bench)

    assert (finding.rule.id, finding.severity) == ("suppression-unused", "hint")
    assert "不再需要" in finding.message
    assert apply_edits(source.text, finding.fix) == "x = 1\n"
    assert await bench.application.mending.judge_fix(source, finding) is None


async def test_a_comment_about_other_code_has_lapsed_and_the_finding_is_back(
    make_bench: MakeBench,
) -> None:
    bench = await open_bench(make_bench, a_py="print(1)\n")
    source, finding = await only(bench)
    edit = await bench.application.mending.write_comment(source, finding, "line")
    assert edit is not None
    changed = apply_edits(source.text, [edit]).replace("print(1)", "print(2)")
    (bench.root / "a.py").write_text(changed, encoding="utf-8")

    source, report = await check(bench)

    assert [one.rule.id for one in report.findings] == ["suppression-lapsed", "no-print"]
    # Whether to dismiss it anew is for people to say.
    done = await bench.application.mending.repair(source)
    assert "ignore[no-print]" in done.text


# The baseline


async def test_what_is_dismissed_is_written_and_stays_dismissed(make_bench: MakeBench) -> None:
    bench = await open_bench(make_bench, a_py="print(1)\n")
    file = bench.root / BASELINE
    source, finding = await only(bench)
    assert not file.exists()

    change = await bench.application.mending.dismiss(source, finding, "wrong", "a script")

    assert (change.is_written, change.n_added) == (True, 1)
    (entry,) = json.loads(file.read_text(encoding="utf-8"))["findings"]
    assert (entry["path"], entry["rule"], entry["kind"], entry["reason"]) == (
        "a.py", "no-print", "wrong", "a script",
    )  # fmt: skip
    (bench.root / "a.py").write_text(
        "x = 1\n\nif x:\n    print(\n        1,\n    )\n", encoding="utf-8"
    )
    _, report = await check(bench)
    assert (report.outcome, [one.reason for one in report.suppressed]) == ("clean", ["a script"])


async def test_a_renamed_file_keeps_what_was_dismissed_in_it(make_bench: MakeBench) -> None:
    bench = await open_bench(make_bench, a_py="print(1)\n")
    await bench.application.mending.dismiss(*await only(bench), "ignored")
    (bench.root / "a.py").rename(bench.root / "b.py")

    _, report = await check(bench, "b.py")
    changes = await bench.application.mending.take_in([report])

    assert report.outcome == "clean"
    (entry,) = json.loads((bench.root / BASELINE).read_text(encoding="utf-8"))["findings"]
    assert entry["path"] == "b.py"
    assert (changes[0].n_added, changes[0].n_removed) == (1, 1)


async def test_a_lapsed_entry_is_told_and_can_be_forgotten(make_bench: MakeBench) -> None:
    bench = await open_bench(make_bench, a_py="print(1)\n")
    await bench.application.mending.dismiss(*await only(bench), "ignored")
    (bench.root / "a.py").write_text("print(2)\n", encoding="utf-8")

    source, report = await check(bench)
    assert [one.rule.id for one in report.findings] == ["suppression-lapsed", "no-print"]
    assert f"`{BASELINE}:4`" in report.findings[0].message
    await bench.application.mending.forget_unused(source)

    _, report = await check(bench)
    assert [one.rule.id for one in report.findings] == ["no-print"]


BROKEN = {
    "conflict": '{\n  "version": 1,\n<<<<<<< a\n=======\n>>>>>>> b\n}\n',
    "syntax": '{"version": 1, "findings": [}',
    "foreign": '{"name": "package"}\n',
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN.keys())
async def test_a_broken_baseline_is_told_and_never_written(
    make_bench: MakeBench, text: str
) -> None:
    bench = await open_bench(make_bench, a_py="print(1)\n")
    file = bench.root / BASELINE
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    source, report = await check(bench)

    assert BASELINE in report.notes[0]
    for dismissal in (
        bench.application.mending.dismiss(source, report.findings[0], "wrong"),
        bench.application.mending.take_in([report]),
        bench.application.mending.forget_unused(source),
    ):
        with pytest.raises(CannotDismiss, match=r"[Nn]othing is written"):
            await dismissal
    assert file.read_text(encoding="utf-8") == text


async def test_a_baseline_outside_of_the_folder_is_none(make_bench: MakeBench) -> None:
    settings = {**OWN_ONLY, "check": {"baseline": "../elsewhere.json"}}
    bench = make_bench({"knowledge/r.md": RULES, "a.py": "print(1)\n"}, settings=settings)
    await bench.application.rebuild_index()

    with pytest.raises(CannotDismiss):
        await bench.application.mending.dismiss(*await only(bench), "wrong")

    assert not (bench.root.parent / "elsewhere.json").exists()


async def test_a_baseline_that_is_open_is_read_from_the_editor_and_left_to_it(
    make_bench: MakeBench,
) -> None:
    bench = await open_bench(make_bench, a_py="print(1)\n")
    file = bench.root / BASELINE
    bench.buffers[file] = SourceText(BASELINE, "", file, 1)

    change = await bench.application.mending.dismiss(*await only(bench), "wrong")

    assert not change.is_written
    assert not file.exists()
    bench.buffers[file] = SourceText(BASELINE, change.text, file, 2)
    assert (await check(bench))[1].outcome == "clean"


async def test_a_baseline_that_a_link_leads_out_of_the_folder_is_none(
    make_bench: MakeBench, tmp_path: Path
) -> None:
    bench = await open_bench(make_bench, a_py="print(1)\n")
    outside = tmp_path / "outside"
    outside.mkdir()
    (bench.root / ".glossator").symlink_to(outside)
    file = outside / "baseline.json"

    with pytest.raises(CannotDismiss):
        await bench.application.mending.dismiss(*await only(bench), "wrong")

    assert not file.exists()


async def test_two_findings_that_are_dismissed_at_once_are_both_kept(
    make_bench: MakeBench,
) -> None:
    bench = await open_bench(make_bench, a_py="print(1)\nprint(2)\nprint(3)\n")
    source, report = await check(bench)

    async with asyncio.TaskGroup() as tasks:
        for finding in report.findings:
            tasks.create_task(bench.application.mending.dismiss(source, finding, "wrong"))

    assert (await check(bench))[1].outcome == "clean"


# What a model judged

JUDGED = "# Errors\n\n- Log every error that is swallowed, with its cause. {#log-errors}\n"
LOAD = """\
def load(path):
    try:
        return read(path)
    except OSError:
        return None
"""


def claim(code: str, fix: str | None = None) -> tuple[str, str]:
    finding = {
        "rule": "log-errors", "rule_quote": "Log every error that is swallowed", "code": code,
        "line": 1, "message": "The error is swallowed.", "fix": fix,
    }  # fmt: skip
    verdict = {"claim": 1, "holds": True}
    return json.dumps({"findings": [finding]}), json.dumps({"verdicts": [verdict]})


async def judge(bench: Bench, name: str = "a.py") -> tuple[SourceText, CheckReport]:
    source = bench.application.read(bench.root / name)
    return source, await bench.application.checks.judge(source)


@pytest.mark.parametrize("extent", ["line", "baseline"])
async def test_what_a_model_judged_never_comes_back_for_the_same_code_and_rule(
    make_bench: MakeBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extent: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    replies = [
        *claim("    except OSError:\n        return None"),
        *claim("except OSError:"),
        *claim("except OSError:"),
    ]
    bench = make_bench(
        {"knowledge/r.md": JUDGED, "a.py": LOAD},
        model=ScriptedModel(replies, usage=Usage(10, 1)),
        settings=OWN_ONLY,
    )
    await bench.application.rebuild_index()
    source, report = await judge(bench)
    (finding,) = report.findings
    text = LOAD
    if extent == "line":
        edit = await bench.application.mending.write_comment(source, finding, "line")
        assert edit is not None
        text = apply_edits(LOAD, [edit])
    else:
        await bench.application.mending.dismiss(source, finding, "wrong", "read it")

    # Another line of the function is another one: the model is asked again, and quotes less.
    moved = "import os\n\n" + text.replace("read(path)", "read_all(path)")
    (bench.root / "a.py").write_text(moved, encoding="utf-8")
    _, again = await judge(bench)
    assert (again.outcome, len(again.suppressed)) == ("clean", 1)

    # The code that it is about is another one.
    (bench.root / "a.py").write_text(moved.replace("return None", "return []"), encoding="utf-8")
    _, changed = await judge(bench)
    assert [one.rule.id for one in changed.findings if one.proof == "judged"] == ["log-errors"]
    assert "suppression-lapsed" in [one.rule.id for one in changed.findings]
