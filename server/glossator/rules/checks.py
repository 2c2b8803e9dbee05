"""Read a `check` block: YAML in ast-grep's rule language with a language, severity and message."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

import yaml
from ast_grep_py import Config, SgRoot

from glossator.core.globs import find_invalid_glob
from glossator.rules.rule import (
    DEFAULT_SEVERITY,
    LANGUAGES,
    SEVERITIES,
    TAGS,
    Check,
    Severity,
    Tag,
    find_rule_language,
)

# Keys that ast-grep itself takes, and all that may stand in a block.
CONFIG_KEYS = ("rule", "constraints", "utils", "transform")
KEYS = ("language", "severity", "message", *CONFIG_KEYS, "fix", "files", "ignores", "tags", "note")
# A block is written by hand; a longer one is a mistake or an attack on the YAML reader.
_MAX_CHARS = 20_000
_MAX_BRACKETS = 500  # Each one deeper costs the YAML reader a recursion.


class InvalidCheck(Exception):
    """A check that cannot be used. `line` is 0-based within the block."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def parse_check(
    text: str,
    *,
    default_message: str,
    default_severity: Severity = DEFAULT_SEVERITY,
    line: int = 0,
) -> Check:
    """Return the check that the block `text` describes, proven to compile in its languages.

    The defaults are the rule's. `line` is where the block's text begins in its file.
    Raises `InvalidCheck`.
    """
    node, values = _load(text)
    for key in values:
        if key not in KEYS:
            raise InvalidCheck(
                f"`{key}` is not a key of a check; use one of {', '.join(KEYS)}.",
                _line_of(node, str(key)),
            )
    if "rule" not in values:
        raise InvalidCheck("The check has no `rule:`; add the ast-grep rule it looks for.", 0)
    check = Check(
        languages=_read_languages(node, values),
        severity=_read_severity(node, values, default_severity),
        message=_read_text(node, values, "message") or default_message,
        config={key: values[key] for key in CONFIG_KEYS if key in values},
        fix=_read_text(node, values, "fix").removesuffix("\n"),
        files=_read_globs(node, values, "files"),
        ignores=_read_globs(node, values, "ignores"),
        line=line,
        tags=_read_tags(node, values),
    )
    for language in check.languages:
        _prove_compiles(node, check.config, language)
    return check


def _load(text: str) -> tuple[yaml.MappingNode, dict[str, Any]]:
    if len(text) > _MAX_CHARS or text.count("[") + text.count("{") > _MAX_BRACKETS:
        raise InvalidCheck(
            f"The check has more than {_MAX_CHARS} characters or {_MAX_BRACKETS} brackets.", 0
        )
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        if not isinstance(node, yaml.MappingNode):
            raise InvalidCheck("A check is YAML of the form `key: value`, one key a line.", 0)
        _refuse_aliases(node)
        return node, loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "it cannot be read"
        raise InvalidCheck(f"The YAML is broken: {problem}.", mark.line if mark else 0) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        # YAMLError: characters YAML does not allow; ValueError: a date such as 2026-99-99.
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InvalidCheck(f"The YAML is broken: {reason}.", 0) from error


def _refuse_aliases(root: yaml.Node) -> None:
    """Refuse anchors: a few lines of them can stand for more nodes than memory holds."""
    seen: set[int] = set()
    for node in _walk(root):
        if id(node) in seen:
            raise InvalidCheck(
                "Anchors and aliases (`&`, `*`) are not supported; write it out or use `utils`.",
                node.start_mark.line,
            )
        seen.add(id(node))


