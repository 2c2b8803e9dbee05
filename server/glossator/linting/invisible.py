"""Characters that people do not see and a model does."""

import re
from collections.abc import Iterator

from glossator.linting.finding import Finding, find, remove
from glossator.linting.header import range_on
from glossator.linting.subject import Subject

_INVISIBLE = re.compile("[\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]+")
_FLAG = "\U0001f3f4"
_MAX_FINDINGS = 100


def check_invisible(subject: Subject) -> Iterator[Finding]:
    """Find runs of invisible characters; those that make up a flag are seen."""
    n_found = 0
    for number, line in enumerate(subject.lines, start=1):
        if line.isascii():
            continue
        for match in _INVISIBLE.finditer(line):
            if line[: match.start()].endswith(_FLAG) and match[0][0] > "\U000e0000":
                continue
            place = range_on(number, match.start(), len(match[0]))
            names = " ".join(dict.fromkeys(f"U+{ord(each):04X}" for each in match[0]))
            yield find("invisible-character", place, repair=remove(place), names=names[:80])
            n_found += 1
            if n_found == _MAX_FINDINGS:
                return
