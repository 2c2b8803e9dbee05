"""The YAML in a header: values whose scalars all stay text, within limits."""

from typing import Any

import yaml

MAX_DEPTH = 8


def load_text(text: str) -> Any:
    """Return the value of a text.

    Raises ValueError for what is no YAML, is nested too deeply, or has aliases.
    """
    depth = 0
    for character in text:
        depth += (character in "[{") - (character in "]}")
        if depth > MAX_DEPTH:
            # Seen before the scanner, which takes time squared in the number of open brackets.
            raise ValueError("nested too deeply")
    try:
        return yaml.load(text, Loader=_TextLoader)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


class _TextLoader(yaml.BaseLoader):
    """YAML whose scalars all stay text: no dates, no `on` that turns into True, no tags.

    Aliases are refused (a few hundred bytes of them unfold to gigabytes), and so is deep nesting.
    """

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise ValueError("aliases are not allowed")
        depth = self._depth = getattr(self, "_depth", 0) + 1
        if depth > MAX_DEPTH:
            raise ValueError("nested too deeply")
        try:
            return super().compose_node(parent, index)
        finally:
            self._depth = depth - 1
