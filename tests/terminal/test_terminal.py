"""The command line as a person or a script meets it: a process, its output and its exit code."""

import contextlib
import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from provider.server import Provider, call, delta, refuse, say, stream, usage
from terminal.running import glossator, write_files

FILES = {
    "shop/cart.py": (
        "def add(cart, line):\n"
        '    """Put a line into the cart."""\n'
        "    cart.append(line)\n\n\n"
        "def main():\n"
        "    add([], 1)\n"
    ),
    "bad.py": "try:\n    x = 1\nexcept:\n    x = 2\n",
    "knowledge/发布.md": "---\nkeywords: [发布, release]\n---\n# 发布\n\n周五不发布。\n",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return write_files(tmp_path / "工作区", FILES)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as running:
        yield running


def test_explain_prints_the_briefing_and_says_that_no_model_wrote_it(workspace: Path) -> None:
    done = glossator(workspace, "explain", "shop/cart.py:3")

    assert done.returncode == 0
    assert "## `add`" in done.stdout
    assert "- `main` shop/cart.py:7" in done.stdout
    assert "Facts gathered without a model." in done.stderr
    assert "\x1b" not in done.stdout + done.stderr


def test_a_place_on_the_line_of_the_definition_means_that_function(workspace: Path) -> None:
    assert "## `main`" in glossator(workspace, "explain", "shop/cart.py:6").stdout


def test_chain_draws_the_calls(workspace: Path) -> None:
    done = glossator(workspace, "chain", "shop/cart.py:3", "--depth", "1")

    assert done.returncode == 0
    assert "- `main` shop/cart.py:6" in done.stdout
    assert "```mermaid" in done.stdout


def test_json_is_one_value_on_standard_output(workspace: Path) -> None:
    done = glossator(workspace, "explain", "shop/cart.py:3", "--json")

    result = json.loads(done.stdout)
    assert (result["title"], result["byModel"], result["stopReason"]) == ("add", False, "no-model")
    assert {each["verdict"] for each in result["citations"]} == {"exact"}


def test_a_chinese_question_is_answered_from_chinese_knowledge(workspace: Path) -> None:
    done = glossator(workspace, "ask", "周五可以发布吗？")

    assert done.returncode == 0
    assert "周五不发布。" in done.stdout
    assert "knowledge/发布.md:4-6" in done.stdout


def test_a_refusal_has_an_exit_code_of_its_own(workspace: Path) -> None:
    done = glossator(workspace, "ask", "Who won the chess tournament in 1974?")

    assert done.returncode == 1
    assert "I don't know" in done.stdout


def test_check_finds_and_exits_with_1_and_a_clean_file_with_0(workspace: Path) -> None:
    found = glossator(workspace, "check", "bad.py")
    clean = glossator(workspace, "check", "shop")

    assert found.returncode == 1
    assert found.stdout.startswith("bad.py:3:1: warning: ")
    assert "[py-bare-except]" in found.stdout
    assert (clean.returncode, clean.stdout) == (0, "")
    assert "1 file checked: 1 clean" in clean.stderr


def test_check_names_a_few_files_that_were_not_checked_and_counts_many(workspace: Path) -> None:
    (workspace / "shop/a.txt").write_text("a")
    few = glossator(workspace, "check", "shop")
    for number in range(3):
        (workspace / f"shop/{number}.txt").write_text("a")
    many = glossator(workspace, "check", "shop")

    assert "\nshop/a.txt not checked: no rule covers the language of this file\n" in few.stderr
    assert "\n4 files not checked: no rule covers the language of this file\n" in many.stderr


def test_check_says_that_settings_or_rules_are_broken(workspace: Path) -> None:
    (workspace / "glossator.toml").write_text("[check\n")

    done = glossator(workspace, "check", "shop")

    assert "1 problem in settings, knowledge or rules: `glossator doctor` names" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["explain", "shop/cart.py"], "`shop/cart.py` is not FILE:LINE"),
        (["explain", "shop/cart.py:0:1"], "`shop/cart.py:0:1` is not FILE:LINE"),
        (["explain", "shop/cart.py:1:0"], "`shop/cart.py:1:0` is not FILE:LINE"),
        (["explain", "shop/cart.py:" + "9" * 5000], "is not FILE:LINE"),
        (["explain", "shop/cart.py:999"], "there is no line 999"),
        (["check", "x" * 300], "is not a path"),
        (["check", "--root", "x" * 300], "is not a folder"),
        (["explain", ".env:1"], ".env"),
        (["explain", "nowhere.py:1"], "nowhere.py"),
        (["explain", "../outside.py:1"], "outside"),
        (["chain", "bad.py:1"], "There is no function at bad.py:1"),
        (["chain", "shop/cart.py:3", "--depth", "99"], "`depth` must be from 1 to 6"),
        (["check", "nowhere.py"], "nowhere.py"),
        (["check", "--jobs", "-1"], "`--jobs` must be from 1 to 256, not -1"),
        (["check", "--root", "nowhere"], "`nowhere` is not a folder"),
        (["ask", " "], "The question is empty"),
    ],
)
def test_bad_input_exits_with_2_and_one_line_that_names_it(
    workspace: Path, arguments: list[str], said: str
) -> None:
    done = glossator(workspace, *arguments)

    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_doctor_says_what_is_missing_and_how_to_fix_it(workspace: Path) -> None:
    (workspace / "knowledge" / "broken.md").write_text(
        "# B\n\n- x {#x}\n\n  ```check\n  language: nope\n  rule: {pattern: a}\n  ```\n",
        encoding="utf-8",
    )
    done = glossator(workspace, "doctor")

    assert done.returncode == 1
    assert "**Model**: none" in done.stdout
    assert "OPENAI_API_KEY" in done.stdout
    assert "knowledge/broken.md:6" in done.stdout


