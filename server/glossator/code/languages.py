"""Which language a document is written in, and the languages whose structure is understood."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Language:
    """A language whose structure is understood. `extensions` are lower case, with their dot."""

    id: str
    name: str
    extensions: tuple[str, ...]


LANGUAGES: tuple[Language, ...] = (
    Language("python", "Python", (".py", ".pyi", ".pyw")),
    Language("javascript", "JavaScript", (".js", ".jsx", ".mjs", ".cjs")),
    Language("typescript", "TypeScript", (".ts", ".mts", ".cts")),
    Language("tsx", "TSX", (".tsx",)),
    Language("go", "Go", (".go",)),
    Language("java", "Java", (".java",)),
    Language("rust", "Rust", (".rs",)),
    Language("c", "C", (".c", ".h")),
    Language(
        "cpp",
        "C++",
        (".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl", ".tpp"),
    ),
    Language("csharp", "C#", (".cs", ".csx")),
    Language("ruby", "Ruby", (".rb", ".rake", ".gemspec", ".ru")),
    Language("php", "PHP", (".php", ".phtml", ".inc")),
)

# Names that editors give to languages and that differ from ours.
_EDITOR_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "javascriptreact": "javascript",
        "typescriptreact": "tsx",
        "javascript.jsx": "javascript",
        "typescript.tsx": "tsx",
        "js": "javascript",
        "jsx": "javascript",
        "ts": "typescript",
        "python3": "python",
        "golang": "go",
        "c++": "cpp",
        "cuda-cpp": "cpp",
        "objective-cpp": "cpp",
        "cs": "csharp",
        "c#": "csharp",
        "c_sharp": "csharp",
    }
)
_BY_ID = MappingProxyType({language.id: language for language in LANGUAGES})
_BY_EXTENSION = MappingProxyType(
    {extension: language for language in LANGUAGES for extension in language.extensions}
)
_BY_FILE_NAME = MappingProxyType({"rakefile": "ruby", "gemfile": "ruby"})


def find_language(file_name: str, language_id: str | None = None) -> Language | None:
    """Return the language of a document, or None when its structure is not understood.

    The editor's `language_id` counts before the extension; one that says nothing ("plaintext",
    or a name not known here) leaves the decision to the extension.
    """
    if language_id:
        named = language_id.lower()
        if language := _BY_ID.get(_EDITOR_NAMES.get(named, named)):
            return language
    base = file_name.replace("\\", "/").rpartition("/")[2].lower()
    if by_name := _BY_FILE_NAME.get(base):
        return _BY_ID[by_name]
    stem, dot, suffix = base.rpartition(".")
    return _BY_EXTENSION.get(dot + suffix) if stem or dot else None
