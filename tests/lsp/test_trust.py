"""Trust as editors meet it: asked once, answered or not, told in the status, changed by command."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lsp.wire import SERVER, Wire
from provider.server import Provider, say

QUESTION = "window/showMessageRequest"
FILES = {
    "AGENTS.md": "# Root\n\nIndent with tabs.\n",
    "pkg/api/AGENTS.md": "# 接口\n\n用空格缩进。\n",
    "pkg/api/handler.py": "def handle(request):\n    return request\n",
    "main.py": "def main():\n    return 1\n",
}


class Editor(Wire):
    """An editor whose user presses a button, or does not."""

    def __init__(self, folder: Path, *, press: str | None = None, **env: str) -> None:
        self.press = press
        self.root = folder / "workspace"
        state = {"XDG_STATE_HOME": str(folder / "state"), "XDG_CONFIG_HOME": str(folder / "config")}
        keys = {"OPENAI_API_KEY": "", "DEEPSEEK_API_KEY": ""}
        super().__init__(SERVER, env={**keys, **state, **env})

    def _result_for(self, message: dict[str, Any]) -> Any:
        if message["method"] == QUESTION and self.press is not None:
            return {"title": self.press}
        return super()._result_for(message)

    def begin(self, *, locale: str = "en", **options: Any) -> None:
        self.initialize(
            workspaceFolders=[{"uri": self.root.as_uri(), "name": "workspace"}],
            locale=locale,
            initializationOptions={
                "statusNotifications": True,
                "settings": {"knowledge": {"bundled": False}, "semantic": {"source": "off"}},
                **options,
            },
        )

    def wait_for_status(self, **wanted: object) -> dict[str, Any]:
        def is_it(message: dict[str, Any]) -> bool:
            if message.get("method") != "glossator/statusChanged":
                return False
            workspace = message["params"]["workspace"]
            return all(workspace[name] == value for name, value in wanted.items())

        params: dict[str, Any] = self.wait_for(is_it, timeout_s=30)["params"]
        return params

    def count_questions(self) -> int:
        return sum(message.get("method") == QUESTION for message in self.messages)

    def explain(self, path: str) -> dict[str, Any]:
        uri = (self.root / path).as_uri()
        argument = {"uri": uri, "position": {"line": 0, "character": 5}}
        answer = self.answer(self.command("glossator.explain", argument), timeout_s=30)
        result: dict[str, Any] = answer["result"]
        return result


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / "workspace" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, FILES)
    return tmp_path


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as running:
        running.answer_always(say("It handles (pkg/api/handler.py:1)."))
        yield running


@pytest.mark.parametrize(
    ("locale", "words", "buttons"),
    [
        ("en", "Do you trust it?", ["Trust", "Don't trust"]),
        ("zh-cn", "是否信任？", ["信任", "不信任"]),
    ],
)
def test_the_question_names_the_files_in_the_language_of_the_editor(
    folder: Path, locale: str, words: str, buttons: list[str]
) -> None:
    with Editor(folder) as editor:
        editor.begin(locale=locale)

        asked = editor.notification(QUESTION, timeout_s=30)

        assert words in asked["message"]
        assert "AGENTS.md" in asked["message"]
        assert [action["title"] for action in asked["actions"]] == buttons


def test_a_yes_counts_at_once_and_is_not_asked_again_in_the_next_process(folder: Path) -> None:
    with Editor(folder, press="Trust") as editor:
        editor.begin()
        status = editor.wait_for_status(
            trust="trusted", instructions=["AGENTS.md", "pkg/api/AGENTS.md"]
        )
        assert status["workspace"]["trusted"] is True
        assert editor.count_questions() == 1

    with Editor(folder) as editor:
        editor.begin()
        editor.wait_for_status(trust="trusted", instructions=["AGENTS.md", "pkg/api/AGENTS.md"])
        assert editor.count_questions() == 0


def test_a_no_is_remembered_too(folder: Path) -> None:
    with Editor(folder, press="Don't trust") as editor:
        editor.begin()
        status = editor.wait_for_status(trust="untrusted")
        assert "AGENTS.md" in status["workspace"]["withheld"]
        assert status["workspace"]["instructions"] == []

    with Editor(folder) as editor:
        editor.begin()
        editor.wait_for_status(trust="untrusted")
        assert editor.count_questions() == 0


def test_who_never_answers_is_served_all_the_same_and_told_how_to_trust(folder: Path) -> None:
    with Editor(folder) as editor:
        editor.answers = False
        editor.begin()
        editor.wait_for(lambda message: message.get("method") == QUESTION, timeout_s=30)

        assert "handle" in editor.explain("pkg/api/handler.py")["markdown"]

        status = editor.answer(editor.command("glossator.status"))["result"]
        assert status["workspace"]["trust"] == "unknown"
        assert any("glossator.trustWorkspace" in problem for problem in status["problems"])
        editor.ask("shutdown", None)
        editor.notify("exit", None)
        assert editor.exit_code() == 0


class Refusing(Editor):
    """An editor that knows no such request."""

    def _receive(self, message: dict[str, Any]) -> None:
        if message.get("method") == QUESTION:
            error = {"code": -32601, "message": "no such method"}
            self.send({"jsonrpc": "2.0", "id": message["id"], "error": error})
            self.answers = False
        super()._receive(message)
        self.answers = True


def test_an_editor_that_cannot_ask_is_told_in_its_log(folder: Path) -> None:
    with Refusing(folder) as editor:
        editor.begin()

        editor.wait_for(
            lambda message: (
                message.get("method") == "window/logMessage"
                and "glossator.trustWorkspace" in message["params"]["message"]
            ),
            timeout_s=30,
        )


@pytest.mark.parametrize(("said", "trust"), [(True, "trusted"), (False, "untrusted")])
def test_an_editor_with_trust_of_its_own_is_believed_and_its_user_not_asked(
    folder: Path, said: bool, trust: str
) -> None:
    with Editor(folder) as editor:
        editor.begin(workspaceTrusted=said)

        status = editor.wait_for_status(trust=trust)

        assert bool(status["workspace"]["withheld"]) is not said
        assert editor.count_questions() == 0


def test_a_workspace_without_such_files_asks_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"main.py": "x = 1\n", "knowledge/a.md": "# A\n\nText.\n"})
    with Editor(tmp_path) as editor:
        editor.begin()
        editor.wait_for_status(trust="unknown")
        editor.answer(editor.command("glossator.rebuildIndex"), timeout_s=30)

        assert editor.count_questions() == 0


def test_a_command_changes_it_later(folder: Path) -> None:
    with Editor(folder) as editor:
        editor.begin(workspaceTrusted=None)
        editor.wait_for(lambda message: message.get("method") == QUESTION, timeout_s=30)

        trusted = editor.answer(editor.command("glossator.trustWorkspace", {"trusted": True}))
        assert trusted["result"] == {"trust": "trusted", "message": ""}
        editor.wait_for_status(trust="trusted")

        taken_back = editor.answer(editor.command("glossator.trustWorkspace", {"trusted": False}))
        assert taken_back["result"]["trust"] == "untrusted"

        wrong = editor.answer(editor.command("glossator.trustWorkspace", {"trusted": "yes"}))
        assert "must be true or false" in wrong["error"]["message"]


def test_the_nearest_instructions_reach_the_model_first_once_they_are_trusted(
    folder: Path, provider: Provider
) -> None:
    environ = {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": provider.base_url, "MODEL": "m"}
    with Editor(folder, **environ) as editor:
        editor.begin()
        editor.wait_for(lambda message: message.get("method") == QUESTION, timeout_s=30)
        editor.explain("pkg/api/handler.py")
        editor.answer(editor.command("glossator.trustWorkspace", {"trusted": True}), timeout_s=30)
        editor.explain("pkg/api/handler.py")

    before, after = (str(request.body["messages"]) for request in provider.requests())
    assert "kind=instructions place" not in before
    nearest = after.index("kind=instructions place=pkg/api/AGENTS.md:1-3")
    assert nearest < after.index("kind=instructions place=AGENTS.md:1-3")
    assert "3| 用空格缩进。" in after
