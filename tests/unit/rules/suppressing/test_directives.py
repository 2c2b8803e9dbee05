import pytest

from glossator.core.text import SourceText
from glossator.rules.finding import hash_code
from glossator.rules.fixes import apply_edits
from glossator.rules.suppressing.comments import find_comments, render_comments
from glossator.rules.suppressing.directives import find_directives, write_directive
from glossator.rules.suppressing.stripping import strip_directives
from unit.rules.suppressing.findings import EVAL, EXEC, change, divide, find, judge

BEHIND = "eval(x)  # glossator: ignore[no-eval] trusted input\n"
ABOVE = "# glossator: ignore[no-eval] trusted input\neval(x)\n"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", BEHIND),
        ("python", ABOVE),
        ("python", "# glossator: ignore[no-eval] one\n# and why\n# at length\neval(x)\n"),
        ("python", "# glossator:ignore [no-eval]\r\neval(x)\r\n"),
        ("python", "eval(  # glossator: ignore[no-eval]\n    x,\n)\n"),
        ("python", "eval(\n    x,\n)  # glossator: ignore[no-eval]\n"),
        ("python", "eval(x)  # noqa: S307  # glossator: ignore[no-eval] trusted\n"),
        ("python", "# Glossator: ignore[no-eval] trusted\neval(x)\n"),
        ("python", "# glossator：ignore［no-exec，no-eval］ 输入可信\neval(x)\n"),
        ("python", "y = 1\n\n\n# glossator: ignore-file[no-eval] a sandbox\neval(x)\neval(y)\n"),
        ("javascript", "// glossator: ignore[no-eval] why\neval(x);\n"),
        ("javascript", "eval(x); /* glossator: ignore[no-eval] why */\n"),
        ("javascript", "/* glossator: ignore[no-eval] why */ eval(x);\n"),
        ("javascript", "/*\n * glossator: ignore[no-eval]\n */\neval(x);\n"),
        ("typescript", "// glossator: ignore[no-eval]\nconst a: number = eval(x);\n"),
        ("tsx", "const a = <p>\n{/* glossator: ignore[no-eval] why */}\n{eval(x)}</p>;\n"),
        ("go", "package a\nfunc f() {\n\t//glossator:ignore[no-eval] why\n\teval(x)\n}\n"),
        ("java", "class A { void f() {\n// glossator: ignore[no-eval]\neval(x); } }\n"),
        ("rust", "fn f() {\n    // glossator: ignore[no-eval] why\n    eval(x);\n}\n"),
        ("csharp", "class A { void f() {\neval(x); // glossator: ignore[no-eval]\n} }\n"),
        ("ruby", "# glossator: ignore[no-eval] why\neval(x)\n"),
    ],
)
def test_a_comment_dismisses_the_finding_on_its_line_or_below(language: str, text: str) -> None:
    divided = divide(text, language=language)

    assert divided.kept == ()
    assert {each.finding.rule.id for each in divided.suppressed} == {"no-eval"}
    assert divided.unused == ()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", 'y = "# glossator: ignore[no-eval]"; eval(x)\n'),
        ("python", 'y = """\n# glossator: ignore[no-eval]\n"""; eval(x)\n'),
        ("python", "# Write `glossator: ignore[no-eval]` to leave it out.\neval(x)\n"),
        ("python", "# glossator: ignore[no-eval] why\n\neval(x)\n"),
        ("python", "# glossator: ignore[no-exec] why\neval(x)\n"),
        ("python", "# glossator: ignore everything\neval(x)\n"),
        ("javascript", "f(`// glossator: ignore[no-eval]`, eval(x));\n"),
        ("tsx", "const a = <p>\n// glossator: ignore[no-eval]\n{eval(x)}</p>;\n"),
    ],
)
def test_what_is_no_comment_about_the_finding_dismisses_nothing(language: str, text: str) -> None:
    assert len(divide(text, language=language).kept) == 1


def test_a_finding_in_a_comment_is_dismissed_by_a_comment_above_it() -> None:
    text = "# glossator: ignore[no-eval] why\n# eval(x) is bad\ny = 1\n"

    assert divide(text, "# eval(x) is bad").kept == ()
    assert (
        divide(text.replace("why\n", "why\n# glossator: ignore[no-exec]\n"), "# eval(x)").kept == ()
    )


def test_the_reason_that_was_given_is_kept() -> None:
    (one,) = divide(
        "// glossator: ignore[no-eval]: 输入可信 */\neval(x)\n", language="java"
    ).kept or (divide(BEHIND).suppressed)

    assert getattr(one, "reason", "") == "trusted input"


def test_each_of_several_rules_is_dismissed_and_the_one_without_a_finding_is_told() -> None:
    text = "eval(exec(x))  # glossator: ignore[no-eval, no-exec, no-import] why\n"

    divided = divide(text, rules=(EVAL, EXEC), known={"no-eval", "no-exec"})

    assert divided.kept == ()
    (unused,) = divided.unused
    assert (unused.rule_ids, unused.cause) == (("no-import",), "unknown-rule")


def write(text: str, language: str = "python", quote: str = "") -> tuple[str, str]:
    """Return the comment that dismisses the finding of a text, and the text below it."""
    source = SourceText("a", text)
    finding = judge(source, quote) if quote else find(source, language)[0]
    return write_directive(finding, source, language, "line", "why")[0], text


def test_a_written_comment_holds_when_code_moves_or_is_indented_anew() -> None:
    comment, _ = write("y = eval( x )\n")

    moved = divide(f"if a:\n\n    {comment}\n    z = eval(  x )\n")

    assert "why (hash " in comment
    assert (moved.kept, moved.unused) == ((), ())


