import pytest

from glossator.code.languages import LANGUAGES, find_language, identify_language


@pytest.mark.parametrize(
    ("file_name", "language_id", "expected"),
    [
        ("a.py", None, "python"),
        ("src/View.TSX", None, "tsx"),
        ("lib\\a.hpp", None, "cpp"),
        ("a.d.ts", None, "typescript"),
        ("包/主程序.rb", None, "ruby"),
        ("Rakefile", None, "ruby"),
        ("untitled:Untitled-1", "typescriptreact", "tsx"),
        ("a.js", "javascriptreact", "javascript"),
        ("header.h", "cpp", "cpp"),
        ("header.h", None, "c"),
        ("a.py", "plaintext", "python"),
    ],
)
def test_the_editors_language_counts_before_the_extension(
    file_name: str, language_id: str | None, expected: str
) -> None:
    language = find_language(file_name, language_id)

    assert language is not None
    assert language.id == expected


@pytest.mark.parametrize("file_name", ["", "README", "notes.md", "py", ".gitignore", "a.py/b"])
def test_other_documents_have_no_known_structure(file_name: str) -> None:
    assert find_language(file_name) is None


def test_no_extension_belongs_to_two_languages() -> None:
    extensions = [extension for language in LANGUAGES for extension in language.extensions]

    assert len(extensions) == len(set(extensions))


@pytest.mark.parametrize(
    ("file_name", "language_id", "expected"),
    [
        ("a.py", "plaintext", "python"),
        ("db/迁移.SQL", None, "sql"),
        ("a.sql", "plaintext", "sql"),
        ("a.sql", "plsql", "plsql"),
        ("run.sh", None, "shellscript"),
        ("docker/Dockerfile", None, "dockerfile"),
        ("a.html", "", "html"),
        ("notes.odt", None, ""),
        ("README", None, ""),
    ],
)
def test_a_document_is_called_as_editors_call_it_where_its_structure_is_not_known(
    file_name: str, language_id: str | None, expected: str
) -> None:
    assert identify_language(file_name, language_id) == expected
