import pytest

from glossator.app.library import read_library
from glossator.app.linting.known_ids import KnownIds
from glossator.app.linting.linter import LintReport
from glossator.app.linting.settings_file import lint_settings
from glossator.app.phrasing import Phrasing
from glossator.core.settings import Scope
from glossator.core.text import SourceText, contains_chinese
from glossator.linting.repairing import apply_edits
from glossator.tools.workspace import Workspace

LIBRARY = read_library(())
ENGLISH, CHINESE = Phrasing(is_chinese=False), Phrasing(is_chinese=True)


def lint(
    text: str, scope: Scope = "workspace", say: Phrasing = ENGLISH, disabled: tuple[str, ...] = ()
) -> LintReport:
    ids = KnownIds(LIBRARY, Workspace(()))
    source = SourceText("glossator.toml", text)
    return lint_settings(source, scope, say, ids=ids, disabled=disabled)


@pytest.mark.parametrize(
    ("text", "line", "code", "message", "repaired"),
    [
        (
            "[check]\nonsave = true\n", 2, "settings/unknown",
            "`check.onsave` is not a setting; did you mean `check.onSave`?",
            "[check]\nonSave = true\n",
        ),
        (
            "check.on_save = true\n", 1, "settings/unknown",
            "`check.on_save` is not a setting; did you mean `check.onSave`?",
            "check.onSave = true\n",
        ),
        (
            "[agent]\ntoolRounds = 99 # many\n", 2, "settings/value",
            "`agent.toolRounds` must be at most 50, not 99; it is not used.",
            "[agent]\ntoolRounds = 50 # many\n",
        ),
        (
            "[knowledge]\n\nwhenUnknown = 'refused'\n", 3, "settings/value",
            "`knowledge.whenUnknown` must be one of refuse, code, not 'refused'; it is not used.",
            '[knowledge]\n\nwhenUnknown = "refuse"\n',
        ),
        (
            "[check]\nexclude = 'vendor/**'\n", 2, "settings/value",
            "`check.exclude` must be of type array of strings, not 'vendor/**'; it is not used.",
            '[check]\nexclude = ["vendor/**"]\n',
        ),
        (
            "[checks]\nonSave = true\n", 1, "settings/unknown",
            "`checks` is not a group of settings; did you mean `check`?",
            "[check]\nonSave = true\n",
        ),
        (
            "[agent]\nonSave = true\n", 2, "settings/unknown",
            "`agent.onSave` is not a setting; did you mean `check.onSave`?", None,
        ),
        (
            "[model]\nbaseUrl = 'https://evil.example'\n", 2, "settings/not-here",
            "`model.baseUrl` is ignored here: only your editor, your own `glossator.toml` or the "
            "environment may set it.",
            None,
        ),
        (
            "check = {onSave = 3}\n", 1, "settings/value",
            "`check.onSave` must be of type boolean, not 3; it is not used.", None,
        ),
    ],
)  # fmt: skip
def test_what_is_not_used_is_told_at_its_place_with_what_was_meant(
    text: str, line: int, code: str, message: str, repaired: str | None
) -> None:
    [finding] = lint(text).findings

    assert (finding.range.start.line, finding.code, finding.message) == (line, code, message)
    assert not finding.is_sure
    assert apply_edits(text, [finding.edits])[0] == (repaired or text)
    assert not lint(repaired or "").findings


def test_what_is_right_is_clean_and_a_user_may_set_the_model() -> None:
    text = "[model]\nname = 'm'\n[check]\nexclude = ['a/**']\n"

    assert lint(text, "user").outcome == "clean"


def test_what_is_no_toml_is_marked_where_reading_ended() -> None:
    [finding] = lint("[check]\nonSave = yes\n").findings

    assert (finding.code, finding.severity) == ("settings/syntax", "error")
    assert (finding.range.start.line, finding.range.start.column) == (2, 9)
    assert "nothing of the file is used" in finding.message


def test_every_message_is_chinese_for_a_chinese_reader() -> None:
    text = "[check]\nonsave = 1\nbaseline = 2\n[modle]\n[model]\nname = 'm'\n"

    findings = lint(text, say=CHINESE).findings

    assert len(findings) == 4
    assert all(contains_chinese(each.message) for each in findings)
    assert findings[0].title == "替换为 `onSave`"


@pytest.mark.parametrize(
    "text",
    [
        'check.disabledRules = ["lint/dead-linc"]\n',
        "[check]\ndisabledRules = [\n  # 'lint/dead-linc'\n  'lint/dead-linc', # x\n]\n",
        '[check]\ndisabledRules = ["lint/dead-link", "lint/dead-linc"]\n',
    ],
)
def test_an_id_that_no_rule_has_is_marked_and_the_nearest_put_in_its_place(text: str) -> None:
    [finding] = lint(text).findings

    assert finding.code == "settings/unknown-rule"
    assert finding.message.startswith(
        "There is no rule `lint/dead-linc`; did you mean `lint/dead-link`"
    )
    assert (finding.title, finding.is_sure) == ('Replace with `"lint/dead-link"`', False)
    lines = text.split("\n")
    place = finding.range
    assert lines[place.start.line - 1][place.start.column + 1 :].startswith("lint/dead-linc")
    assert not lint(apply_edits(text, [finding.edits])[0]).findings


@pytest.mark.parametrize(
    "written",
    [
        '"""\\\n  lint/dead-linc"""',
        "'''\nlint/dead-linc'''",
        '"lint\\u002Fdead-linc"',
    ],
)
def test_an_id_in_a_spelling_of_its_own_is_put_right_as_a_whole(written: str) -> None:
    text = f"check.disabledRules = [ # it's\n  '#', {written}, ''']\n\"\\q\"''' ]\n"

    told = next(each for each in lint(text).findings if "dead-linc" in each.message)

    [repaired] = apply_edits(text, [told.edits])[:1]
    assert repaired == text.replace(written, '"lint/dead-link"')


@pytest.mark.parametrize(
    "rule_id", ["lint/dead-link", "settings/value", "suppression-unused", "sec-eval"]
)
def test_what_exists_but_does_not_count_here_is_no_slip(rule_id: str) -> None:
    assert lint(f'check.disabledRules = ["{rule_id}"]\n').outcome == "clean"


def test_a_user_s_own_file_may_name_the_rules_of_any_workspace() -> None:
    assert lint('check.disabledRules = ["team-a"]\n', scope="user").outcome == "clean"


def test_a_code_of_the_settings_can_be_switched_off() -> None:
    assert lint("[check]\nonsave = true\n", disabled=("settings/unknown",)).outcome == "clean"
