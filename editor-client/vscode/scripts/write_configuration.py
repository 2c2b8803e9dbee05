"""Write the settings of `package.json` from the server's own declaration of them, and the schema.

Run it from anywhere after a change of `glossator.core.settings`:

    python editor-client/vscode/scripts/write_configuration.py

`docs/glossator.schema.json` describes `glossator.toml` to editors of TOML, in both languages.
The English text goes to `package.nls.json`; the Chinese one is written by hand in
`package.nls.zh-cn.json`. `tests/editors/test_vscode_manifest.py` fails when they differ.
"""

import json
import sys
from pathlib import Path
from typing import Any

CLIENT = Path(__file__).resolve().parents[1]
ROOT = CLIENT.parents[1]
SERVER = ROOT / "server"
SCHEMA = ROOT / "docs" / "glossator.schema.json"

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
    "code": "In the code",
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

USER_ONLY = "Only in your own file; ignored in that of a workspace."
USER_ONLY_CHINESE = "只能写在您自己的文件中；工作区文件中的会被忽略。"

# What is no setting of the editor, and so has no text in `package.nls.zh-cn.json`.
OTHER_CHINESE = {
    "model.apiKey": "该服务器的密钥；不会发送到别处。",
    "semantic.apiKey": "该服务器的密钥；不会发送到别处。",
    "workspace.trusted": "不经询问即信任工作区：遵循其说明和技能，其 `.env` 可以选择模型。",
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
        schema = _make_type(setting)
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


def make_schema(chinese: dict[str, str]) -> dict[str, Any]:
    """Return the JSON Schema of `glossator.toml`; `chinese` are the texts by their placeholders."""
    sys.path.insert(0, str(SERVER))
    from glossator.core.settings import list_settings

    groups: dict[str, Any] = {}
    for setting in list_settings():
        group, _, name = setting.key.partition(".")
        title = {"title": TITLES[group]} if group in TITLES else {}
        table = groups.setdefault(
            group, {**title, "type": "object", "additionalProperties": False, "properties": {}}
        )
        own = OTHER_CHINESE.get(setting.key, "")
        lines = [setting.doc, chinese.get(_placeholder(setting.key), own)]
        if setting.scope == "user":
            lines.append(f"{USER_ONLY}\n\n{USER_ONLY_CHINESE}")
        table["properties"][name] = {
            **_make_type(setting),
            "default": setting.default,
            "description": "\n\n".join(filter(None, lines)),
        }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "glossator.schema.json",
        "title": "glossator.toml",
        "description": "Settings of Glossator, of a workspace or your own.\n\n"
        "Glossator 的设置，用于工作区或您自己。",
        "type": "object",
        "additionalProperties": False,
        "properties": groups,
    }


def _make_type(setting: Any) -> dict[str, Any]:
    """Return what JSON Schema says of a setting's values."""
    schema = dict(TYPES.get(setting.type, {"type": setting.type}))
    if setting.values:
        schema["enum"] = list(setting.values)
    if setting.minimum is not None:
        schema["minimum"] = setting.minimum
    if setting.maximum is not None:
        schema["maximum"] = setting.maximum
    return schema


def _describe(schema: dict[str, Any], key: str) -> dict[str, Any]:
    return {**schema, "markdownDescription": f"%{_placeholder(key)}%"}


def _placeholder(key: str) -> str:
    return f"settings.{key.removeprefix('glossator.')}"


def read_json(name: str) -> dict[str, Any]:
    """Return one of the client's JSON files."""
    value: dict[str, Any] = json.loads((CLIENT / name).read_text(encoding="utf-8"))
    return value


def main() -> None:
    """Rewrite all three files."""
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
    SCHEMA.write_text(render_schema(), encoding="utf-8")


def render_schema() -> str:
    """Return the text of the schema's file."""
    return _render_json(make_schema(read_json("package.nls.zh-cn.json")))


def _write_json(name: str, value: dict[str, Any]) -> None:
    (CLIENT / name).write_text(_render_json(value), encoding="utf-8")


def _render_json(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    main()
