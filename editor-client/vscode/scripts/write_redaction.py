"""Write `src/shared/secretPatterns.ts`: what the server takes for a secret, for the extension.

The patterns are those of `glossator.core.redaction`; here they are put into JavaScript's notation.
A test says when this has to be run again.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path

from glossator.core.redaction import SECRETS

FILE = Path(__file__).parents[1] / "src" / "shared" / "secretPatterns.ts"
_HEAD = """/** Written by scripts/write_redaction.py: what the server takes for a secret. */

export const SECRET_PATTERNS: readonly (readonly [source: string, flags: string])[] = ["""


def write_module(patterns: Iterable[re.Pattern[str]] = SECRETS) -> str:
    """Return the module's text."""
    entries = [f"  {_quote(_translate(each))}," for each in patterns]
    return "\n".join([_HEAD, *entries, "];", ""])


def _translate(pattern: re.Pattern[str]) -> tuple[str, str]:
    source = pattern.pattern.removeprefix("(?i)").replace(r"\Z", r"(?![\s\S])")
    flags = "g" + ("i" if pattern.flags & re.IGNORECASE else "")
    return source, flags + ("s" if pattern.flags & re.DOTALL else "")


def _quote(entry: tuple[str, str]) -> str:
    return json.dumps(list(entry), ensure_ascii=False)


if __name__ == "__main__":
    FILE.write_text(write_module(), encoding="utf-8")
