"""What a model claims about code, as it wrote it: nothing here is true yet."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """Code breaks a rule, a model says.

    `rule_quote` and `code` are meant to be copied from the rule and from the code; `line` (1-based)
    is where it saw the code, which it counts badly. `fix` is to stand in the place of `code`.
    """

    rule_id: str
    rule_quote: str
    code: str
    line: int | None = None
    message: str = ""
    fix: str | None = None


@dataclass(frozen=True, slots=True)
class AskedRule:
    """A rule as a model is asked about it: `text` is what its file says."""

    id: str
    text: str