def _walk(root: yaml.Node) -> Iterator[yaml.Node]:
    """Yield `root` and everything below it; the consumer stops at the first repetition."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, yaml.MappingNode):
            waiting.extend(part for pair in reversed(node.value) for part in reversed(pair))
        elif isinstance(node, yaml.SequenceNode):
            waiting.extend(reversed(node.value))


def _read_languages(node: yaml.MappingNode, values: Mapping[str, Any]) -> tuple[str, ...]:
    written = values.get("language")
    names = written if isinstance(written, list) else [written]
    if not names or written is None:
        raise InvalidCheck(
            f"The check has no `language:`; use one of {', '.join(LANGUAGES)}.",
            _line_of(node, "language"),
        )
    languages = []
    for name in names:
        language = find_rule_language(str(name))
        if language is None:
            raise InvalidCheck(
                f"`{name}` is not a language of checks; use one of {', '.join(LANGUAGES)}.",
                _line_of(node, str(name), "language"),
            )
        languages.append(language)
    return tuple(dict.fromkeys(languages))


def _read_severity(
    node: yaml.MappingNode, values: Mapping[str, Any], default: Severity
) -> Severity:
    severity = values.get("severity", default)
    if severity not in SEVERITIES:
        raise InvalidCheck(
            f"`{severity}` is not a severity; use one of {', '.join(SEVERITIES)}.",
            _line_of(node, "severity"),
        )
    return cast(Severity, severity)


def _read_tags(node: yaml.MappingNode, values: Mapping[str, Any]) -> tuple[Tag, ...]:
    written = values.get("tags", [])
    tags = written if isinstance(written, list) else [written]
    for tag in tags:
        if tag not in TAGS:
            raise InvalidCheck(
                f"`{tag}` is not a tag of a check; use one of {', '.join(TAGS)}.",
                _line_of(node, str(tag), "tags"),
            )
    return tuple(cast(list[Tag], tags))


def _read_text(node: yaml.MappingNode, values: Mapping[str, Any], key: str) -> str:
    value = values.get(key, "")
    if not isinstance(value, str):
        raise InvalidCheck(f"`{key}` must be text; put it in quotes.", _line_of(node, key))
    return value


def _read_globs(node: yaml.MappingNode, values: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = values.get(key, [])
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(glob, str) for glob in value):
        raise InvalidCheck(f"`{key}` must be a list of globs.", _line_of(node, key))
    invalid = find_invalid_glob(value)
    if invalid is not None:
        raise InvalidCheck(f"`{invalid}` is not a glob.", _line_of(node, invalid, key))
    return tuple(value)


def _prove_compiles(node: yaml.MappingNode, config: Mapping[str, Any], language: str) -> None:
    fault = _find_fault(config, language)
    if fault is not None:
        raise InvalidCheck(
            f"The rule does not work for {language}: {fault}", _locate_fault(node, fault, language)
        )


def _find_fault(config: Mapping[str, Any], language: str) -> str | None:
    """Return why ast-grep refuses `config`, or None."""
    try:
        SgRoot("", language).root().find(cast(Config, config))
    except Exception as error:  # noqa: BLE001 - ast-grep-py raises bare Exception for bad rules.
        return _summarise(str(error))
    return None


def _summarise(error: str) -> str:
    """Return what ast-grep said in one line, without its stack trace and numbering."""
    error = error.partition("\n\nStack backtrace")[0].removeprefix("cannot get matcher")
    error = error.replace("\n\nCaused by:\n", "")
    causes = re.split(r"\n?\s*\d+: ", error) if re.match(r"\s*\d+: ", error) else [error]
    told = [" ".join(cause.split()).rstrip(".") for cause in causes if cause.strip()]
    return ": ".join(told[-2:]) + "."


def _locate_fault(node: yaml.MappingNode, fault: str, language: str) -> int:
    """Return the line in the block that `fault` is about, as nearly as can be told."""
    for key, value in _atoms(node):
        if _find_fault({"rule": {key: value.value}}, language) is not None:
            return value.start_mark.line
    # What ast-grep quotes is a name or value from the block; a whole part of it says least.
    quoted = re.findall(r"`([^`]+)`", fault.partition(", expected")[0])
    for name in sorted(quoted, key=lambda name: name in CONFIG_KEYS):
        line = _line_of(node, name, missing=-1)
        if line >= 0:
            return line
    return _line_of(node, "rule")


def _atoms(root: yaml.Node) -> Iterator[tuple[str, yaml.ScalarNode]]:
    """Yield the parts of a rule that can be tried on their own."""
    for node in _walk(root):
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                is_text = isinstance(value, yaml.ScalarNode) and value.tag.endswith(":str")
                if is_text and key.value in ("kind", "pattern", "regex"):
                    yield key.value, value


def _line_of(root: yaml.Node, *names: str, missing: int = 0) -> int:
    """Return the line of the first key or value that reads as one of `names`."""
    for name in names:
        for node in _walk(root):
            if isinstance(node, yaml.ScalarNode) and node.value == name:
                return int(node.start_mark.line)
    return missing
