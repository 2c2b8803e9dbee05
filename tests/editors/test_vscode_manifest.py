"""The extension's settings and the schema of `glossator.toml` are those the server declares."""

import importlib.util
import json
import tomllib
from pathlib import Path
from types import ModuleType

import jsonschema
import pytest

from glossator.core.settings import list_settings
from glossator.core.text import contains_chinese

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


def test_the_schema_is_what_the_server_declares_in_both_languages() -> None:
    writer = load_writer()

    assert writer.SCHEMA.read_text(encoding="utf-8") == writer.render_schema(), REMEDY
    groups = json.loads(writer.render_schema())["properties"]
    for setting in list_settings():
        group, _, name = setting.key.partition(".")
        first, second, *_ = groups[group]["properties"][name]["description"].split("\n\n")
        assert first == setting.doc
        assert contains_chinese(second)


@pytest.mark.parametrize(
    ("toml", "is_valid"),
    [
        ('[check]\nonSave = false\nexclude = ["vendor/**"]\n', True),
        ("[agent]\ntoolRounds = 51\n", False),
        ('[knowledge]\nwhenUnknown = "guess"\n', False),
        ("[check]\nonsave = true\n", False),
        ("[checks]\n", False),
    ],
)
def test_the_schema_holds_what_the_server_takes_and_nothing_else(toml: str, is_valid: bool) -> None:
    schema = json.loads(load_writer().SCHEMA.read_text(encoding="utf-8"))
    validator = jsonschema.Draft7Validator(schema)
    jsonschema.Draft7Validator.check_schema(schema)

    assert validator.is_valid(tomllib.loads(toml)) is is_valid


def test_an_editor_of_toml_is_given_the_schema() -> None:
    [entry] = load_writer().read_json("package.json")["contributes"]["tomlValidation"]

    assert entry == {"fileMatch": "glossator.toml", "url": "./dist/glossator.schema.json"}


def test_the_oldest_editor_that_is_admitted_is_the_one_that_is_tested_and_compiled_for() -> None:
    manifest = load_writer().read_json("package.json")
    tests = Path(__file__).parent / "vscode" / "package.json"
    # `npm:code-server@4.N.x` holds VS Code 1.N.x.
    tested = json.loads(tests.read_text(encoding="utf-8"))["devDependencies"]["code-server-oldest"]
    minor = tested.split(".")[1]

    assert manifest["engines"]["vscode"] == f"^1.{minor}.0"
    assert manifest["devDependencies"]["@types/vscode"] == f"1.{minor}.0"