def test_index_counts_what_was_read(workspace: Path) -> None:
    report = json.loads(glossator(workspace, "index", "--json").stdout)

    assert report["nDocuments"] > 1
    assert report["nSkills"] >= 6
    assert report["nRules"] >= 25
    assert report["problems"] == []


def test_the_model_of_the_environment_is_asked_with_the_tools(
    workspace: Path, provider: Provider
) -> None:
    provider.script(
        call("read_file", {"path": "shop/cart.py"}),
        say("`add` appends the line (shop/cart.py:3). See also shop/nowhere.py:9."),
    )
    done = glossator(
        workspace,
        "explain",
        "shop/cart.py:1",
        OPENAI_API_KEY="sk-test",
        OPENAI_BASE_URL=provider.base_url,
        MODEL="scripted",
    )

    assert done.returncode == 0
    assert "`add` appends the line (shop/cart.py:3)." in done.stdout
    assert "✓ read_file" in done.stderr
    assert "2 places checked: 1 exact, 0 moved, 1 missing" in done.stderr
    assert "✗ shop/nowhere.py:9: there is no such file" in done.stderr
    first, second = provider.requests()
    assert "## `add`" in first.body["messages"][-1]["content"]
    assert second.body["messages"][-1]["role"] == "tool"


def test_the_tokens_of_a_turn_are_shown_and_how_many_of_them_were_cached(
    workspace: Path, provider: Provider
) -> None:
    provider.script(stream(delta(content="It adds."), delta(finish="stop"), usage(1_200, 5, 1_000)))

    done = glossator(
        workspace,
        "ask",
        "What does `add` do?",
        OPENAI_API_KEY="sk-test",
        OPENAI_BASE_URL=provider.base_url,
        MODEL="scripted",
    )

    assert "· 1,200 + 5 tokens, 1,000 cached (" in done.stderr


def test_a_key_of_the_environment_never_goes_to_an_address_of_the_workspace(
    workspace: Path, provider: Provider
) -> None:
    (workspace / ".env").write_text(f"OPENAI_BASE_URL={provider.base_url}\n", encoding="utf-8")

    done = glossator(workspace, "doctor", OPENAI_API_KEY="sk-mine")

    assert "https://api.openai.com" in done.stdout
    assert "OPENAI_BASE_URL" in done.stdout
    assert provider.requests() == []


def test_no_model_is_used_when_told_so(workspace: Path, provider: Provider) -> None:
    done = glossator(
        workspace,
        "explain",
        "shop/cart.py:1",
        "--no-model",
        OPENAI_API_KEY="sk-test",
        OPENAI_BASE_URL=provider.base_url,
        MODEL="scripted",
    )

    assert done.stderr.endswith("Facts gathered without a model.\n")
    assert provider.requests() == []


