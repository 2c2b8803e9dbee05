"""Every text that is made in English where no reader's language is known has its Chinese."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import glossator
from glossator.app.translations.translating import GAP, TEXTS, to_chinese
from glossator.model.endpoints import Endpoint
from glossator.model.failures import classify_response

PACKAGE = Path(glossator.__file__).parent
# All sentences in these are read by people.
READERS = (
    "knowledge/documents.py", "knowledge/front_matter.py", "knowledge/headers.py",
    "skills/specification.py", "app/skills/files.py", "app/library/listing.py",
    "app/library/keeping.py", "instructions/reading.py", "app/instructions/files.py",
    "app/instructions/folders.py", "app/instructions/imports.py", "model/endpoints.py",
    "semantic/choosing.py", "rules/attributes.py", "rules/parse.py", "rules/checks.py",
    "rules/examples.py", "app/rules/compiling.py",
)  # fmt: skip
# Of these only what is raised: the rest is told in both languages where it is made.
RAISERS = (
    "cli.py", "subcommands", "lsp/commands.py", "lsp/handlers", "app/application.py",
    "app/call_chain.py", "app/sessions.py", "app/retrieval/sharing.py", "app/figures", "app/replay",
    "app/analysis", "app/rules", "tools/path_text.py", "tools/workspace.py", "tools/opening.py",
    "tools/git", "tools/differences.py", "tools/changes.py", "app/checking", "semantic", "shared",
)  # fmt: skip
TOLD = frozenset({
    "InvalidArguments", "OutsideWorkspace", "ProtectedFile", "UnreadableFile", "UnknownSession",
    "UnreadableRepository", "MissingObject", "EncoderUnavailable", "SharedUnavailable",
})  # fmt: skip
# Their arguments are no text for people, or are both forms of one.
NOT_TOLD = frozenset({"compile", "say", "debug", "info", "warning", "error", "exception"})
MIN_WORDS = 4


@pytest.mark.parametrize("name", READERS)
def test_what_a_reader_says_has_its_chinese(name: str) -> None:
    tree = ast.parse((PACKAGE / name).read_text(encoding="utf-8"))

    assert [text for text in find_sentences(tree) if not is_told(text)] == []


@pytest.mark.parametrize("name", RAISERS)
def test_what_is_raised_has_its_chinese(name: str) -> None:
    place = PACKAGE / name
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]

    raised = [text for tree in trees for text in find_raised(tree)]

    assert [text for text in raised if not is_told(text)] == []


def test_a_chinese_text_names_only_what_is_put_into_the_english_one() -> None:
    odd = [
        english
        for english, chinese in TEXTS.items()
        if not {int(n) for n in re.findall(r"\{(\d)\}", chinese)} <= set(range(english.count(GAP)))
    ]

    assert odd == []


def is_told(form: str) -> bool:
    """Say whether a text of a form comes out in Chinese, whatever is put in."""
    # Names are put in with backticks around them.
    texts = [form.replace(GAP, filling) for filling in ("0", "`0`")]
    return any(to_chinese(text) != text for text in texts)


def find_sentences(tree: ast.AST) -> Iterator[str]:
    """Yield the forms of all texts of some words that are neither documentation nor for a log."""
    if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Constant):
        return
    if isinstance(tree, ast.Call) and _name_of(tree.func) in NOT_TOLD:
        return
    text = read_form(tree) if isinstance(tree, ast.expr) else None
    if text is None:
        for child in ast.iter_child_nodes(tree):
            yield from find_sentences(child)
    elif len(re.findall(r"[A-Za-z]+", text)) >= MIN_WORDS and re.search(r"[a-z`}] [a-z`{]", text):
        yield text


def find_raised(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name_of(node.func) in TOLD and node.args:
            text = read_form(node.args[0])
            if text is not None:
                yield text


def read_form(node: ast.expr) -> str | None:
    """Return a text with gaps for what is put in, or None where it is no literal text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else GAP for part in node.values
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = read_form(node.left), read_form(node.right)
        return None if left is None or right is None else left + right
    return None


def _name_of(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


@pytest.mark.parametrize("is_shown", [False, True])
@pytest.mark.parametrize(
    ("status", "body"),
    [
        (301, ""),
        (401, '{"error": {"message": "Bad key."}}'),
        (402, '{"error": {"message": "Insufficient balance"}}'),
        (403, "<html>no</html>"),
        (404, '{"error": {"message": "The model `m` does not exist", "code": "model_not_found"}}'),
        (404, "not found"),
        (407, ""),
        (413, ""),
        (418, '{"error": {"message": "A teapot. Short and stout. (“really”)"}}'),
        (429, '{"error": {"message": "Rate limit reached"}}'),
        (500, '{"error": {"message": "Oh no. Try later."}}'),
        (503, ""),
    ],
)
def test_what_became_of_a_request_is_told_in_chinese_as_a_whole(
    status: int, body: str, is_shown: bool
) -> None:
    endpoint = Endpoint("https://api.example.com/v1", "key-of-mine", "m", "environment")
    failure = classify_response(endpoint, status, body)
    quote = re.search("“.*”", failure.cause)

    told = to_chinese(str(failure.to_error(shown=is_shown)))

    ours = told.replace(quote[0], "") if quote else told
    assert not re.search(r"[a-z]+ [a-z]+", re.sub("`[^`]*`", "", ours))
    assert quote is None or quote[0] in told
    assert f"HTTP {status}" in told or status == 301
