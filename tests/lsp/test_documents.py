"""What the server shows about documents, and when it stops."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from lsp.wire import ALL_CAPABILITIES, Wire

NUMBERS = count(1)
PUBLISH = "textDocument/publishDiagnostics"
BAD = "def f():\n    bad = 1\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("work")


@pytest.fixture(scope="module")
def wire(folder: Path) -> Iterator[Wire]:
    with Wire() as wire:
        wire.initialize(
            rootUri=folder.as_uri(),
            initializationOptions={"clientShowsAnswers": True, "statusNotifications": True},
        )
        wire.answer(wire.command("glossator.newSession"))
        yield wire


@pytest.fixture
def uri(folder: Path) -> str:
    return (folder / f"module_{next(NUMBERS)}.py").as_uri()


def diagnostics(wire: Wire, uri: str) -> Any:
    """Take the next diagnostics for a document."""
    found = wire.wait_for(
        lambda message: message.get("method") == PUBLISH and message["params"]["uri"] == uri
    )
    wire.messages.remove(found)
    return found["params"]


def no_more_diagnostics(wire: Wire, uri: str) -> bool:
    """Say whether none are on their way; a check of another document shows it."""
    other = f"file:///code/other_{next(NUMBERS)}.py"
    wire.open(other, BAD)
    diagnostics(wire, other)
    return uri not in [
        message["params"]["uri"] for message in wire.messages if message.get("method") == PUBLISH
    ]


def change(wire: Wire, uri: str, version: Any, *edits: dict[str, Any]) -> None:
    identifier = {"uri": uri, "version": version}
    wire.notify(
        "textDocument/didChange", {"textDocument": identifier, "contentChanges": list(edits)}
    )


def save(wire: Wire, uri: str) -> None:
    wire.notify("textDocument/didSave", {"textDocument": {"uri": uri}})


def code_actions(wire: Wire, uri: str, line: int, **context: Any) -> list[Any]:
    place = {"line": line, "character": 6}
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": place, "end": context.pop("end", place)},
        "context": {"diagnostics": [], **context},
    }
    result: list[Any] = wire.ask("textDocument/codeAction", params)["result"]
    return result


def test_a_finding_carries_its_rule_and_its_version(wire: Wire, folder: Path, uri: str) -> None:
    wire.open(uri, BAD, version=4)

    published = diagnostics(wire, uri)

    rules = (folder / "skills" / "rules.md").as_uri()
    start = {"line": 2, "character": 0}
    assert published["version"] == 4
    (diagnostic,) = published["diagnostics"]
    data = diagnostic.pop("data")
    assert (data["ruleId"], data["number"]) == ("no-bad", 0)
    assert diagnostic == {
        "range": {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 7}},
        "severity": 2,
        "source": "glossator",
        "code": "no-bad",
        "message": "This is bad.",
        "codeDescription": {"href": f"{rules}#L3"},
        "relatedInformation": [
            {"location": {"uri": rules, "range": {"start": start, "end": start}},
             "message": "The rule: Never be bad."}
        ],
    }  # fmt: skip


def test_a_client_gets_no_fields_it_did_not_offer(uri: str) -> None:
    with Wire() as plain:
        plain.initialize(capabilities={})
        plain.open(uri, BAD)

        published = diagnostics(plain, uri)

        assert set(published) == {"uri", "diagnostics"}
        assert set(published["diagnostics"][0]) == {
            "range", "severity", "source", "code", "message",
        }  # fmt: skip
        assert [action["title"] for action in code_actions(plain, uri, 1)] == [
            "Explain this function", "Show call chain",
        ]  # fmt: skip
        assert code_actions(plain, uri, 1)[0]["command"] == "glossator.explain"
        assert [m for m in plain.messages if "id" in m and "method" in m] == []


def test_findings_go_when_the_document_is_closed(wire: Wire, uri: str) -> None:
    wire.open(uri, BAD)
    assert diagnostics(wire, uri)["diagnostics"]

    wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    assert diagnostics(wire, uri)["diagnostics"] == []


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("workspace/didDeleteFiles", lambda uri: {"files": [{"uri": uri}]}),
        ("workspace/didRenameFiles",
         lambda uri: {"files": [{"oldUri": uri, "newUri": uri + ".txt"}]}),
        ("workspace/didChangeWatchedFiles", lambda uri: {"changes": [{"uri": uri, "type": 3}]}),
    ],
)  # fmt: skip
def test_findings_go_with_their_file(wire: Wire, uri: str, method: str, params: Any) -> None:
    wire.open(uri, BAD)
    assert diagnostics(wire, uri)["diagnostics"]

    wire.notify(method, params(uri))

    assert diagnostics(wire, uri)["diagnostics"] == []


def test_a_file_that_is_deleted_and_made_anew_shows_its_findings(wire: Wire, uri: str) -> None:
    gone, made = {"uri": uri, "type": 3}, {"uri": uri, "type": 1}
    wire.open(uri, BAD)
    assert diagnostics(wire, uri)["diagnostics"]

    wire.notify("workspace/didChangeWatchedFiles", {"changes": [gone, made]})
    assert no_more_diagnostics(wire, uri)
    for change in (gone, made):
        wire.notify("workspace/didChangeWatchedFiles", {"changes": [change]})

    assert diagnostics(wire, uri)["diagnostics"] == []
    assert diagnostics(wire, uri)["diagnostics"]


def test_a_renamed_document_goes_on_under_its_new_name(wire: Wire, uri: str) -> None:
    wire.open(uri, BAD)
    new_uri = uri.replace(".py", "_new.py")

    wire.notify("workspace/didRenameFiles", {"files": [{"oldUri": uri, "newUri": new_uri}]})

    assert diagnostics(wire, new_uri)["diagnostics"]
    titles = [action["title"] for action in code_actions(wire, new_uri, 1)]
    assert (titles[0], titles[-2:]) == (
        "Fix: This is bad.", ["Explain this function", "Show call chain"],
    )  # fmt: skip


def test_a_check_of_text_that_has_changed_meanwhile_is_not_shown(wire: Wire, uri: str) -> None:
    wire.open(uri, "# slow-check\nbad\n")
    change(wire, uri, 2, {"text": "fine\n"})

    assert no_more_diagnostics(wire, uri)


def test_the_last_save_wins(wire: Wire, uri: str) -> None:
    wire.open(uri, "# slow-check\nbad\n")
    for version in range(2, 12):
        change(wire, uri, version, {"text": f"# slow-check\nbad {version}\n"})
        save(wire, uri)

    assert diagnostics(wire, uri)["version"] == 11
    assert no_more_diagnostics(wire, uri)


def test_what_is_not_checked_is_said_and_not_shown_as_clean(wire: Wire, uri: str) -> None:
    wire.open(uri, "bad\n")
    assert diagnostics(wire, uri)["diagnostics"]
    change(wire, uri, 2, {"text": "too-large\n"})

    result = wire.answer(wire.command("glossator.check", {"uri": uri}))["result"]

    assert result["documents"][0]["outcome"] == "not-checked"
    assert result["documents"][0]["reasonCode"] == "too-large"
    wire.wait_for(
        lambda message: (
            message.get("method") == "window/logMessage"
            and message["params"]["message"].endswith("more than `check.maxFileKb` (1)")
        )
    )
    assert diagnostics(wire, uri)["diagnostics"] == []


@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "git:/code/a.py?HEAD", "vscode-notebook-cell:/code/a.ipynb#1"]
)
def test_a_document_without_a_file_is_explained_but_not_checked(wire: Wire, uri: str) -> None:
    wire.open(uri, BAD)
    argument = {"uri": uri, "position": {"line": 1, "character": 4}}

    result = wire.answer(wire.command("glossator.explain", argument))["result"]

    assert result["markdown"] == "at `    |bad = 1`"
    assert result["uri"] == uri
    assert result["citations"][1]["uri"] is None
    assert no_more_diagnostics(wire, uri)
    status = wire.answer(wire.command("glossator.status"))["result"]
    assert "/code/a" not in status["problems"][2]


def test_the_buffer_counts_and_the_application_sees_it(wire: Wire, uri: str) -> None:
    wire.open(uri, "one\ftwo\nx\n")
    change(
        wire, uri, 2,
        {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 1}},
         "text": "bad"},
    )  # fmt: skip

    save(wire, uri)

    diagnostics(wire, uri)
    argument = {"uri": uri, "position": {"line": 1, "character": 3}}
    result = wire.answer(wire.command("glossator.explain", argument))["result"]
    assert result["markdown"] == "at `bad|`"
    status = wire.answer(wire.command("glossator.status"))["result"]
    assert uri.removeprefix("file://") in status["problems"][2]


def test_a_file_that_is_not_open_is_read_through_the_guard(wire: Wire, folder: Path) -> None:
    inside, outside = folder / "closed.py", folder.parent / "outside.py"
    inside.write_text("错误 = 1\n", encoding="gb18030")
    outside.write_text("secret\n", encoding="utf-8")

    def explain(path: Path) -> Any:
        argument = {"uri": path.as_uri(), "position": {"line": 0, "character": 0}}
        return wire.answer(wire.command("glossator.explain", argument))

    assert explain(inside)["result"]["markdown"] == "at `|错误 = 1`"
    assert explain(outside)["error"]["code"] == -32803
    assert explain(folder / "missing.py")["error"]["code"] == -32803


def test_changes_that_make_no_sense_are_survived(wire: Wire, uri: str) -> None:
    change(wire, uri, 1, {"text": "x"})
    wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    save(wire, uri)
    wire.open(uri, BAD, version=5)
    change(wire, uri, 3, {"text": "old"})
    change(wire, uri, "6", {"text": "x"})
    wire.notify("textDocument/didChange", {"textDocument": {"uri": uri}})
    wire.open(uri, BAD, version=5)

    assert len(code_actions(wire, uri, 1, only=["refactor", "quickfix.glossator"])) >= 3
    assert not [m for m in wire.messages if m.get("method") == "window/showMessage"]


@pytest.mark.parametrize("end", [2**31, 2**32 - 1, 2**53 - 1, 1e308])
def test_the_largest_number_of_any_client_means_the_end(wire: Wire, uri: str, end: float) -> None:
    wire.open(uri, "x = 1\n")
    place = {"line": end, "character": end}
    whole = {"start": {"line": 0, "character": 0}, "end": place}

    change(wire, uri, 2, {"range": whole, "text": BAD})

    assert code_actions(wire, uri, 1, only=["refactor"], end=place)


def test_a_change_without_a_version_is_made(wire: Wire, uri: str) -> None:
    wire.open(uri, "x = 1\n", version=5)

    change(wire, uri, None, {"text": BAD})

    assert code_actions(wire, uri, 1, only=["refactor"])


def test_a_fix_is_offered_for_the_version_that_was_checked(wire: Wire, uri: str) -> None:
    wire.open(uri, BAD, version=3)
    diagnostics(wire, uri)

    fix, *dismissals = code_actions(wire, uri, 1, only=["quickfix"])

    assert {each["kind"] for each in dismissals} == {
        "quickfix.glossator.ignore", "quickfix.glossator.showRule",
    }  # fmt: skip

    assert fix["kind"] == "quickfix.glossator"
    assert fix["edit"] == {
        "documentChanges": [
            {
                "textDocument": {"uri": uri, "version": 3},
                "edits": [
                    {
                        "range": {
                            "start": {"line": 1, "character": 4},
                            "end": {"line": 1, "character": 7},
                        },
                        "newText": "good",
                    }
                ],
            }
        ]
    }
    change(wire, uri, 4, {"text": BAD})
    assert code_actions(wire, uri, 1, only=["quickfix"]) == []


@pytest.mark.parametrize(
    ("context", "kinds"),
    [
        ({}, ["quickfix", "ignore", "showRule", "explain", "callChain"]),
        ({"triggerKind": 1}, ["quickfix", "fixAll", "ignore", "showRule", "explain", "callChain"]),
        ({"triggerKind": 2}, ["quickfix", "ignore", "showRule"]),
        ({"only": ["quickfix.glossator.ignore"]}, ["ignore"]),
        ({"triggerKind": 2, "only": ["refactor"]}, ["explain", "callChain"]),
        ({"only": ["refactor.glossator.explain"]}, ["explain"]),
        ({"only": ["refactor.glossator"]}, ["explain", "callChain"]),
        ({"only": [""]}, ["quickfix", "fixAll", "ignore", "showRule", "explain", "callChain"]),
        ({"only": ["refactor.extract", "source"]}, ["fixAll"]),
        ({"only": ["refactor.extract", "source.organizeImports"]}, []),
        ({"only": [5, "refactor.glossator"]}, ["explain", "callChain"]),
        ({"only": ["refactor.glossator.explain.more"]}, []),
        ({"only": []}, []),
    ],
)
def test_the_kinds_that_are_asked_for_are_offered(
    wire: Wire, uri: str, context: dict[str, Any], kinds: list[str]
) -> None:
    wire.open(uri, BAD)
    diagnostics(wire, uri)

    actions = code_actions(wire, uri, 1, **context)
    offered = [action["kind"].removesuffix(".glossator").split(".")[-1] for action in actions]

    assert list(dict.fromkeys(offered)) == kinds


def test_where_structure_is_unknown_selected_text_is_offered(wire: Wire) -> None:
    uri = "file:///code/Makefile.unknown"
    wire.open(uri, "all: 😀\n\techo\n", language="makefile")

    assert code_actions(wire, uri, 0) == []
    (action,) = code_actions(wire, uri, 0, end={"line": 1, "character": 1})

    assert action["title"] == "Explain the selected text"
    (argument,) = action["command"]["arguments"]
    assert argument["range"] == {
        "start": {"line": 0, "character": 6}, "end": {"line": 1, "character": 1},
    }  # fmt: skip
    result = wire.answer(wire.command("glossator.explain", argument))["result"]
    assert result["stopReason"] == "selection"


def test_a_selection_from_above_a_function_means_that_function(wire: Wire, uri: str) -> None:
    wire.open(uri, "x = 1 + 2\n\ndef 函数():\n    pass\n")

    actions = code_actions(wire, uri, 0, end={"line": 3, "character": 4})

    assert actions[0]["command"]["arguments"] == [
        {"uri": uri, "position": {"line": 2, "character": 4}}
    ]


def test_code_actions_follow_each_edit(wire: Wire, uri: str) -> None:
    wire.open(uri, "x = '😀'\r\n" * 700)

    def replace(version: int, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        first, last = ({"line": line, "character": units} for line, units in (start, end))
        change(wire, uri, version, {"range": {"start": first, "end": last}, "text": text})

    assert code_actions(wire, uri, 350) == []
    replace(2, (349, 99), (349, 99), "\rdef 函数():\n    '😀'")
    assert len(code_actions(wire, uri, 351)) == 2
    assert code_actions(wire, uri, 352) == []
    replace(3, (350, 0), (350, 4), "")
    assert code_actions(wire, uri, 351) == []
    replace(4, (350, 0), (350, 0), "def ")
    assert len(code_actions(wire, uri, 351)) == 2


def test_no_document_has_no_code_actions(wire: Wire) -> None:
    assert code_actions(wire, "file:///nowhere.py", 0) is None


def test_the_status_is_told_when_knowledge_was_read(wire: Wire) -> None:
    wire.answer(wire.command("glossator.rebuildIndex", {}, workDoneToken="r"))

    assert wire.notification("glossator/statusChanged")["version"] == "0"


def test_what_is_shown_already_is_not_sent_again(wire: Wire, uri: str) -> None:
    wire.open(uri, BAD)
    diagnostics(wire, uri)

    wire.answer(wire.command("glossator.rebuildIndex"))
    save(wire, uri)
    wire.answer(wire.command("glossator.check", {"uri": uri}))

    assert no_more_diagnostics(wire, uri)


def test_nothing_is_checked_on_an_occasion_that_is_switched_off(uri: str) -> None:
    with Wire() as wire:
        options = {"settings": {"check": {"onOpen": False, "onSave": False}}}
        wire.initialize(initializationOptions=options)
        wire.answer(wire.command("glossator.newSession"))

        wire.open(uri, BAD)
        save(wire, uri)
        wire.answer(wire.command("glossator.check", {"uri": uri}))
        diagnostics(wire, uri)

        assert [m for m in wire.messages if m.get("method") == PUBLISH] == []


def test_an_answer_is_opened_for_an_editor_without_a_view(uri: str) -> None:
    with Wire() as wire:
        wire.initialize()
        wire.open(uri, BAD)
        argument = {"uri": uri, "position": {"line": 1, "character": 4}}

        wire.answer(wire.command("glossator.explain", argument))

        shown = wire.notification("window/showDocument")
        path = Path(shown["uri"].removeprefix("file://"))
        assert path.read_text(encoding="utf-8").split("\n") == [
            "at `    |bad = 1`",
            "",
            "---",
            "",
            "**Sources** · 2 places checked: 1 exact, 0 moved, 1 missing",
            "",
            f"- ✓ [`a.py:1`]({uri}#L1)",
            "- ✗ `gone.py:9`: there is no such file",
            "",
        ]
        assert path.stat().st_mode & 0o077 == 0


def test_an_editor_that_cannot_open_it_is_told_where_the_answer_is(uri: str) -> None:
    with Wire() as wire:
        wire.initialize(
            capabilities={"textDocument": {}}, initializationOptions={"locale": "zh-CN"}
        )
        wire.open(uri, BAD)
        argument = {"uri": uri, "position": {"line": 1, "character": 4}}

        wire.answer(wire.command("glossator.explain", argument))

        said = wire.notification("window/showMessage")["message"]
        assert said.startswith("回答位于 /")
        assert "gone.py" in Path(said.removeprefix("回答位于 ")).read_text(encoding="utf-8")


def test_folders_come_and_go(uri: str, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    with Wire() as wire:
        wire.initialize(workspaceFolders=[{"uri": first.as_uri(), "name": "first"}])
        document = (first / "a.py").as_uri()
        wire.open(document, BAD)
        assert diagnostics(wire, document)["diagnostics"]

        change_folders(wire, added=[second], removed=[first, tmp_path / "unknown"])

        assert diagnostics(wire, document)["diagnostics"] == []
        wire.answer(wire.command("glossator.newSession"))
        status = wire.answer(wire.command("glossator.status"))["result"]
        assert status["workspace"]["roots"] == [str(second)]


def test_a_folder_that_comes_back_shows_the_findings_of_what_is_open(tmp_path: Path) -> None:
    with Wire() as wire:
        wire.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "one"}])
        document = (tmp_path / "a.py").as_uri()
        wire.open(document, BAD)
        assert diagnostics(wire, document)["diagnostics"]

        change_folders(wire, added=[], removed=[tmp_path])
        change_folders(wire, added=[tmp_path], removed=[])

        assert diagnostics(wire, document)["diagnostics"] == []
        assert diagnostics(wire, document)["diagnostics"]


def test_a_folder_inside_another_one_goes_without_the_findings_in_it(tmp_path: Path) -> None:
    inner = tmp_path / "lib"
    folders = [{"uri": path.as_uri(), "name": path.name} for path in (tmp_path, inner)]
    with Wire() as wire:
        wire.initialize(workspaceFolders=folders)
        document = (inner / "a.py").as_uri()
        wire.open(document, BAD)
        assert diagnostics(wire, document)["diagnostics"]

        change_folders(wire, added=[], removed=[inner])

        assert no_more_diagnostics(wire, document)


def change_folders(wire: Wire, *, added: list[Path], removed: list[Path]) -> None:
    event = {
        "added": [{"uri": path.as_uri(), "name": path.name} for path in added],
        "removed": [{"uri": path.as_uri(), "name": path.name} for path in removed],
    }
    wire.notify("workspace/didChangeWorkspaceFolders", {"event": event})


@pytest.mark.parametrize(
    ("capabilities", "pushed", "seen"),
    [
        (ALL_CAPABILITIES, None, "pulled"),
        ({}, {"glossator": {"agent": {"toolRounds": 9}}}, "{'toolRounds': 9}"),
        ({}, {"agent": {"toolRounds": 9}}, "{'toolRounds': 9}"),
        ({}, "nonsense", "from the start"),
    ],
)
def test_settings_are_pulled_or_pushed(capabilities: Any, pushed: Any, seen: str) -> None:
    with SettingsWire() as wire:
        options = {"settings": {"model": {"name": "from the start"}}}
        wire.initialize(capabilities=capabilities, initializationOptions=options)
        wire.answer(wire.command("glossator.newSession"))

        wire.notify("workspace/didChangeConfiguration", {"settings": pushed})

        wire.answer(wire.command("glossator.newSession"))
        settings = wire.answer(wire.command("glossator.status"))["result"]["problems"][1]
        assert seen in settings
        assert ("from the start" in settings) is (seen != "pulled")


class SettingsWire(Wire):
    """A client whose settings have a model's name."""

    def _result_for(self, message: dict[str, Any]) -> Any:
        if message["method"] == "workspace/configuration":
            return [{"model": {"name": "pulled", "apiKey": None}}]
        return super()._result_for(message)


def test_a_client_that_never_answers_gets_everything_all_the_same(uri: str) -> None:
    with Wire(answers=False) as wire:
        wire.initialize()
        wire.open(uri, BAD)

        answer = wire.answer(wire.command("glossator.ask", {"question": "q"}))

        assert answer["result"]["markdown"] == "echo q"
        assert diagnostics(wire, uri)["diagnostics"]


@pytest.mark.parametrize("token", [[], {"a": 1}, 1.5])
def test_a_progress_token_that_is_none_is_refused_in_words(wire: Wire, token: Any) -> None:
    answer = wire.answer(wire.command("glossator.newSession", {}, workDoneToken=token))

    assert answer["error"]["code"] == -32602
    assert "`workDoneToken`" in answer["error"]["message"]


def test_an_action_that_was_offered_whole_is_resolved_as_it_is(wire: Wire, uri: str) -> None:
    wire.open(uri, BAD)
    action = code_actions(wire, uri, 1, only=["refactor"])[0]

    assert wire.ask("codeAction/resolve", action)["result"] == action
