"""The extension's settings are those the server declares."""

import importlib.util
from pathlib import Path
from types import ModuleType

CLIENT = Path(__file__).parents[2] / "editor-client" / "vscode"
REMEDY = "run editor-client/vscode/scripts/write_configuration.py"


def load_writer() -> ModuleType:
    path = CLIENT / "scripts" / "write_configuration.py"
    spec = importlib.util.spec_from_file_location("write_configuration", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_manifest_has_the_settings_that_the_server_declares() -> None:
    writer = load_writer()
    sections, texts = writer.make_configuration()

    english = writer.read_json("package.nls.json")
    written = {key: text for key, text in english.items() if key.startswith("settings.")}

    assert writer.read_json("package.json")["contributes"]["configuration"] == sections, REMEDY
    assert written == texts, REMEDY


def test_every_setting_is_described_in_chinese() -> None:
    writer = load_writer()
    _, texts = writer.make_configuration()

    chinese = writer.read_json("package.nls.zh-cn.json")

    assert {key for key in texts if not chinese.get(key)} == set()


def test_the_api_key_is_no_setting_of_the_editor() -> None:
    writer = load_writer()
    sections, _ = writer.make_configuration()

    keys = {key for section in sections for key in section["properties"]}

    assert "glossator.model.name" in keys
    assert not any("apikey" in key.lower() for key in keys)
