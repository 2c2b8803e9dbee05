"""Files that hold the same thing thousands of times are judged in time."""

import time

import pytest

from unit.linting.desk import lint


@pytest.mark.parametrize(
    "lines",
    [
        ["- Never write a number into the text of a page."],
        ["- Always indent with tabs.", "- Never indent with tabs."],
    ],
)
def test_rules_that_stand_thousands_of_times_are_judged_in_time(lines: list[str]) -> None:
    text = "\n".join(lines * (3_000 // len(lines)))
    other = {"sub/CLAUDE.md": text, "CLAUDE.md": text}
    started = time.process_time()

    found = lint("AGENTS.md", text, files=other)

    assert found
    assert time.process_time() - started < 10
