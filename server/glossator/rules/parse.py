"""Read the rules of a Markdown file: list items with attributes (`{#id}`) or a `check` block.

Nothing here fails: what is wrong in one rule is told as a problem with its line, and the others
are used.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import cast

from glossator.rules.attributes import Attributes, find_attributes, parse_attributes
from glossator.rules.checks import InvalidCheck, parse_check
from glossator.rules.fences import guess_block_info, read_block_kind
from glossator.rules.list_items import Item, read_items
from glossator.rules.rule import (
    DEFAULT_SEVERITY,
    LANGUAGES,
    Check,
    Example,
    ExampleKind,
    Rule,
    RuleProblem,
    find_rule_language,
)

_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
_BREAK_IN_CHINESE = re.compile(r"(?<=[\u2e80-\u9fff\uff00-\uffef])\n[ \t]*(?=[\u2e80-\u9fff])")


def parse_rules(
    text: str,
    *,
    path: str,
    document: str,
    origin: str,
    globs: tuple[str, ...] = (),
    home: str = "",
    root: str = "",
    every_item: bool = False,
) -> tuple[tuple[Rule, ...], tuple[RuleProblem, ...]]:
    """Return the rules of a file in its order, and what could not be used.

    `text` is the whole file with its front matter; `home` is the folder below its workspace folder
    that it speaks for, and `root` names that one where there are several. With `every_item` each
    top-level list item is a rule, as in a skill; else only items with attributes (`{#id}`) or a
    `check`, and those below a heading that ends with `{.judged}`: all of these are judged.
    """
    reader = _Reader(path=path, document=document, origin=origin, globs=globs, home=home, root=root)
    for item in read_items(text, every_item=every_item):
        reader.read(item)
    rules, duplicates = drop_duplicates(reader.rules)
    problems = sorted([*reader.problems, *duplicates], key=lambda problem: problem.line)
    return rules, tuple(problems)


def drop_duplicates(rules: Iterable[Rule]) -> tuple[tuple[Rule, ...], tuple[RuleProblem, ...]]:
    """Return `rules` with each id once, and a problem for each that was dropped.

    The first one counts, but a workspace's rule takes the place of a bundled one: that is how a
    team changes a rule that ships with Glossator, and no problem.
    """
    kept: dict[str, Rule] = {}
    problems = []
    for rule in rules:
        other = kept.setdefault(rule.id, rule)
        if other is rule or (other.origin == "workspace" and rule.origin != "workspace"):
            continue
        if rule.origin == "workspace" and other.origin != "workspace":
            kept[rule.id] = rule
            continue
        message = (
            f"The id `{rule.id}` is used at {other.path}:{other.line} already; choose another."
        )
        problems.append(RuleProblem(rule.path, rule.line, rule.id, message))
    return tuple(kept.values()), tuple(problems)


@dataclass(slots=True)
class _Reader:
    """Turns items into rules and collects what is wrong with them."""

    path: str
    document: str
    origin: str
    globs: tuple[str, ...]
    home: str
    root: str
    rules: list[Rule] = field(default_factory=list)
    problems: list[RuleProblem] = field(default_factory=list)

    def read(self, item: Item) -> None:
        first_paragraph = item.paragraphs[0] if item.paragraphs else ""
        braces = find_attributes(first_paragraph)
        # What follows the attributes in the same paragraph is rationale already.
        text = _plain(first_paragraph[: braces.start()] if braces else first_paragraph)
        rest = first_paragraph[braces.end() :] if braces else ""
        rationale = [_plain(part) for part in (rest, *item.paragraphs[1:])]
        attributes = parse_attributes(braces["inside"]) if braces else Attributes()
        words = text or "\n".join(fence.text for fence in item.fences)
        rule_id = attributes.id or _derive_id(self.document, words)
        for fault in attributes.faults:
            self._tell(item.line, attributes.id, fault)
        self._tell_misspelt_fences(item, rule_id)
        self.rules.append(
            Rule(
                id=rule_id,
                text=text,
                rationale="\n\n".join(filter(None, rationale)),
                path=self.path,
                line=item.line,
                last_line=item.last_line,
                origin=self.origin,
                document=self.document,
                globs=self.globs,
                checks=tuple(self._read_checks(item, rule_id, text, attributes)),
                examples=tuple(self._read_examples(item, rule_id)),
                severity=attributes.severity or DEFAULT_SEVERITY,
                languages=attributes.languages,
                files=attributes.files,
                home=self.home,
                link=attributes.link,
                is_judged=_is_judged(item, attributes),
                root=self.root,
            )
        )

    def _tell(self, line: int, rule_id: str, message: str) -> None:
        self.problems.append(RuleProblem(self.path, line, rule_id, message))

    def _tell_misspelt_fences(self, item: Item, rule_id: str) -> None:
        for fence in item.fences:
            meant = guess_block_info(fence.info, fence.text)
            if meant:
                message = f"`{fence.info}` behind the fence means nothing; write `{meant}`."
                self._tell(fence.line, rule_id, message)

    def _read_checks(
        self, item: Item, rule_id: str, text: str, attributes: Attributes
    ) -> Iterator[Check]:
        for fence in item.fences:
            if read_block_kind(fence.info) != "check":
                continue
            first_line = fence.line + 1
            try:
                yield parse_check(
                    fence.text,
                    default_message=text,
                    default_severity=attributes.severity or DEFAULT_SEVERITY,
                    line=first_line,
                )
            except InvalidCheck as error:
                line = min(first_line + error.line, item.last_line)
                self._tell(line, rule_id, error.message)

    def _read_examples(self, item: Item, rule_id: str) -> Iterator[Example]:
        for fence in item.fences:
            kind = read_block_kind(fence.info)
            if kind not in ("good", "bad"):
                continue
            name = fence.info.split()[0]
            language = find_rule_language(name)
            if language is None:
                known = ", ".join(LANGUAGES)
                message = f"`{name}` is not a language of examples; use one of {known}."
                self._tell(fence.line, rule_id, message)
                continue
            yield Example(cast(ExampleKind, kind), language, fence.text, fence.line + 1)


def _is_judged(item: Item, attributes: Attributes) -> bool:
    is_meant = bool(attributes.id) or item.is_judged or "judged" in attributes.classes
    return is_meant and "prose" not in attributes.classes


def _plain(paragraph: str) -> str:
    """Return a paragraph as one line without links and emphasis; code keeps its backticks."""
    paragraph = _BREAK_IN_CHINESE.sub("", paragraph)
    return " ".join(_LINK.sub(r"\1", paragraph).replace("**", "").split())


def _derive_id(document: str, text: str) -> str:
    """Return an id made of the rule's words: it stays when the text moves or is laid out anew."""
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())
    digest = hashlib.blake2b(
        " ".join(words).encode("utf-8", "surrogatepass"), digest_size=3
    ).hexdigest()
    start = [word for word in words if word.isascii() and len(word) > 1][:4]
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", document).strip("-") or "rule"
    return "-".join([name, *start, digest])
