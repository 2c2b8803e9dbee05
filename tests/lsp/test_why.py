"""Why something is used or not, from the real server: as a command and on hover."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp.wire import SERVER, Wire

MONEY = """\
---
description: 金额🙂
keywords: [🙂, 发票, invoice]
globs: "*.py"
---
# Money

Invoices are rounded half up, per line. 发票金额逐行四舍五入。
"""
SETTINGS = {"knowledge": {"bundled": False}}
HOVERS = {"hover": {"contentFormat": ["markdown", "plaintext"]}}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    (root / "knowledge").mkdir(parents=True)
    (root / "cart.py").write_text("def total(lines):\n    return sum(lines)\n")
    (root / "AGENTS.md").write_text("# Agents\n\nRun the tests.\n")
    (root / "README.md").write_text("# Readme\n")
    (root / "knowledge" / "money.md").write_text(MONEY, encoding="utf-8")
    return root


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    folders = {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("STATE", "CACHE")}
    with Wire(SERVER, env={**folders, "OPENAI_API_KEY": ""}) as running:
        yield running


def start(wire: Wire, root: Path, *, encoding: str = "utf-16", **more: Any) -> dict[str, Any]:
    capabilities = {
        "general": {"positionEncodings": [encoding]},
        "textDocument": more.pop("text_document", HOVERS),
    }
    options = {"workspaceTrusted": True, "clientShowsAnswers": True, "settings": SETTINGS}
    result: dict[str, Any] = wire.initialize(
        capabilities=capabilities,
        workspaceFolders=[{"uri": root.as_uri(), "name": "workspace"}],
        initializationOptions=options,
        **more,
    )
    return result


def hover(wire: Wire, path: Path, line: int, character: int) -> Any:
    position = {"line": line, "character": character}
    params = {"textDocument": {"uri": path.as_uri()}, "position": position}
    return wire.ask("textDocument/hover", params, timeout_s=60)["result"]


def test_the_command_returns_files_and_markdown_for_the_document_of_the_editor(
    wire: Wire, root: Path
) -> None:
    start(wire, root)
    uri = (root / "cart.py").as_uri()
    wire.open(uri, "x = 1\n")

    asked = wire.command("glossator.why", {"uri": uri, "question": "How are invoices rounded?"})
    result = wire.answer(asked, timeout_s=60)["result"]

    assert result["title"] == "Why is this (not) used: cart.py"
    assert result["refused"] is None
    files = {each["path"]: each for each in result["files"]}
    assert files["AGENTS.md"]["use"] == files["knowledge/money.md"]["use"] == "used"
    assert files["knowledge/money.md"]["uri"] == (root / "knowledge" / "money.md").as_uri()
    assert files["knowledge/money.md"]["passages"][0]["firstLine"] == 6
    assert "## Used (2, " in result["markdown"]
    assert {share["kind"] for share in result["tokens"]} == {"instructions", "knowledge", "skills"}


def test_a_path_a_folder_and_nothing_at_all_are_looked_at_in_the_editors_language(
    wire: Wire, root: Path
) -> None:
    start(wire, root, locale="zh-cn")

    by_path = wire.answer(wire.command("glossator.why", {"path": "new.py"}), timeout_s=60)
    folder = wire.answer(wire.command("glossator.why", {"uri": root.as_uri()}))
    whole = wire.answer(wire.command("glossator.why", {}))

    assert by_path["result"]["place"] == "missing"
    assert by_path["result"]["title"] == "为何（未）使用：new.py"
    assert folder["result"]["place"] == whole["result"]["place"] == "workspace"


@pytest.mark.parametrize(
    ("locale", "question", "title"),
    [
        ("zh-cn", "How are invoices rounded?", "为何（未）使用：cart.py"),
        ("en", "发票怎么舍入？", "Why is this (not) used: cart.py"),
    ],
)
def test_the_page_is_in_the_editors_language_whatever_is_asked_in(
    wire: Wire, root: Path, locale: str, question: str, title: str
) -> None:
    start(wire, root, locale=locale)
    uri = (root / "cart.py").as_uri()

    asked = wire.command("glossator.why", {"uri": uri, "question": question})
    result = wire.answer(asked, timeout_s=60)["result"]

    assert result["title"] == title
    assert ("## 会使用" in result["markdown"]) == (locale == "zh-cn")


def test_what_a_reader_says_and_an_error_are_in_the_editors_language(
    wire: Wire, root: Path
) -> None:
    (root / "CLAUDE.md").write_text("@gone.md\n", encoding="utf-8")
    start(wire, root, locale="zh-cn")

    result = wire.answer(wire.command("glossator.why", {"path": "cart.py"}), timeout_s=60)["result"]
    outside = wire.command("glossator.why", {"uri": (root.parent / "outside.py").as_uri()})
    error = wire.answer(outside, timeout_s=60)["error"]

    assert "未读取 `@gone.md`：文件不存在。" in result["markdown"]
    assert "在工作区之外" in error["message"]


def test_what_stands_outside_is_refused(wire: Wire, root: Path) -> None:
    start(wire, root)

    outside = root.parent / "outside.py"
    error = wire.answer(wire.command("glossator.why", {"uri": outside.as_uri()}), timeout_s=60)

    assert error["error"]["data"]["code"] == "outside-workspace"


def test_an_editor_without_a_view_is_asked_to_open_the_report(wire: Wire, root: Path) -> None:
    folders = [{"uri": root.as_uri(), "name": "workspace"}]
    wire.initialize(workspaceFolders=folders, initializationOptions={"settings": SETTINGS})

    wire.answer(wire.command("glossator.why", {"path": "cart.py"}), timeout_s=60)

    shown = wire.wait_for(lambda each: each.get("method") == "window/showDocument", timeout_s=30)
    path = Path(shown["params"]["uri"].removeprefix("file://"))
    assert path.read_text(encoding="utf-8").startswith("# Why is this (not) used: cart.py")


@pytest.mark.parametrize(
    ("encoding", "character", "end"), [("utf-8", 17, 23), ("utf-16", 15, 17), ("utf-32", 14, 16)]
)
def test_a_keyword_behind_an_emoji_is_found_in_the_units_of_the_editor(
    wire: Wire, root: Path, encoding: str, character: int, end: int
) -> None:
    start(wire, root, encoding=encoding)
    path = root / "knowledge" / "money.md"
    wire.open(path.as_uri(), MONEY, language="markdown")

    found = hover(wire, path, 2, character + 1)

    assert "`发票`" in found["contents"]["value"]
    assert found["contents"]["kind"] == "markdown"
    assert found["range"] == {
        "start": {"line": 2, "character": character}, "end": {"line": 2, "character": end},
    }  # fmt: skip


def test_the_hover_is_about_the_text_that_is_not_saved(wire: Wire, root: Path) -> None:
    start(wire, root)
    path = root / "knowledge" / "money.md"
    wire.open(path.as_uri(), MONEY, language="markdown")
    assert "matches 1 of 4 files: `cart.py`" in hover(wire, path, 3, 0)["contents"]["value"]

    wire.notify(
        "textDocument/didChange",
        {
            "textDocument": {"uri": path.as_uri(), "version": 2},
            "contentChanges": [{"text": MONEY.replace("*.py", "*.sql")}],
        },
    )

    assert "matches 0 of 4 files" in hover(wire, path, 3, 0)["contents"]["value"]


def test_other_documents_and_other_text_have_no_hover(wire: Wire, root: Path) -> None:
    start(wire, root)
    code, readme, money = root / "cart.py", root / "README.md", root / "knowledge" / "money.md"
    wire.open(code.as_uri(), "# Money\n")
    wire.open(readme.as_uri(), "# Readme\n", language="markdown")
    wire.open(money.as_uri(), MONEY, language="markdown")

    assert hover(wire, code, 0, 0) is None
    assert hover(wire, readme, 0, 0) is None
    assert hover(wire, money, 7, 0) is None
    assert hover(wire, root / "not-open.md", 0, 0) is None


def test_a_client_of_plain_text_gets_no_marks(wire: Wire, root: Path) -> None:
    start(wire, root, text_document={"hover": {"contentFormat": ["plaintext"]}})
    path = root / "knowledge" / "money.md"
    wire.open(path.as_uri(), MONEY, language="markdown")

    contents = hover(wire, path, 5, 2)["contents"]

    assert contents["kind"] == "plaintext"
    assert contents["value"].startswith("money (knowledge), ")
    assert "`" not in contents["value"]


def test_hover_is_registered_for_documents_of_people_where_the_client_takes_it_at_run_time(
    wire: Wire, root: Path
) -> None:
    result = start(wire, root, text_document={"hover": {"dynamicRegistration": True}})

    assert "hoverProvider" not in result["capabilities"]
    asked = wire.wait_for(
        lambda each: each.get("method") == "client/registerCapability", timeout_s=60
    )
    registrations = {each["method"]: each for each in asked["params"]["registrations"]}
    selector = registrations["textDocument/hover"]["registerOptions"]["documentSelector"]
    assert [each["scheme"] for each in selector] == ["file", "untitled"]


def test_a_client_that_takes_nothing_at_run_time_is_offered_hover_at_once(
    wire: Wire, root: Path
) -> None:
    assert start(wire, root)["capabilities"]["hoverProvider"] is True


def test_a_hover_that_is_cancelled_is_answered_once(wire: Wire, root: Path) -> None:
    start(wire, root)
    path = root / "knowledge" / "money.md"
    wire.open(path.as_uri(), MONEY, language="markdown")
    params = {"textDocument": {"uri": path.as_uri()}, "position": {"line": 0, "character": 0}}
    asked = wire.request("textDocument/hover", params)

    wire.notify("$/cancelRequest", {"id": asked})

    assert wire.answer(asked, timeout_s=60)["error"]["code"] == -32800
    assert hover(wire, path, 0, 0) is not None
    assert len(wire.all_answers(asked)) == 1


def test_a_client_of_plain_text_sees_globs_whole(wire: Wire, root: Path) -> None:
    start(wire, root, text_document={"hover": {"contentFormat": ["plaintext"]}})
    path = root / "knowledge" / "money.md"
    text = MONEY.replace("*.py", "**/*.py")
    wire.open(path.as_uri(), text, language="markdown")

    assert "**/*.py matches 1 of 4 files" in hover(wire, path, 3, 0)["contents"]["value"]
