"""`glossator analyze`, and how plans and helpers are shown, piped and on a terminal."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from provider.server import Provider, call, say
from repositories import make_repository, write
from terminal.running import glossator
from terminal.test_terminal import FILES, show_on_terminal


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "工作区", dict(FILES))


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as running:
        yield running


def use(provider: Provider) -> dict[str, str]:
    return {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": provider.base_url, "MODEL": "m"}


def test_a_package_is_mapped_without_a_model(workspace: Path) -> None:
    done = glossator(workspace, "analyze", "package", "shop")

    assert done.returncode == 0
    assert "## `shop`\n\n1 file, 7 lines, 2 functions, 0 types: Python (1)" in done.stdout
    assert "- shop/cart.py:1-7: `add` (:1), `main` (:6)" in done.stdout
    assert "Facts gathered without a model." in done.stderr
    assert "\x1b" not in done.stdout + done.stderr


def test_a_change_is_reviewed_without_a_model_and_nothing_changed_is_no_failure(
    workspace: Path,
) -> None:
    clean = glossator(workspace, "analyze", "change")
    write(workspace, "shop/cart.py", FILES["shop/cart.py"].replace("append", "extend"))
    changed = glossator(workspace, "analyze", "change", "HEAD", "--json")

    assert (clean.returncode, clean.stderr.strip()) == (0, "· Reading the code")
    assert clean.stdout.startswith("Nothing differs from `HEAD`")
    result = json.loads(changed.stdout)
    assert "- `add` shop/cart.py:1-3: called by `main` shop/cart.py:7" in result["markdown"]
    assert (result["byModel"], result["parts"], result["stopReason"]) == (False, [], "no-model")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["package", "nowhere"], "nowhere"),
        (["package", "knowledge"], "No source file in"),
        (["package", "../.."], "outside"),
        (["change", "no-such-branch"], "no-such-branch"),
    ],
)
def test_what_cannot_be_analysed_is_an_error_that_names_it(
    workspace: Path, arguments: list[str], said: str
) -> None:
    done = glossator(workspace, "analyze", "--root", ".", *arguments)

    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_model_explains_from_the_map_and_answers_what_is_asked(
    workspace: Path, provider: Provider
) -> None:
    provider.script(say("`add` appends (shop/cart.py:3)."))

    done = glossator(workspace, "analyze", "package", "shop", "--question", "How?", **use(provider))

    assert done.stdout == "`add` appends (shop/cart.py:3).\n"
    assert "1 place checked: 1 exact, 0 moved, 0 missing" in done.stderr
    [request] = provider.requests()
    asked = request.body["messages"][-1]["content"]
    assert asked.endswith("Above all, answer this as far as it goes: How?")


def test_the_parts_that_an_answer_was_made_from_are_named_and_in_json_kept(
    workspace: Path, provider: Provider
) -> None:
    functions = "".join(f"def f{number}(one, two):\n    return 1\n" for number in range(150))
    for name in ("a/1", "a/2", "a/3", "a/4", "b/1", "b/2", "b/3", "b/4"):
        write(workspace, f"large/{name}.py", functions)
    provider.answer_always(say("See large/a/1.py:1."))

    shown = glossator(workspace, "analyze", "package", "large", **use(provider))
    value = glossator(workspace, "analyze", "package", "large", "--json", **use(provider))

    assert "✓ `large/a/` (4 files): answered, 1 of 1 citations verified" in shown.stderr
    assert "→ h1 `large/a/` (4 files)" in shown.stderr
    assert [part["title"] for part in json.loads(value.stdout)["parts"]] == [
        "`large/a/` (4 files)", "`large/b/` (4 files)",
    ]  # fmt: skip


PLAN = {
    "steps": [
        {"text": "Read the \x1b]0;cart", "state": "active"},
        {"text": "Say", "state": "pending"},
    ]
}
NEXT = {"steps": [{"text": "Read the cart", "state": "done"}, {"text": "Say", "state": "active"}]}


def script_work(provider: Provider) -> None:
    provider.script(
        call("plan", PLAN, "delegate", {"task": "look at add", "paths": ["shop"]}),
        call("read_file", {"path": "shop/cart.py"}),
        say("It appends (shop/cart.py:3)."),
        call("plan", NEXT),
        say("It appends (shop/cart.py:3)."),
    )


def test_plan_and_helpers_are_told_line_by_line_when_piped(
    workspace: Path, provider: Provider
) -> None:
    script_work(provider)

    done = glossator(workspace, "ask", "What does `add` do?", **use(provider))

    lines = done.stderr.split("\n")
    assert "  › Read the \\u{1b}]0;cart" in lines
    assert "  · Say" in lines
    assert "→ h1 look at add" in lines
    assert any(line.startswith("  h1 ✓ read_file: `shop/cart.py`, lines 1-7") for line in lines)
    assert any(line.startswith("✓ h1 look at add: answered (") for line in lines)
    assert lines.index("  › Say") > lines.index("  ✓ Read the cart")
    assert done.stdout == "It appends (shop/cart.py:3).\n"


def test_plan_and_helpers_are_a_list_that_lives_on_a_terminal(
    workspace: Path, provider: Provider
) -> None:
    script_work(provider)

    shown = show_on_terminal(workspace, provider, "ask", "What does `add` do?")

    assert "› Read the \\u{1b}]0;cart" in shown
    assert "\x1b]0;" not in shown
    assert "h1 look at add" in shown
    assert "✓ h1 look at add: answered (" in shown
    assert "It appends (shop/cart.py:3)." in shown
