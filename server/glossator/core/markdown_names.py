"""Which files hold Markdown, by their names alone; the case of a name's end does not matter."""

_MARKDOWN = ".md"
_CURSOR_RULE = ".mdc"


def is_markdown_name(name: str) -> bool:
    """Say whether a name or path is that of a Markdown file."""
    return name.lower().endswith(_MARKDOWN)


def is_markdown_or_rule_name(name: str) -> bool:
    """Say whether a name or path is that of a Markdown file or of one of Cursor's rules."""
    return name.lower().endswith((_MARKDOWN, _CURSOR_RULE))
