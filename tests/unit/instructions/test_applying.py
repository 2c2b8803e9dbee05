"""What counts for a file and a question, in which order, and what the budget leaves of it."""

from typing import Any

import pytest

from glossator.instructions.applying import FileAt, judge_for_files, judge_instructions
from glossator.instructions.places import Form
from glossator.instructions.reading import parse_instructions
from glossator.instructions.standing import Standing
from glossator.knowledge.documents import Document, Family


def make(
    path: str,
    text: str = "",
    *,
    family: Family = "agents",
    form: Form = "plain",
    home: str = "",
    **more: Any,
) -> Document:
    text = text or f"Text of {path}.\n"
    return parse_instructions(text, path=path, family=family, form=form, home=home, **more)


def rule(name: str, header: str, *, home: str = "") -> Document:
    path = f"{home}/.cursor/rules/{name}.mdc" if home else f".cursor/rules/{name}.mdc"
    text = f"---\n{header}\n---\nText of {name}.\n"
    return make(path, text, family="cursor", form="cursor-rule", home=home)


def judge(
    *documents: Document, path: str | None = "pkg/api/a.py", question: str = "", **more: Any
) -> tuple[Standing, ...]:
    given = {"budget_tokens": 8_000, "is_trusted": True, **more}
    return judge_instructions(documents, path=path, scope=path, question=question, **given)


def given(standings: tuple[Standing, ...]) -> list[str]:
    return [standing.document.path for standing in standings if standing.counts]


def reasons(standings: tuple[Standing, ...]) -> dict[str, str]:
    return {standing.document.path: standing.reason for standing in standings}


def test_all_ancestors_count_and_the_nearest_comes_first() -> None:
    judged = judge(
        make("AGENTS.md"),
        make("pkg/AGENTS.md", home="pkg"),
        make("pkg/api/AGENTS.md", home="pkg/api"),
        make("pkg/web/AGENTS.md", home="pkg/web"),
        make("pkg/ap/AGENTS.md", home="pkg/ap"),
    )

    assert given(judged) == ["pkg/api/AGENTS.md", "pkg/AGENTS.md", "AGENTS.md"]
    assert reasons(judged)["pkg/web/AGENTS.md"] == "elsewhere"
    assert reasons(judged)["pkg/ap/AGENTS.md"] == "elsewhere"


def test_without_a_file_only_what_speaks_for_everything_counts() -> None:
    judged = judge(
        make("AGENTS.md"), make("pkg/AGENTS.md", home="pkg"), rule("go", "globs: *.go"), path=None
    )

    assert given(judged) == ["AGENTS.md"]
    assert reasons(judged)[".cursor/rules/go.mdc"] == "no-glob-matches"


@pytest.mark.parametrize(
    ("header", "question", "counts", "reason"),
    [
        ("alwaysApply: true", "", True, "always"),
        ("globs: *.py", "", True, "glob"),
        ("globs: *.go", "", False, "no-glob-matches"),
        ("globs: *.go", "What does @style say?", True, "named"),
        ("description: ", "", False, "not-named"),
        ("description: ", "Use @style please", True, "named"),
        ("description: ", "用@style回答", True, "named"),
        ("description: ", "Use @style.mdc please", True, "named"),
        ("description: ", "Use @styles please", False, "not-named"),
        ("description: ", "mail me at me@style.org", False, "not-named"),
        ("description: Database migrations and rollbacks", "", False, "search"),
        (
            "description: Database migrations",
            "How do I write a database migration?",
            True,
            "search",
        ),
        ("description: 数据库迁移的写法", "数据库迁移怎么写？", True, "search"),
        ("description: 数据库迁移的写法", "如何部署？", False, "search"),
    ],
)
def test_a_cursor_rule_counts_by_its_mode(
    header: str, question: str, counts: bool, reason: str
) -> None:
    [standing] = judge(rule("style", header), question=question)

    assert (standing.counts, standing.reason) == (counts, reason)


def test_the_glob_that_decided_is_named_as_it_is_written() -> None:
    [standing] = judge(rule("py", "globs: *.go, *.py", home="pkg/api"))

    assert standing.detail == "*.py"


def test_a_rule_of_a_folder_that_the_file_is_not_in_is_elsewhere() -> None:
    [standing] = judge(rule("py", "globs: *.py", home="web"))

    assert (standing.counts, standing.reason, standing.detail) == (False, "elsewhere", "web")