def test_an_unreachable_model_leaves_the_facts_and_names_the_address(workspace: Path) -> None:
    done = glossator(
        workspace,
        "explain",
        "shop/cart.py:1",
        OPENAI_API_KEY="sk-test",
        OPENAI_BASE_URL="http://127.0.0.1:9/v1",
        MODEL="m",
    )

    assert done.returncode == 0
    assert "## `add`" in done.stdout
    assert "127.0.0.1:9" in done.stderr


_ESCAPES = "\x1b]0;owned\x07\x1b[31m\x9b31m"


@pytest.fixture
def hostile(workspace: Path) -> Path:
    files = {
        "shop/evil.py": f'def evil():\n    """Says {_ESCAPES}."""\n    return "{_ESCAPES}"\n',
        f"a{_ESCAPES.replace('/', '')}.py": "try:\n    x = 1\nexcept:\n    x = 2\n",
        "knowledge/evil.md": f"---\nname: e{_ESCAPES}\nkeywords: [release]\n---\n"
        f"# Release {_ESCAPES}\n\nOn Monday {_ESCAPES}.\n\n- x {{#!{_ESCAPES}}}\n",
    }
    for name, content in files.items():
        (workspace / name).write_text(content, encoding="utf-8")
    return workspace


COMMANDS = [
    ["explain", "shop/evil.py:1"],
    ["chain", "shop/evil.py:1"],
    ["ask", "When may we release?"],
    ["ask", f"Who is {_ESCAPES}?"],
    ["check"],
    ["index"],
    ["doctor"],
]


@pytest.mark.parametrize("arguments", COMMANDS)
def test_nothing_in_a_workspace_commands_the_terminal(hostile: Path, arguments: list[str]) -> None:
    done = glossator(hostile, *arguments)

    for character in "\x1b\x07\x9b":
        assert character not in done.stdout + done.stderr


@pytest.mark.parametrize("arguments", COMMANDS)
def test_json_stays_one_value_and_commands_no_terminal_either(
    hostile: Path, arguments: list[str]
) -> None:
    done = glossator(hostile, *arguments, "--json")

    assert isinstance(json.loads(done.stdout), dict)
    assert "\x9b" not in done.stdout


def test_a_model_that_writes_escapes_does_not_reach_a_real_terminal(
    hostile: Path, provider: Provider
) -> None:
    provider.script(say(f"See {_ESCAPES} [here](https://evil.example/?q=1)."))

    shown = show_on_terminal(hostile, provider, "explain", "shop/evil.py:1")

    assert "\x1b]0;" not in shown
    assert "\x1b]8;" not in shown
    assert "\x07" not in shown
    assert "\x9b" not in shown
    assert "https://evil.example/?q=1" in shown


def show_on_terminal(workspace: Path, provider: Provider, *arguments: str) -> str:
    leader, follower = pty.openpty()
    environ = {
        **os.environ,
        "OPENAI_API_KEY": "sk-test",
        "OPENAI_BASE_URL": provider.base_url,
        "MODEL": "m",
        "XDG_STATE_HOME": str(workspace.parent / "state"),
        "TERM": "xterm-256color",
        "COLUMNS": "120",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "glossator", *arguments],
        cwd=workspace, env=environ, stdin=follower, stdout=follower, stderr=follower,
    )  # fmt: skip
    os.close(follower)
    pieces = []
    # Reading from a terminal that nobody writes to any more is an error.
    with contextlib.suppress(OSError):
        while piece := os.read(leader, 65536):
            pieces.append(piece)
    os.close(leader)
    assert process.wait(timeout=30) == 0
    return b"".join(pieces).decode("utf-8")


