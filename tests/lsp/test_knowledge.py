"""Knowledge that changes while the real server runs, as an editor sees it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lsp.wire import SERVER, Wire

N_DOCUMENTS = 400
READ = "Knowledge is read"


def index_of(message: dict[str, Any]) -> dict[str, Any]:
    if message.get("method") != "glossator/statusChanged":
        return {}
    index: dict[str, Any] = message["params"]["index"]
    return index if index["ready"] else {}


def n_documents_of(message: dict[str, Any]) -> int:
    return int(index_of(message).get("nDocuments", -1))


def says_that_it_is_read(message: dict[str, Any]) -> bool:
    is_log = message.get("method") == "window/logMessage"
    return is_log and READ in message["params"]["message"]


def write_documents(folder: Path) -> None:
    """Write so many at once that reading them takes longer than what is worth no progress."""
    folder.mkdir()
    for number in range(N_DOCUMENTS):
        sections = "".join(
            f"\n## Part {part}\n\nThe zebra{number}x{part} is agreed. " + "More about it. " * 30
            for part in range(12)
        )
        (folder / f"{number}.md").write_text(f"# Document {number}\n{sections}", encoding="utf-8")


@contextmanager
def serving(root: Path, *, watch: str = "events", **capabilities: Any) -> Iterator[Wire]:
    """Serve the workspace folder `root` to an editor that shows the state."""
    environ = {
        "XDG_STATE_HOME": str(root.parent / "state"),
        "XDG_CACHE_HOME": str(root.parent / "cache"),
        "OPENAI_API_KEY": "",
    }
    root.mkdir(exist_ok=True)
    settings = {"knowledge": {"bundled": False, "watch": watch}}
    with Wire(SERVER, env=environ) as wire:
        wire.initialize(
            workspaceFolders=[{"uri": root.as_uri(), "name": "workspace"}],
            initializationOptions={"statusNotifications": True, "settings": settings},
            **({"capabilities": capabilities} if capabilities else {}),
        )
        wire.wait_for(lambda message: bool(index_of(message)), timeout_s=30)
        yield wire


def write(root: Path, name: str, text: str) -> Path:
    file = root / "knowledge" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def find_source(wire: Wire, question: str) -> str:
    answer = wire.answer(wire.command("glossator.ask", {"question": question}), timeout_s=30)
    return str(answer["result"]["sources"][0]["path"])


def test_new_knowledge_shows_its_progress_and_its_status_and_answers_at_once(
    tmp_path: Path,
) -> None:
    root = tmp_path / "workspace"
    with serving(root) as wire:
        write_documents(root / "knowledge")

        wire.wait_for(lambda message: n_documents_of(message) == N_DOCUMENTS, timeout_s=60)
        assert find_source(wire, "What is zebra7x3?") == "knowledge/7.md"
        kinds = [
            message["params"]["value"]["kind"]
            for message in wire.messages
            if message.get("method") == "$/progress"
        ]
        assert kinds.count("begin") == kinds.count("end") > 0


def test_a_saved_file_is_told_with_its_sections_and_the_time(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    write(root, "a.md", "# Zebras\n\nA zebra is agreed.\n")
    with serving(root) as wire:
        before = next(index for message in wire.messages if (index := index_of(message)))

        write(root, "a.md", "# Zebras\n\nA zebra is agreed.\n\n## Herons\n\nNo heron.\n")

        after = wire.wait_for(lambda message: index_of(message).get("nSections") == 2)
        assert before["nSections"] == 1
        assert index_of(after)["updatedAt"] > before["updatedAt"] > 1_600_000_000_000
        wire.wait_for(
            lambda message: (
                says_that_it_is_read(message)
                and "1 documents, 2 sections" in message["params"]["message"]
            )
        )


def test_a_file_that_is_only_touched_is_no_news(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    file = write(root, "a.md", "# Zebras\n\nA zebra is agreed.\n")
    with serving(root) as wire:
        n_before = sum(map(says_that_it_is_read, wire.messages))

        file.touch()
        write(root, "b.md", "# Herons\n\nA heron is agreed.\n")
        wire.wait_for(lambda message: n_documents_of(message) == 2)

        assert sum(map(says_that_it_is_read, wire.messages)) == n_before + 1


def test_what_the_editor_says_has_changed_is_read_where_nobody_watches(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    with serving(root, watch="off") as wire:
        file = write(root, "a.md", "# Zebras\n\nA zebra is agreed.\n")
        changes = [{"uri": file.as_uri(), "type": 1}]
        wire.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        wire.wait_for(lambda message: n_documents_of(message) == 1)

        file.unlink()
        changes = [{"uri": file.as_uri(), "type": 3}]
        wire.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        wire.wait_for(lambda message: n_documents_of(message) == 0)


def test_an_answer_rests_on_the_files_as_they_are_where_nobody_watches(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    with serving(root, watch="off") as wire:
        write(root, "a.md", "# Zebras\n\nThe striped zebra is agreed.\n")

        assert find_source(wire, "What is agreed about the striped zebra?") == "knowledge/a.md"


def test_files_are_looked_at_where_that_is_set_and_it_is_said(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    with serving(root, watch="polling") as wire:
        write(root, "a.md", "# Zebras\n\nA zebra is agreed.\n")
        wire.wait_for(lambda message: n_documents_of(message) == 1)

        status = wire.answer(wire.command("glossator.status"))["result"]
        assert [each for each in status["problems"] if "`knowledge.watch`" in each]


def test_an_editor_is_asked_to_watch_knowledge_skills_and_instructions(tmp_path: Path) -> None:
    can_register = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    with serving(tmp_path / "workspace", **can_register) as wire:
        asked = wire.wait_for(lambda message: message.get("method") == "client/registerCapability")

    [registration] = asked["params"]["registrations"]
    globs = {each["globPattern"] for each in registration["registerOptions"]["watchers"]}
    assert registration["method"] == "workspace/didChangeWatchedFiles"
    assert {"**/knowledge/**/*.md", "**/.claude/skills/**/*.md", "**/glossator.toml"} <= globs
    assert any("AGENTS" in glob for glob in globs)
