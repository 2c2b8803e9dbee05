"""`glossator rules` as a person or a script meets it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from provider.server import Provider, say
from rule_texts import DRAFTED_CHECK, NO_EVAL
from terminal.running import glossator, write_files
from workbench import OWN_ONLY_TOML

RULES = f"""\
- Use the log, not `print`. {{#use-log files="src/**" language=python}}
- 函数名用动词开头。 {{#verbs .prose}}
{NO_EVAL}"""
FILES = {
    "knowledge/rules.md": RULES,
    "src/a.py": "print(1)\n",
    "glossator.toml": OWN_ONLY_TOML,
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return write_files(tmp_path / "workspace", FILES)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as running:
        running.answer_always(say(DRAFTED_CHECK))
        yield running


def test_every_rule_is_listed_with_its_kind_and_place(workspace: Path) -> None:
    done = glossator(workspace, "rules", "list")

    assert done.stdout.splitlines() == [
        "use-log  knowledge/rules.md:1 (judged by the model, warning)",
        "    python, src/**",
        "    Use the log, not `print`.",
        "verbs  knowledge/rules.md:2 (prose only)",
        "    函数名用动词开头。",
        "no-eval  knowledge/rules.md:3 (compiled, error)",
        "    python",
        "    Never eval.",
        "    https://example.com/eval",
    ]
    assert "3 rules: 1 compiled, 1 judged, 1 prose only" in done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("C.UTF-8", ["Use the log, not `print`.", "Name what `open` encodes; guess nothing."]),
        ("zh_CN.UTF-8", ["用日志，不用 `print`。", "写明 `open` 的编码。"]),
    ],
)
def test_a_rule_in_two_languages_is_listed_and_explained_in_that_of_the_reader(
    workspace: Path, language: str, words: list[str]
) -> None:
    rules = """\
- Use the log, not `print`. {#use-log}
  It can be filtered.
  中文：用日志，不用 `print`。
- 写明 `open` 的编码。 {#encoding}
  不要猜。
  English: name what `open` encodes; guess nothing.
"""
    code = "def show(path):\n    print(open(path))\n"
    write_files(workspace, {"knowledge/rules.md": rules, "src/a.py": code})

    listed = glossator(workspace, "rules", "list", LANG=language).stdout.splitlines()
    explained = glossator(workspace, "explain", "src/a.py:1", LANG=language).stdout.splitlines()

    assert listed[1::2] == [f"    {each}" for each in words]
    assert [each for each in words if any(each in line for line in explained)] == words


def test_what_is_written_for_assistants_is_listed_too(workspace: Path) -> None:
    write_files(workspace, {"AGENTS.md": "# For agents\n\n- Run `make test`.\n"})

    done = glossator(workspace, "rules", "list")

    (head,) = [line for line in done.stdout.splitlines() if "AGENTS.md:" in line]
    assert head.endswith("  AGENTS.md:3 (prose only)")
    assert "4 rules: 1 compiled, 1 judged, 2 prose only" in done.stderr


def test_which_rules_are_for_a_file_is_said_in_the_reader_s_language(workspace: Path) -> None:
    write_files(workspace, {"lib/new.py": ""})

    done = glossator(workspace, "rules", "list", "lib/new.py", LANG="zh_CN.UTF-8")

    heads = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert heads == [
        "use-log  knowledge/rules.md:1（由模型判断、警告、不针对此文件）",
        "verbs  knowledge/rules.md:2（仅文字、不检查）",
        "no-eval  knowledge/rules.md:3（已编译、错误、适用）",
    ]


def test_the_list_as_json(workspace: Path) -> None:
    done = glossator(workspace, "rules", "list", "src/a.py", "--json")

    rules = json.loads(done.stdout)["rules"]
    assert [(rule["id"], rule["kind"], rule["state"], rule["nBad"]) for rule in rules] == [
        ("use-log", "judged", "applies", 0),
        ("verbs", "prose", "prose", 0),
        ("no-eval", "compiled", "applies", 1),
    ]


def test_examples_that_stand_prove_the_rules(workspace: Path) -> None:
    done = glossator(workspace, "rules", "test")

    assert (done.returncode, done.stdout) == (0, "")
    assert "1 of 1 rule with a check proven by 1 example" in done.stderr


def test_an_example_that_fails_is_shown_with_its_line(workspace: Path) -> None:
    (workspace / "knowledge/rules.md").write_text(
        RULES.replace("eval(x)\n", "evil(x)\n"), encoding="utf-8"
    )

    done = glossator(workspace, "rules", "test", "no-eval", LANG="zh_CN.UTF-8")

    assert done.stdout == "knowledge/rules.md:11: `no-eval` 的检查没有发现这个反例。\n"
    assert done.returncode == 1


def test_a_misspelt_attribute_or_check_fails_the_test(workspace: Path) -> None:
    (workspace / "knowledge/rules.md").write_text(
        RULES.replace("severity=error", "severty=error").replace("```check", "```chekc"),
        encoding="utf-8",
    )

    done = glossator(workspace, "rules", "test")

    assert "`severty=` is not an attribute of a rule; did you mean `severity=`?" in done.stdout
    assert "knowledge/rules.md:5: `chekc` behind the fence means nothing; write `check`." in (
        done.stdout
    )
    assert done.returncode == 1


@pytest.mark.parametrize("action", ["test", "compile"])
def test_an_id_that_no_rule_has_is_an_error_with_the_nearest_ids(
    workspace: Path, action: str
) -> None:
    done = glossator(workspace, "rules", action, "no-evil")
    strange = glossator(workspace, "rules", action, "nothing", LANG="zh_CN.UTF-8")

    assert "There is no rule `no-evil`; did you mean `no-eval`?" in done.stderr
    assert "没有规则 `nothing`；`glossator rules list` 会列出全部规则。" in strange.stderr
    assert (done.returncode, strange.returncode) == (2, 2)


@pytest.mark.parametrize(("rule_id", "line"), [("use-log", 1), ("verbs", 2)])
def test_a_rule_without_a_check_is_not_proven_and_it_is_said_how_it_gets_one(
    workspace: Path, rule_id: str, line: int
) -> None:
    done = glossator(workspace, "rules", "test", rule_id)

    assert done.stdout == (
        f"knowledge/rules.md:{line}: `{rule_id}` has no check to be tested; "
        f"`glossator rules compile {rule_id}` has the model write one.\n"
    )
    assert done.stderr == ""
    assert done.returncode == 1


def test_a_rule_without_a_check_counts_beside_one_that_is_proven(workspace: Path) -> None:
    done = glossator(workspace, "rules", "test", "use-log", "no-eval", "--json")

    proofs = json.loads(done.stdout)
    assert [each["id"] for each in proofs["rules"]] == ["no-eval"]
    assert [each["line"] for each in proofs["unchecked"]] == [1]
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("path", "told"),
    [("nosuch.py", "`nosuch.py` 不存在。"), ("src", "`src` 是文件夹；请指定文件。")],
)
@pytest.mark.parametrize(
    "arguments", [["rules", "list"], ["search", "eval", "--path"]], ids=["rules list", "search"]
)
def test_a_path_that_is_no_file_is_named(
    workspace: Path, arguments: list[str], path: str, told: str
) -> None:
    done = glossator(workspace, *arguments, path, LANG="zh_CN.UTF-8")

    assert told in done.stderr
    assert (done.returncode, done.stdout) == (2, "")


def test_a_check_is_shown_as_a_diff_and_written_when_asked(
    workspace: Path, provider: Provider
) -> None:
    model = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": provider.base_url, "MODEL": "m"}
    file = workspace / "knowledge/rules.md"

    shown = glossator(workspace, "rules", "compile", "use-log", **model)

    assert "+  rule: {pattern: print($$$A)}" in shown.stdout
    assert "flags 1 place in 1 of 1 file of the workspace" in shown.stderr
    assert file.read_text(encoding="utf-8") == RULES
    assert shown.returncode == 0

    written = glossator(workspace, "rules", "compile", "use-log", "--write", "--json", **model)

    assert json.loads(written.stdout)["isWritten"] is True
    assert "  rule: {pattern: print($$$A)}" in file.read_text(encoding="utf-8")
    assert glossator(workspace, "rules", "test").returncode == 0


def test_without_a_model_it_is_said_how_to_add_one(workspace: Path) -> None:
    done = glossator(workspace, "rules", "compile", "use-log", "--no-model")

    assert "OPENAI_API_KEY" in done.stderr
    assert "Facts gathered" not in done.stderr
    assert done.returncode == 2
