"""For which files the rules of instructions count, and which of two with the same id."""

import pytest

from glossator.core.globs import matches_any
from glossator.instructions.places import Form
from glossator.instructions.reading import parse_instructions
from glossator.instructions.scoping import globs_of, settle_rules
from glossator.knowledge.documents import Document, Family, parse_document
from glossator.rules.parse import parse_rules
from glossator.rules.rule import Rule
from glossator.rules.scope import is_in_scope, name_place

RULE = "- Name things well. {#naming}\n"


def make(
    path: str, text: str = RULE, *, home: str = "", family: Family = "agents", form: Form = "plain"
) -> Document:
    return parse_instructions(text, path=path, family=family, form=form, home=home)


def rules_of(document: Document) -> tuple[Document, tuple[Rule, ...]]:
    globs = globs_of(document)
    assert globs is not None
    rules, _ = parse_rules(
        document.text,
        path=document.path,
        document=document.name,
        origin=document.origin,
        globs=globs,
    )
    return document, rules


def list_applying(path: str, *documents: Document) -> list[str]:
    rules, problems = settle_rules(map(rules_of, documents))
    assert problems == ()
    return [rule.path for rule in rules if not rule.globs or matches_any(rule.globs, path)]


@pytest.mark.parametrize(
    ("header", "globs"),
    [
        ("alwaysApply: true", ("=pkg/**",)),
        ("globs: *.py", ("/pkg/**/*.py",)),
        ("description: only when asked for", None),
        ("", None),
    ],
)
def test_rules_have_the_files_of_their_document(header: str, globs: tuple[str, ...] | None) -> None:
    text = f"---\n{header}\n---\n{RULE}"

    document = make(
        "pkg/.cursor/rules/a.mdc", text, home="pkg", family="cursor", form="cursor-rule"
    )

    assert globs_of(document) == globs


def test_rules_of_the_top_are_for_every_file_and_those_of_a_folder_for_its_files() -> None:
    assert globs_of(make("AGENTS.md")) == ()
    assert globs_of(make("pkg/AGENTS.md", home="pkg")) == ("=pkg/**",)
    assert globs_of(parse_document("---\nglobs: '*.py'\n---\nx", path="knowledge/a.md")) == (
        "*.py",
    )


def test_the_nearest_of_two_rules_with_one_id_counts() -> None:
    documents = [
        make("AGENTS.md"),
        make("pkg/AGENTS.md", home="pkg"),
        make("pkg/api/AGENTS.md", home="pkg/api"),
    ]

    assert list_applying("a.py", *documents) == ["AGENTS.md"]
    assert list_applying("pkg/a.py", *documents) == ["pkg/AGENTS.md"]
    assert list_applying("pkg/api/deep/a.py", *documents) == ["pkg/api/AGENTS.md"]
    assert list_applying("pkg/apis/a.py", *documents) == ["pkg/AGENTS.md"]


def test_knowledge_gives_way_to_a_nearer_rule() -> None:
    knowledge = parse_document(RULE, path="knowledge/a.md")
    nearer = make("pkg/AGENTS.md", home="pkg")

    assert list_applying("pkg/a.py", knowledge, nearer) == ["pkg/AGENTS.md"]
    assert list_applying("a.py", knowledge, nearer) == ["knowledge/a.md"]


def test_two_rules_of_one_folder_with_the_same_id_are_a_problem() -> None:
    documents = [make("AGENTS.md"), make("CLAUDE.md", family="claude")]

    rules, problems = settle_rules(map(rules_of, documents))

    assert [rule.path for rule in rules] == ["AGENTS.md"]
    assert [(problem.path, problem.rule_id) for problem in problems] == [("CLAUDE.md", "naming")]


def test_a_workspace_folder_takes_the_place_of_a_bundled_rule_for_its_own_files_only() -> None:
    bundled = parse_document(RULE, path="bundled/a.md", origin="bundled")
    own = parse_document(RULE, path="front/a.md")
    (shipped,), _ = parse_rules(RULE, path="bundled/a.md", document="a", origin="bundled")
    (written,), _ = parse_rules(
        RULE, path="front/a.md", document="a", origin="workspace", root="front"
    )

    rules, problems = settle_rules([(bundled, [shipped]), (own, [written])])

    assert problems == ()
    for root, expected in (("front", ["front/a.md"]), ("back", ["bundled/a.md"])):
        place = name_place("src/a.py", root)
        assert [rule.path for rule in rules if is_in_scope(rule, place)] == expected


def test_a_nested_document_shuts_out_only_rules_of_its_own_workspace_folder() -> None:
    def place_rule(document: Document, root: str) -> tuple[Document, tuple[Rule, ...]]:
        rules, _ = parse_rules(
            RULE,
            path=document.path,
            document=document.name,
            origin="workspace",
            globs=globs_of(document) or (),
            root=root,
        )
        return document, rules

    rules, problems = settle_rules(
        [
            place_rule(make("front/AGENTS.md"), "front"),
            place_rule(make("back/AGENTS.md"), "back"),
            place_rule(make("back/pkg/AGENTS.md", home="pkg"), "back"),
        ]
    )

    assert problems == ()
    found = {
        (root, path): [r.path for r in rules if is_in_scope(r, name_place(path, root))]
        for root, path in (("front", "pkg/a.py"), ("back", "pkg/a.py"), ("back", "a.py"))
    }
    assert found == {
        ("front", "pkg/a.py"): ["front/AGENTS.md"],
        ("back", "pkg/a.py"): ["back/pkg/AGENTS.md"],
        ("back", "a.py"): ["back/AGENTS.md"],
    }