def test_a_written_comment_lapses_when_the_code_is_another() -> None:
    comment, _ = write("eval(x)\n")

    divided = divide(f"{comment}\neval(y)\n")

    assert len(divided.kept) == 1
    assert divided.unused[0].has_lapsed


def test_a_written_comment_lapses_when_the_rule_is_another() -> None:
    comment, text = write("eval(x)\n")

    divided = divide(f"{comment}\n{text}", rules=(change(EVAL),))

    assert len(divided.kept) == 1
    assert divided.unused[0].has_lapsed


def test_two_findings_of_a_line_are_dismissed_by_two_comments() -> None:
    text = "f(eval(x), eval(y))\n"
    source = SourceText("a", text)
    comments = [write_directive(each, source, "python", "line")[0] for each in find(source)]

    assert len(divide(f"{comments[0]}\n{text}").kept) == 1
    assert divide("\n".join([*comments, text])).kept == ()


def test_what_a_model_judged_stays_dismissed_when_it_quotes_more_or_less() -> None:
    code = "def f():\n    a = 1\n    b = 2\n    return a + b\n"
    comment, _ = write(code, quote="a = 1\n    b = 2")
    text = code.replace("    a", f"    {comment}\n    a", 1)

    assert comment.endswith(", 2 lines)")
    for quote in ("a = 1", "b = 2", "a = 1\n    b = 2\n    return a + b"):
        assert divide(text, quote).kept == ()
    assert len(divide(text, "return a + b").kept) == 1
    assert len(divide(text.replace("b = 2", "b = 3"), "a = 1").kept) == 1


def test_what_is_about_a_file_lapses_with_the_rule_and_not_with_the_code() -> None:
    source = SourceText("a.py", "eval(x)\n")
    (comment,) = write_directive(find(source)[0], source, "python", "file", "a sandbox")

    assert divide(f"{comment}\neval(z)\n").kept == ()
    assert len(divide(f"{comment}\neval(z)\n", rules=(change(EVAL),)).kept) == 1


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("# glossator: ignore[no-eval] why\nrun(x)\n", "nothing-found"),
        ("# glossator: ignore why\nrun(x)\n", "no-rule-named"),
        ("# glossator: ignore-file[no-eval] why\nrun(x)\n", "nothing-found"),
    ],
)
def test_a_comment_that_dismisses_nothing_is_told(text: str, cause: str) -> None:
    assert [each.cause for each in divide(text).unused] == [cause]


def test_nothing_is_said_of_rules_that_were_not_checked() -> None:
    text = "# glossator: ignore[no-eval] why\nrun(x)\n"

    assert divide(text, checked=()).unused == ()
    assert divide(text, checked=(), known={"no-eval"}).unused == ()


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [
        ("python", "a = 1\n    # glossator: ignore[no-eval] why\nb = 2\n", "a = 1\nb = 2\n"),
        ("python", "a = 1  # glossator: ignore[no-eval] why\nb\n", "a = 1\nb\n"),
        ("python", "a = 1\r\n# glossator: ignore[no-eval]\r\nb\r\n", "a = 1\r\nb\r\n"),
        ("python", "a  # noqa # glossator: ignore[no-eval] why\n", "a  # noqa \n"),
        ("java", "/* glossator: ignore[no-eval] */ int a;\n", "int a;\n"),
        ("tsx", "a = <p>\n{/* glossator: ignore[no-eval] */}\n</p>\n", "a = <p>\n</p>\n"),
    ],
)  # fmt: skip
def test_a_useless_comment_is_removed_and_nothing_else(language: str, text: str, left: str) -> None:
    (directive,) = find_directives(SourceText("a", text), language)

    assert apply_edits(text, [(directive.removal, "")]) == left


@pytest.mark.parametrize("quote", ["'a -- glossator'", "$$ -- glossator $$", '"--glossator"'])
def test_sql_has_comments_though_it_has_no_tree(quote: str) -> None:
    comments = find_comments(f"select {quote}; -- yes\n/* and\nthis */", "sql")

    assert [each.text for each in comments] == ["-- yes", "/* and\nthis */"]


@pytest.mark.parametrize(
    "language",
    ["python", "javascript", "typescript", "tsx", "go", "java", "rust", "c", "cpp", "csharp",
     "ruby", "php", "html", "css", "bash", "lua", "yaml", "kotlin", "swift", "scala", "sql", "toml",
     "dockerfile", "makefile", "scss", "less", "dart", "xml", "markdown", "vue", "shellscript"],
)  # fmt: skip
def test_what_is_written_is_read_as_a_comment_of_the_language(language: str) -> None:
    for comment in render_comments("glossator: ignore[a] 理由", language):
        is_jsx = comment.startswith("{")
        text = f"const a = <p>\n{comment}\n</p>;\n" if is_jsx else f"{comment}\n"
        (directive,) = find_directives(SourceText("a", text), language)
        assert (directive.rule_ids, directive.reason) == (("a",), "理由")


@pytest.mark.parametrize("name", ["glossator", "Glossator", "GLOSSATOR"])
def test_a_dismissal_inside_of_code_changes_nothing_of_what_the_code_is_known_by(name: str) -> None:
    code = "def f():\n    eval(x)\n"
    commented = f"def f():\n    # {name}: ignore[no-eval] why (hash 0a1b2c3d)\n    eval(x)\n"

    assert strip_directives(commented) == code
    assert hash_code(commented) == hash_code(code)
