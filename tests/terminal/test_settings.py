"""`glossator settings schema` as an editor's set-up or a CI job meets it."""

import json
from pathlib import Path

import jsonschema

from terminal.running import glossator

SHIPPED = Path(__file__).parents[2] / "docs" / "glossator.schema.json"


def test_the_schema_is_printed_as_it_is_shipped_and_nothing_else_is_done(tmp_path: Path) -> None:
    folder = tmp_path / "空"
    folder.mkdir()

    result = glossator(folder, "settings", "schema")

    assert result.returncode == 0
    assert result.stdout == SHIPPED.read_text(encoding="utf-8")
    assert result.stderr == ""
    jsonschema.Draft7Validator.check_schema(json.loads(result.stdout))
    assert list(folder.iterdir()) == []


def test_a_faulty_glossator_toml_does_not_keep_the_schema_that_helps_to_mend_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "glossator.toml").write_text("[check\n", encoding="utf-8")

    result = glossator(tmp_path, "settings", "schema", "--json")

    assert result.returncode == 0
    assert "check" in json.loads(result.stdout)["properties"]


def test_another_action_names_the_one_there_is(tmp_path: Path) -> None:
    result = glossator(tmp_path, "settings", "list")

    assert result.returncode == 2
    assert "'schema'" in result.stderr
