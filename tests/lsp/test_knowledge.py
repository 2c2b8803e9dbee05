"""Knowledge that changes while the real server runs, as an editor sees it."""

import sys
from pathlib import Path
from typing import Any

from lsp.wire import Wire

SERVER = (sys.executable, "-m", "glossator", "lsp")
N_DOCUMENTS = 400


def n_documents_of(message: dict[str, Any]) -> int:
    if message.get("method") != "glossator/statusChanged":
        return -1
    return int(message["params"]["index"]["nDocuments"])


def write_documents(folder: Path) -> None:
    """Write so many at once that reading them takes longer than what is worth no progress."""
    folder.mkdir()
    for number in range(N_DOCUMENTS):
        sections = "".join(
            f"\n## Part {part}\n\nThe zebra{number}x{part} is agreed. " + "More about it. " * 30
            for part in range(12)
        )
        (folder / f"{number}.md").write_text(f"# Document {number}\n{sections}", encoding="utf-8")


def test_new_knowledge_shows_its_progress_and_its_status_and_answers_at_once(
    tmp_path: Path,
) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path / "state"), "OPENAI_API_KEY": ""}
    root = tmp_path / "workspace"
    root.mkdir()
    with Wire(SERVER, env=environ) as wire:
        wire.initialize(
            workspaceFolders=[{"uri": root.as_uri(), "name": "workspace"}],
            initializationOptions={
                "statusNotifications": True,
                "settings": {"knowledge": {"bundled": False}},
            },
        )
        wire.wait_for(lambda message: n_documents_of(message) == 0, timeout_s=30)

        write_documents(root / "knowledge")

        wire.wait_for(lambda message: n_documents_of(message) == N_DOCUMENTS, timeout_s=60)
        asked = wire.command("glossator.ask", {"question": "What is zebra7x3?"})
        answer = wire.answer(asked, timeout_s=30)["result"]
        assert answer["sources"][0]["path"] == "knowledge/7.md"
        kinds = [
            message["params"]["value"]["kind"]
            for message in wire.messages
            if message.get("method") == "$/progress"
        ]
        assert kinds.count("begin") == kinds.count("end") > 0
