"""The extension takes for a secret what the server does."""

import importlib.util
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "editor-client/vscode/scripts/write_redaction.py"


def test_the_extensions_patterns_are_those_of_the_server() -> None:
    spec = importlib.util.spec_from_file_location("write_redaction", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    writer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(writer)

    written = writer.FILE.read_text(encoding="utf-8")

    assert written == writer.write_module(), "run editor-client/vscode/scripts/write_redaction.py"
