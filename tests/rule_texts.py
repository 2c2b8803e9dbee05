"""Rules as teams write them, what models say about them, and code that breaks them."""

from typing import Any

NO_PRINT = """\
- Use the log, not `print`. {#no-print}

  ```check
  language: python
  rule:
    pattern: print($$$)
  ```
"""

# A rule that only a model can judge, and a compiled one.
LOG_ERRORS = f"""\
# Errors

- Log every error that is swallowed, with its cause. {{#log-errors}}
{NO_PRINT}"""

# Rules with repairs; that of `no-old` does not parse.
MENDING_PRINT = """\
  ```check
  language: [python, javascript, tsx, php, go]
  message: Use the log.
  rule: {pattern: print($$$A)}
  fix: log.info($$$A)
  ```
"""
MENDING_OLD = """\
  ```check
  language: python
  rule: {pattern: old($A)}
  fix: "new($A"
  ```
"""
MENDING_RULES = f"""\
# Rules

- Use the log, not `print`. {{#no-print}}

{MENDING_PRINT}
- No `old`. {{#no-old}}

{MENDING_OLD}"""

# A compiled rule that its example proves.
NO_EVAL = """\
- Never eval. {#no-eval severity=error link=https://example.com/eval}

  ```check
  language: python
  rule: {pattern: eval($A)}
  ```

  ```python bad
  eval(x)
  ```
"""

# A model writes a check for "use the log, not `print`".
DRAFTED_CHECK = """\
```check
language: python
message: Use the log.
rule: {pattern: print($$$A)}
```
```python bad
print(1)
```
```python good
log.info(1)
```
"""


def claim_swallowed(line: int) -> dict[str, Any]:
    """Return a finding of `log-errors` as a model reports it, at a line from 1."""
    return {
        "rule": "log-errors",
        "rule_quote": "Log every error that is swallowed",
        "code": "except OSError:",
        "line": line,
        "message": "The error is swallowed.",
        "fix": None,
    }
