"""Rules judged by a real model: `OPENAI_BASE_URL=… OPENAI_API_KEY=… MODEL=… pytest -m live`.

Nothing is held of how well it judges, but of what is told of it.
"""

import os
from pathlib import Path

import pytest

import workbench
from glossator.core.events import CodeJudged

pytestmark = pytest.mark.live

RULES = """\
# Rules

- Log errors with the module's `logger`, never with `print`. {#use-logger language=python}
- 异常不要吞掉：`except` 里必须记录日志或重新抛出。 {#no-swallow language=python}
"""
CODE = """\
def load(path):
    try:
        return open(path, encoding="utf-8").read()
    except OSError as error:
        print("cannot read", path, error)
        return None
"""


async def test_each_rule_is_judged_or_it_is_said_why_not_and_each_finding_is_a_quote(
    tmp_path: Path,
) -> None:
    settings = {
        **workbench.OWN_ONLY,
        "model": {
            "baseUrl": os.environ["OPENAI_BASE_URL"],
            "apiKey": os.environ.get("OPENAI_API_KEY", ""),
            "name": os.environ["MODEL"],
        },
        "check": {"judgeTimeoutS": 600},
    }
    files = {"knowledge/rules.md": RULES, "a.py": CODE}
    bench = workbench.make_bench(tmp_path / "workspace", files, settings=settings)
    try:
        await bench.application.rebuild_index()
        source = bench.application.read(bench.root / "a.py")
        report = await bench.application.checks.judge(source, emit=bench.hear)
    finally:
        await bench.application.close()

    print(f"\n{report}\n{bench.heard(CodeJudged)}")
    assert report.n_judged + sum(len(each.rule_ids) for each in report.skipped) == 2
    assert all(each.code in CODE and each.proof == "judged" for each in report.findings)
    assert (report.outcome == "not-checked") is (report.n_judged == 0 and not report.findings)
