"""The page on the linter names every code; `--update-golden` writes its table anew."""

import re
from pathlib import Path

from glossator.app.linting.text import MESSAGES, PREFIX
from glossator.linting.finding import CHOICES, GUESSES, SEVERITIES
from unit.linting.cases import CASES

PAGE = Path(__file__).parents[2] / "docs/linting.md"
_PART = r"\{\?\w+:((?:[^{}]|\{\w+\})*)\}"
_BEGIN, _END = "<!-- codes -->\n", "<!-- end of codes -->\n"


def render_table() -> str:
    repaired = {case.code for case in CASES if case.repaired is not None}
    rows = ["| code | severity | repair | message |", "|---|---|---|---|"]
    for code, severity in SEVERITIES.items():
        repair = "no"
        if code in repaired:
            repair = "choice" if code in CHOICES else "guess" if code in GUESSES else "sure"
        message = MESSAGES[code][0].replace("|", "\\|")
        message = re.sub(rf"(?:{_PART}){{2,}}", "…", message)
        message = re.sub(_PART, r"\1", message)
        message = re.sub(r"\{\w+\}", "…", message)
        rows.append(f"| `{PREFIX}{code}` | {severity} | {repair} | {message} |")
    return "\n".join(rows) + "\n"


def test_the_page_names_every_code(update_golden: bool) -> None:
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(_BEGIN)
    _, _, tail = rest.partition(_END)
    if update_golden:
        PAGE.write_text(f"{head}{_BEGIN}\n{render_table()}\n{_END}{tail}", encoding="utf-8")
        return

    assert text == f"{head}{_BEGIN}\n{render_table()}\n{_END}{tail}"
