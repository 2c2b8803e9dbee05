"""Write what other language servers report, so that its words stay words."""

from glossator.tools.editor.facts import Problem
from glossator.tools.escaping import quote_name, quote_path

_MAX_MESSAGE = 300


def show_problem(problem: Problem, shown: str) -> str:
    """Write a problem on one line; its words are others' and stand in backticks."""
    said_by = " ".join(filter(None, [problem.source, problem.code]))
    message = quote_name(problem.message.replace("`", "'"), limit=_MAX_MESSAGE)
    by = f" ({quote_name(said_by.replace('`', ''))})" if said_by else ""
    place = f"{quote_path(shown)}:{problem.range.start.line}"
    return f"- {place} {problem.severity}: {message}{by}"
