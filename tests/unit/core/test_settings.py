import math

import pytest

from glossator.core.setting_layers import apply_settings
from glossator.core.settings import Settings, list_settings


def test_a_workspace_cannot_redirect_the_model() -> None:
    layer = {"model": {"baseUrl": "http://elsewhere.example", "apiKey": "k"}}

    settings, problems = apply_settings(
        Settings(), layer, source="glossator.toml", scope="workspace"
    )

    assert settings == Settings()
    assert [problem.key for problem in problems] == ["model.baseUrl", "model.apiKey"]
    assert "only your editor, your own `glossator.toml` or the environment" in problems[0].message


def test_a_user_sets_what_a_workspace_may_not() -> None:
    settings, problems = apply_settings(
        Settings(), {"model.name": "m", "agent": {"toolRounds": 3}}, source="editor", scope="user"
    )

    assert (settings.model.name, settings.agent.tool_rounds, problems) == ("m", 3, ())


@pytest.mark.parametrize(
    ("layer", "key"),
    [
        ({"agent": {"toolRounds": "8"}}, "agent.toolRounds"),
        ({"agent": {"toolRounds": -1}}, "agent.toolRounds"),
        ({"agent": {"toolRounds": 51}}, "agent.toolRounds"),
        ({"agent": {"toolRounds": True}}, "agent.toolRounds"),
        ({"agent": {"toolRounds": math.inf}}, "agent.toolRounds"),
        ({"agent": {"toolRounds": math.nan}}, "agent.toolRounds"),
        ({"agent": {"toolRounds": 10**400}}, "agent.toolRounds"),
        ({"knowledge": {"folders": "knowledge"}}, "knowledge.folders"),
        ({"knowledge": {"folders": [1]}}, "knowledge.folders"),
        ({"knowledge": {"whenUnknown": "guess"}}, "knowledge.whenUnknown"),
        ({"check": {"exclude": ["*.py", "!"]}}, "check.exclude"),
        ({"knowledge": {"folder": []}}, "knowledge.folder"),
        ({"nothing": {"x": 1}}, "nothing.x"),
        ({"nothing": 3}, "nothing"),
        ({"check": "on"}, "check"),
    ],
)
def test_an_unusable_value_names_itself_and_the_rest_goes_on(
    layer: dict[str, object], key: str
) -> None:
    settings, problems = apply_settings(
        Settings(), {**layer, "check.onSave": False}, source="editor", scope="user"
    )

    assert [problem.key for problem in problems] == [key]
    assert f"`{key}`" in problems[0].message
    assert settings.check.on_save is False


def test_null_means_not_set() -> None:
    layer = {"agent": {"toolRounds": None}, "model": None}

    assert apply_settings(Settings(), layer, source="editor", scope="user") == (Settings(), ())


def test_every_setting_is_declared_with_what_documentation_needs() -> None:
    declared = list(list_settings())

    assert len({setting.key for setting in declared}) == len(declared) > 15
    assert all(setting.doc.endswith((".", "`")) for setting in declared)
