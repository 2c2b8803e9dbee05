"""An editor whose own language model answers: streamed, refused, silent, or gone half-way."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp.test_diagnostics import Editor
from lsp.wire import ALL_CAPABILITIES, SERVER, Message

SHOP = """\
def total(cart):
    return price(cart)


def price(cart):
    return 1
"""
Play = Callable[["ModelEditor", dict[str, Any], Any], None]


class ModelEditor(Editor):
    """Plays a script for each request to its model."""

    def __init__(self, **env: str) -> None:
        self.script: list[Play] = []
        self.requests: list[dict[str, Any]] = []
        self.described: Any = {"name": "Tiny", "maxInputTokens": 20_000, "tools": True}
        super().__init__(SERVER, env=env)

    def begin_with(self, folder: Path, **model: Any) -> None:
        capabilities = {**ALL_CAPABILITIES, "experimental": {"glossator": {"model": True}}}
        settings = {"model": {"source": "editor", **model}}
        self.begin(folder=folder, capabilities=capabilities, settings=settings)

    def send_piece(self, params: dict[str, Any], **piece: Any) -> None:
        self.notify("glossator/model/piece", {"id": params["id"], **piece})

    def reply(self, request_id: Any, **answer: Any) -> None:
        self.send({"jsonrpc": "2.0", "id": request_id, **answer})

    def explain(self, folder: Path, **argument: Any) -> Message:
        uri = (folder / "shop.py").as_uri()
        self.open(uri, SHOP)
        position = {"line": 1, "character": 4}
        command = self.command("glossator.explain", {"uri": uri, "position": position, **argument})
        return self.answer(command, timeout_s=60)

    def _receive(self, message: Message) -> None:
        method = message.get("method")
        if method == "glossator/model/describe":
            self.reply(message["id"], result=self.described)
        elif method == "glossator/model/chat":
            self.requests.append(message["params"])
            self.script.pop(0)(self, message["params"], message["id"])
        else:
            super()._receive(message)


def say(*texts: str) -> Play:
    def play(editor: ModelEditor, params: dict[str, Any], request_id: Any) -> None:
        for text in texts:
            editor.send_piece(params, text=text)
        editor.reply(request_id, result={})

    return play


def call(name: str, arguments: Any) -> Play:
    def play(editor: ModelEditor, params: dict[str, Any], request_id: Any) -> None:
        editor.send_piece(params, toolCall={"id": "c1", "name": name, "arguments": arguments})
        editor.reply(request_id, result={})

    return play


def fail(code: str, *texts: str, **data: Any) -> Play:
    def play(editor: ModelEditor, params: dict[str, Any], request_id: Any) -> None:
        for text in texts:
            editor.send_piece(params, text=text)
        error = {"code": -32803, "message": "Not now.", "data": {"code": code, **data}}
        editor.reply(request_id, error=error)

    return play


def hang(*texts: str) -> Play:
    def play(editor: ModelEditor, params: dict[str, Any], request_id: Any) -> None:
        for text in texts:
            editor.send_piece(params, text=text)

    return play


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "shop.py").write_text(SHOP)
    return folder


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[ModelEditor]:
    with ModelEditor(XDG_STATE_HOME=str(tmp_path / "state")) as running:
        yield running


def test_the_editors_model_answers_with_tools_and_is_told_what_they_gave(
    editor: ModelEditor, shop: Path
) -> None:
    editor.script = [call("read_file", {"path": "shop.py"}), say("`total` adds", " (shop.py:1).")]
    editor.begin_with(shop, name="tiny")

    result = editor.explain(shop)["result"]

    assert result["byModel"] is True
    assert result["markdown"] == "`total` adds (shop.py:1)."
    assert [each["verdict"] for each in result["citations"]] == ["exact"]
    first, second = editor.requests
    assert first["model"] == "tiny"
    assert first["messages"][0]["role"] == "system"
    assert "read_file" in {tool["function"]["name"] for tool in first["tools"]}
    assert second["messages"][-1]["role"] == "tool"
    assert "def total(cart)" in second["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        ("no-model", "Sign in to one in the editor"),
        ("no-consent", "allow it in the editor's dialog"),
        ("quota", "Ask again later"),
        ("blocked", "Ask in other words"),
        ("unheard-of", "choose another model"),
    ],
)
def test_a_refusal_names_its_remedy_and_the_facts_are_the_answer(
    editor: ModelEditor, shop: Path, code: str, remedy: str
) -> None:
    editor.script = [fail(code)]
    editor.begin_with(shop)

    result = editor.explain(shop)["result"]

    assert result["byModel"] is False
    assert "## `total`" in result["markdown"]
    assert remedy in result["notice"]
    assert "Not now." in result["notice"]


@pytest.mark.parametrize("break_off", [fail("failed", "`total` adds "), hang("`total` adds ")])
def test_a_model_that_breaks_off_or_falls_silent_leaves_what_had_arrived(
    editor: ModelEditor, shop: Path, break_off: Play
) -> None:
    editor.script = [break_off]
    editor.begin_with(shop, idleTimeoutS=0.5)

    result = editor.explain(shop)["result"]

    assert result["markdown"].startswith("`total` adds")
    assert "broke off" in result["markdown"]
    assert result["stopReason"] == "failed"


def test_cancelling_the_turn_withdraws_the_request(editor: ModelEditor, shop: Path) -> None:
    editor.script = [hang()]
    editor.begin_with(shop)
    uri = (shop / "shop.py").as_uri()
    editor.open(uri, SHOP)
    position = {"line": 1, "character": 4}
    request = editor.command("glossator.explain", {"uri": uri, "position": position})
    wait = threading.Event()
    while not editor.requests:
        wait.wait(0.01)

    editor.notify("$/cancelRequest", {"id": request})

    editor.notification("$/cancelRequest", timeout_s=5)
    assert editor.answer(request)["error"]["code"] == -32800


def test_a_request_that_does_not_fit_is_made_shorter(editor: ModelEditor, shop: Path) -> None:
    editor.described = {"maxInputTokens": 3_000, "tools": True}
    editor.script = [say("Short (shop.py:1).")]
    editor.begin_with(shop)

    result = editor.explain(shop)["result"]

    assert result["byModel"] is True
    assert len(str(editor.requests[0])) < 14_000


def test_a_model_without_tools_is_offered_none_and_it_is_said(
    editor: ModelEditor, shop: Path
) -> None:
    editor.described = {"tools": False}
    editor.script = [say("It adds (shop.py:1).")]
    editor.begin_with(shop)

    result = editor.explain(shop)["result"]

    assert editor.requests[0]["tools"] == []
    assert "takes no tools" in result["notice"]


def test_a_turn_can_name_a_model_of_its_own(editor: ModelEditor, shop: Path) -> None:
    editor.script = [say("It adds (shop.py:1).")]
    capabilities = {**ALL_CAPABILITIES, "experimental": {"glossator": {"model": True}}}
    editor.begin(folder=shop, capabilities=capabilities)

    result = editor.explain(shop, editorModel="chat:7")["result"]

    assert result["byModel"] is True
    assert editor.requests[0]["model"] == "chat:7"


def test_nonsense_from_the_model_is_left_out(editor: ModelEditor, shop: Path) -> None:
    def play(editor: ModelEditor, params: dict[str, Any], request_id: Any) -> None:
        for piece in ({"text": 7}, {"toolCall": "x"}, {"toolCall": {"name": 3}}, {}):
            editor.send_piece(params, **piece)
        editor.notify("glossator/model/piece", [1])
        editor.notify("glossator/model/piece", {"id": "other", "text": "No."})
        editor.send_piece(params, text="It adds (shop.py:1).")
        editor.reply(request_id, result=None)

    editor.script = [play]
    editor.begin_with(shop)

    assert editor.explain(shop)["result"]["markdown"] == "It adds (shop.py:1)."


def test_without_a_model_in_the_editor_or_without_trust_the_status_says_what_to_do(
    shop: Path, tmp_path: Path
) -> None:
    messages = []
    for trusted, experimental in ((True, {}), (False, {"glossator": {"model": True}})):
        with ModelEditor(XDG_STATE_HOME=str(tmp_path / "state")) as editor:
            editor.initialize(
                rootUri=shop.as_uri(),
                capabilities={**ALL_CAPABILITIES, "experimental": experimental},
                initializationOptions={
                    "workspaceTrusted": trusted,
                    "settings": {"model": {"source": "editor"}},
                },
            )
            editor.answer(editor.command("glossator.newSession"), timeout_s=30)
            answer = editor.answer(editor.command("glossator.status"), timeout_s=30)
            messages.append(answer["result"]["model"]["message"])

    assert "this editor offers no language model" in messages[0]
    assert "Trust this workspace" in messages[1]
