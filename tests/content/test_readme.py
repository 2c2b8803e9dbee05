import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from glossator import __version__
from glossator.core.settings import list_settings
from glossator.knowledge.documents import parse_document
from glossator.rules.examples import check_examples
from glossator.rules.parse import parse_rules

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"


def render_settings_table() -> Iterator[str]:
    yield "| setting | type | default | scope | meaning |"
    yield "|---|---|---|---|---|"
    for setting in list_settings():
        kind = " or ".join(f"`{value}`" for value in setting.values) or setting.type
        default = str(setting.default).lower() if setting.type == "boolean" else setting.default
        shown = f"`{default}`" if default not in ("", []) else ""
        yield f"| `{setting.key}` | {kind} | {shown} | {setting.scope} | {setting.doc} |"


def test_the_settings_table_is_what_the_code_declares(update_golden: bool) -> None:
    text = README.read_text(encoding="utf-8")
    table = "\n".join(render_settings_table())
    expected = re.sub(
        r"(?s)(?<=<!-- settings:begin -->\n).*(?=<!-- settings:end -->)",
        lambda _: table + "\n",
        text,
    )
    if update_golden:
        README.write_text(expected, encoding="utf-8")

    assert README.read_text(encoding="utf-8") == expected


@pytest.mark.parametrize(
    "name", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
)
def test_every_local_link_leads_somewhere(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")

    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", text)

    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_changelog_knows_this_version() -> None:
    assert f"## [{__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_example_of_a_knowledge_document_works_as_printed() -> None:
    example = re.search(r"(?s)```markdown\n(.*?)\n```\n\n", README.read_text(encoding="utf-8"))
    assert example is not None
    path = "knowledge/payments.md"

    document = parse_document(example[1], path=path)
    rules, problems = parse_rules(
        example[1], path=path, document=document.name, origin="workspace", every_item=False
    )

    assert document.problems == ()
    assert [rule.id for rule in rules] == ["payments-no-card-logging"]
    assert (*problems, *check_examples(rules[0])) == ()