def _with(provider: Provider) -> dict[str, str]:
    return {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": provider.base_url, "MODEL": "m"}


def test_a_pause_is_counted_down_in_one_line_and_wiped(workspace: Path, provider: Provider) -> None:
    provider.script(refuse(429, "slow down", {"Retry-After": "2"}), say("It appends."))

    shown = show_on_terminal(workspace, provider, "explain", "shop/cart.py:1")

    first, _, rest = shown.partition("waiting 2 s, Ctrl+C ends it: ")
    second, _, end = rest.partition("waiting 1 s, Ctrl+C ends it: ")
    assert "slow down" in second
    assert "\n" not in second
    assert "It appends." in end
    assert first


def test_a_pause_is_told_once_when_piped(workspace: Path, provider: Provider) -> None:
    provider.script(refuse(429, "slow down", {"Retry-After": "1.2"}), say("It appends."))

    done = glossator(workspace, "explain", "shop/cart.py:1", **_with(provider))

    assert done.stderr.count("waiting 1 s: ") == 1
    assert "Ctrl+C" not in done.stderr


def test_an_answer_that_breaks_off_stays_and_is_marked(workspace: Path, provider: Provider) -> None:
    provider.script(stream(delta(content="It appends (shop/cart.py:3)."), done=False))

    done = glossator(workspace, "explain", "shop/cart.py:1", **_with(provider))

    assert done.stdout == "It appends (shop/cart.py:3).\n\n*(The answer broke off here.)*\n"
    assert "The answer is incomplete: " in done.stderr
    assert "1 place checked: 1 exact" in done.stderr


def test_an_encoding_without_chinese_loses_no_command(workspace: Path) -> None:
    shown = glossator(workspace, "ask", "周五可以发布吗？", PYTHONIOENCODING="ascii")
    value = glossator(workspace, "ask", "周五可以发布吗？", "--json", PYTHONIOENCODING="ascii")

    assert (shown.returncode, value.returncode) == (0, 0)
    assert "周五不发布。" in json.loads(value.stdout)["markdown"]


@pytest.mark.parametrize("content", ["[1, 2]", "null", "{", "[" * 100_000, "3"])
def test_doctor_survives_odd_editor_settings(workspace: Path, content: str) -> None:
    (workspace / ".vscode").mkdir()
    (workspace / ".vscode" / "settings.json").write_text(content, encoding="utf-8")

    done = glossator(workspace, "doctor")

    assert done.returncode == 1
    assert "**VS Code settings**: not " in done.stdout


def test_a_link_to_itself_is_an_error_and_no_defect(workspace: Path) -> None:
    (workspace / "loop.py").symlink_to("loop.py")

    for arguments in (
        ["explain", "loop.py:1"],
        ["check", "loop.py"],
        ["doctor", "--root", "loop.py"],
    ):
        done = glossator(workspace, *arguments)
        assert "Traceback" not in done.stderr
        assert "defect" not in done.stderr


def test_doctor_tests_the_model_when_asked(workspace: Path, provider: Provider) -> None:
    provider.script(refuse(200, {"data": [{"id": "tiny"}]}))
    provider.answer_always(refuse(401, {"error": {"message": "no such key"}}))
    environ = {"OPENAI_BASE_URL": provider.base_url, "OPENAI_API_KEY": "sk-mine", "MODEL": "tiny"}

    done = glossator(workspace, "doctor", "--model", **environ)

    assert done.returncode == 1
    assert "✗ **Test: key**: " in done.stdout
    assert "does not accept the key" in done.stdout
    assert "Check the key in the environment." in done.stdout
    assert "– **Test: tools**" in done.stdout


def test_what_nobody_needs_is_no_tick_when_it_is_missing(workspace: Path, tmp_path: Path) -> None:
    done = glossator(workspace, "doctor", PATH=str(tmp_path))

    assert "– **ripgrep**: not found" in done.stdout
    assert "→ **Model**: none" in done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("language", "called", "asked"),
    [
        ("C.UTF-8", "· skill tea (automatic, ", "· skill tea (asked for, "),
        ("zh_CN.UTF-8", "· 技能 tea（自动启用，", "· 技能 tea（由您指定，"),
    ],
)
def test_it_is_said_how_a_skill_came_to_be_active(
    workspace: Path, provider: Provider, language: str, called: str, asked: str
) -> None:
    skill = (
        "---\nname: tea\ndescription: How tea is made.\nkeywords: [teapot]\n---\nWarm the pot.\n"
    )
    write_files(workspace, {"skills/tea/SKILL.md": skill})
    provider.answer_always(say("Warm it."))
    model = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": provider.base_url, "MODEL": "tiny"}

    by_itself = glossator(workspace, "ask", "How do we warm a teapot?", LANG=language, **model)
    by_name = glossator(workspace, "ask", "/tea How is it warmed?", LANG=language, **model)

    assert called in by_itself.stderr
    assert asked in by_name.stderr