def test_a_plain_file_is_named_by_its_whole_path_only() -> None:
    documents = make("web/AGENTS.md", home="web"), make("cli/AGENTS.md", home="cli")

    judged = judge(*documents, question="see @AGENTS.md and @web/AGENTS.md")

    assert given(judged) == ["web/AGENTS.md"]


def test_what_is_personal_comes_before_what_is_shared_and_imports_behind_their_importer() -> None:
    judged = judge(
        make("CLAUDE.md", family="claude"),
        make("AGENTS.md"),
        make("docs/style.md", family="claude", imported_by="CLAUDE.md"),
        make("CLAUDE.local.md", family="claude"),
        make(".github/copilot-instructions.md", family="copilot"),
    )

    assert given(judged) == [
        "AGENTS.md", "CLAUDE.local.md", "CLAUDE.md", "docs/style.md",
        ".github/copilot-instructions.md",
    ]  # fmt: skip


def test_nothing_counts_in_a_workspace_that_is_not_trusted() -> None:
    judged = judge(make("AGENTS.md"), rule("py", "globs: *.py"), is_trusted=False)

    assert set(reasons(judged).values()) == {"untrusted"}


def test_an_empty_file_does_not_count() -> None:
    assert reasons(judge(make("AGENTS.md", "---\n---\n\n"))) == {"AGENTS.md": "empty"}


def test_of_several_files_with_the_same_text_the_first_counts() -> None:
    judged = judge(make("CLAUDE.md", "Same.\n", family="claude"), make("AGENTS.md", "Same.\n\n"))

    assert given(judged) == ["AGENTS.md"]
    assert judged[1].detail == "AGENTS.md"
    assert judged[1].reason == "shadowed"


def test_what_excludes_the_agent_is_off() -> None:
    text = "---\napplyTo: '**'\nexcludeAgent: code-review\n---\nText.\n"
    path = ".github/instructions/a.instructions.md"
    document = make(path, text, family="copilot", form="copilot-rule")

    assert given(judge(document)) == [path]
    assert reasons(judge(document, agent="code-review")) == {path: "off"}


def test_the_nearest_file_has_the_budget_first_and_a_huge_one_far_away_is_cut() -> None:
    huge = "".join(f"Line {number} of the root's own instructions.\n" for number in range(1_500))
    near = make("pkg/api/AGENTS.md", "# API\n\nNear.\n", home="pkg/api")

    judged = judge(make("AGENTS.md", huge), near, budget_tokens=500)

    assert given(judged) == ["pkg/api/AGENTS.md", "AGENTS.md"]
    assert judged[0].lines is None
    assert judged[1].lines is not None
    first, last = judged[1].lines
    assert first == 1
    assert 20 < last < 60


def test_what_no_longer_fits_is_over_budget_with_its_size() -> None:
    near = make("pkg/AGENTS.md", "word " * 1_000, home="pkg")

    judged = judge(make("AGENTS.md", "Far.\n"), near, budget_tokens=500)

    assert [standing.reason for standing in judged] == ["over-budget", "over-budget"]
    assert all(standing.n_tokens > 0 for standing in judged)


def test_lines_that_are_left_of_a_cut_file_are_counted_from_the_top_of_the_file() -> None:
    text = "---\ndescription: x\n---\n" + "一行中文说明。\n" * 200

    [standing] = judge(make("AGENTS.md", text), budget_tokens=100)

    assert standing.lines is not None
    assert standing.lines[0] == 4


def test_for_several_files_counts_what_counts_for_one_of_them() -> None:
    files = (FileAt("a/x.py", "a/x.py"), FileAt("b/y.go", "b/y.go"))
    documents = [
        make("a/AGENTS.md", home="a"),
        make("c/AGENTS.md", home="c"),
        rule("go", "globs: *.go"),
    ]

    judged = judge_for_files(documents, files, question="", budget_tokens=1_000, is_trusted=True)

    assert given(judged) == ["a/AGENTS.md", ".cursor/rules/go.mdc"]


def test_globs_are_matched_below_the_workspace_folder_and_homes_as_they_are_shown() -> None:
    document = rule("py", "globs: src/*.py")

    [standing] = judge_instructions(
        [document], path="backend/src/a.py", scope="src/a.py", question="",
        budget_tokens=1_000, is_trusted=True,
    )  # fmt: skip

    assert standing.counts
