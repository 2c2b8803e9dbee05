from textwrap import dedent

import pytest

from glossator.rules.checks import InvalidCheck, parse_check


def read(text: str) -> object:
    return parse_check(dedent(text), default_message="the rule's text")


def test_a_full_check_is_read() -> None:
    check = parse_check(
        dedent(
            """\
            language: [ts, tsx]
            severity: error
            message: "no $A"
            files: "src/**"
            ignores: ["**/*.test.ts"]
            rule: {pattern: eval($A)}
            constraints: {A: {regex: x}}
            fix: |
              run($A)
            """
        ),
        default_message="",
        line=7,
    )

    assert check.languages == ("typescript", "tsx")
    assert (check.severity, check.message, check.fix, check.line) == (
        "error",
        "no $A",
        "run($A)",
        7,
    )
    assert (check.files, check.ignores) == (("src/**",), ("**/*.test.ts",))
    assert check.config.keys() == {"rule", "constraints"}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("language: python\nrule:\n  pattern: [\n", 3, "The YAML is broken"),
        ("language: python\nmessage: a: b\nrule: {kind: call}", 1, "The YAML is broken"),
        ("- a\n- b\n", 0, "A check is YAML of the form"),
        ("", 0, "A check is YAML of the form"),
        ("language: python\nmessage: x\n", 0, "has no `rule:`"),
        ("rule: {kind: call}\n", 0, "has no `language:`"),
        ("rule: {kind: call}\nlanguage: klingon\n", 1, "`klingon` is not a language"),
        ("language:\n  - python\n  - klingon\nrule: {kind: call}\n", 2, "`klingon`"),
        ("language: python\nseverty: error\nrule: {kind: call}\n", 1, "`severty` is not a key"),
        ("language: python\nrule: {kind: call}\nseverity: bad\n", 2, "`bad` is not a severity"),
        ("language: python\nrule: {kind: call}\nmessage: 3\n", 2, "`message` must be text"),
        ("language: python\nrule: {kind: call}\nfiles: [1]\n", 2, "must be a list of globs"),
        ("language: python\nrule:\n  any:\n    - kind: nope\n", 3, "Kind `nope` is invalid"),
        ("language: python\nrule:\n  kind: call\n  patterns: x\n", 3, "unknown field `patterns`"),
        ("language: python\nrule:\n  all:\n    - regex: '('\n", 3, "regex"),
        ("language: python\nrule:\n  pattern: ''\n", 2, "pattern"),
        ("language: python\nrule: 3\n", 1, "Mapping"),
        ("language: python\nrule:\n  matches: there\n", 2, "Rule `there` is not defined"),
        ("language: python\nrule:\n  kind: call\nconstraints:\n  B: {regex: x}\n", 4, "`B`"),
        ("language: [python, go]\nrule:\n  kind: raise_statement\n", 2, "for go"),
        ("language: python\nrule: &r\n  any: [*r]\n", 1, "Anchors and aliases"),
        ("language: python\nrule: {kind: \x07}\n", 0, "The YAML is broken"),
        ("language: python\nrule: " + "[" * 1_500, 0, "500 brackets"),
        ("x" * 30_000, 0, "20000 characters"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(InvalidCheck) as caught:
        read(text)

    assert message in caught.value.message
    assert caught.value.line == line
    assert "\n" not in caught.value.message
    assert "backtrace" not in caught.value.message


@pytest.mark.parametrize("written", ["unnecessary", "[unnecessary]"])
def test_a_check_says_how_editors_show_what_it_finds(written: str) -> None:
    text = f"language: python\ntags: {written}\nrule:\n  pattern: print($A)\n"

    assert parse_check(text, default_message="m").tags == ("unnecessary",)


def test_a_tag_that_no_editor_knows_is_refused_where_it_stands() -> None:
    text = "language: python\nrule:\n  pattern: print($A)\ntags:\n  - old\n"

    with pytest.raises(InvalidCheck, match="`old` is not a tag of a check") as raised:
        parse_check(text, default_message="m")

    assert raised.value.line == 4
