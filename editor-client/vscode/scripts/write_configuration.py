"""Write the settings of `package.json` from the server's own declaration of them.

Run it from anywhere after a change of `glossator.core.settings`:

    python editor-client/vscode/scripts/write_configuration.py

The English text goes to `package.nls.json`; the Chinese one is written by hand in
`package.nls.zh-cn.json`. `tests/editors/test_vscode_manifest.py` fails when they differ.
"""

import json
import sys
from pathlib import Path
from typing import Any

CLIENT = Path(__file__).resolve().parents[1]
SERVER = CLIENT.parents[1] / "server"

# The key lives in the editor's secret storage. Trust is the editor's own notion, asked and kept
# by its workspace trust; a second switch that holds for every workspace would undermine it.
LEFT_OUT = {"model.apiKey", "semantic.apiKey", "workspace.trusted"}

TITLES = {
    "server": "Server",
    "model": "Model",
    "agent": "Agent",
    "knowledge": "Knowledge",
    "semantic": "Finding by meaning",
    "shared": "Shared index",
    "check": "Checks",
    "sessions": "Sessions",
    "audit": "Audit record",
    "telemetry": "Telemetry",
}

OWN_SETTINGS: dict[str, dict[str, Any]] = {
    "glossator.server.command": {
        "type": "array",
        "items": {"type": "string"},
        "default": [],
        "scope": "machine-overridable",
    },
    "glossator.server.python": {
        "type": "string",
        "default": "",
        "scope": "machine-overridable",
    },
    "glossator.trace.server": {
        "type": "string",
        "enum": ["off", "messages", "verbose"],
        "default": "off",
        "scope": "window",
    },
}

OWN_DOCUMENTATION = {
    "glossator.server.command": "Command line that starts the server, for example "
    '`["glossator", "lsp"]`. Empty: Glossator looks for it.',
    "glossator.server.python": "Python interpreter that has Glossator installed. Empty: "
    "`glossator` on the PATH, then the interpreter chosen in the Python extension.",
    "glossator.trace.server": "Write the messages between editor and server to the log.",
}

TYPES: dict[str, dict[str, Any]] = {
    "array of strings": {"type": "array", "items": {"type": "string"}},
}


def make_configuration() -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return `contributes.configuration`, and the English text of its placeholders."""
    sys.path.insert(0, str(SERVER))
    from glossator.core.settings import list_settings

    groups: dict[str, dict[str, Any]] = {"server": {}}
    texts: dict[str, str] = {}
    for key, schema in OWN_SETTINGS.items():
        groups["server"][key] = _describe(schema, key)
        texts[_placeholder(key)] = OWN_DOCUMENTATION[key]
    for setting in list_settings():
        if setting.key in LEFT_OUT:
            continue
        group = setting.key.partition(".")[0]
        schema = dict(TYPES.get(setting.type, {"type": setting.type}))
        if setting.values:
            schema["enum"] = list(setting.values)
        if setting.minimum is not None:
            schema["minimum"] = setting.minimum
        if setting.maximum is not None:
            schema["maximum"] = setting.maximum
        schema["default"] = setting.default
        # A workspace must not be able to send code or keys to another server.
        schema["scope"] = "machine" if setting.scope == "user" else "resource"
        key = f"glossator.{setting.key}"
        groups.setdefault(group, {})[key] = _describe(schema, key)
        texts[_placeholder(key)] = setting.doc
    sections = []
    for order, (group, properties) in enumerate(groups.items(), start=1):
        texts[f"settings.{group}"] = TITLES.get(group, group.capitalize())
        title = f"%settings.{group}%"
        sections.append({"order": order, "title": title, "properties": properties})
    return sections, texts


def _describe(schema: dict[str, Any], key: str) -> dict[str, Any]:
    return {**schema, "markdownDescription": f"%{_placeholder(key)}%"}


def _placeholder(key: str) -> str:
    return f"settings.{key.removeprefix('glossator.')}"


def read_json(name: str) -> dict[str, Any]:
    """Return one of the client's JSON files."""
    value: dict[str, Any] = json.loads((CLIENT / name).read_text(encoding="utf-8"))
    return value


def main() -> None:
    """Rewrite both files."""
    sections, texts = make_configuration()
    manifest = read_json("package.json")
    manifest["contributes"]["configuration"] = sections
    _write_json("package.json", manifest)
    own = {
        key: text
        for key, text in read_json("package.nls.json").items()
        if not key.startswith("settings.")
    }
    _write_json("package.nls.json", own | texts)


def _write_json(name: str, value: dict[str, Any]) -> None:
    text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    (CLIENT / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
