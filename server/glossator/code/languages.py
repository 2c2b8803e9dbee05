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

# What editors call documents whose structure is not understood here; a model judges them, too.
_OTHERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "css": (".css",),
        "dart": (".dart",),
        "dockerfile": (".dockerfile", "dockerfile", "containerfile"),
        "elixir": (".ex", ".exs"),
        "graphql": (".graphql", ".gql"),
        "groovy": (".groovy", ".gradle"),
        "html": (".html", ".htm"),
        "json": (".json",),
        "jsonc": (".jsonc",),
        "kotlin": (".kt", ".kts"),
        "less": (".less",),
        "lua": (".lua",),
        "makefile": (".mk", "makefile", "gnumakefile"),
        "markdown": (".md", ".markdown"),
        "perl": (".pl", ".pm"),
        "powershell": (".ps1", ".psm1"),
        "r": (".r",),
        "scala": (".scala", ".sbt"),
        "scss": (".scss",),
        "shellscript": (".sh", ".bash", ".zsh"),
        "sql": (".sql",),
        "svelte": (".svelte",),
        "swift": (".swift",),
        "terraform": (".tf",),
        "toml": (".toml",),
        "vue": (".vue",),
        "xml": (".xml", ".svg", ".xsd", ".xsl"),
        "yaml": (".yaml", ".yml"),
        "zig": (".zig",),
    }
)
_OTHERS_BY_NAME = MappingProxyType(
    {each: name for name, files in _OTHERS.items() for each in files}
)
_SAYS_NOTHING = frozenset({"", "plaintext"})


def find_language(file_name: str, language_id: str | None = None) -> Language | None:
    """Return the language of a document, or None when its structure is not understood.

    The editor's `language_id` counts before the extension; one that says nothing ("plaintext",
    or a name not known here) leaves the decision to the extension.
    """
    if language_id:
        named = language_id.lower()
        if language := _BY_ID.get(_EDITOR_NAMES.get(named, named)):
            return language
    base, extension = _split_name(file_name)
    if by_name := _BY_FILE_NAME.get(base):
        return _BY_ID[by_name]
    return _BY_EXTENSION.get(extension)


def identify_language(file_name: str, language_id: str | None = None) -> str:
    """Return what a document's language is called, whether its structure is understood or not.

    That is our id, else the editor's, else what editors usually call such a file; or "".
    """
    language = find_language(file_name, language_id)
    if language is not None:
        return language.id
    if language_id is not None and language_id not in _SAYS_NOTHING:
        return language_id
    base, extension = _split_name(file_name)
    return _OTHERS_BY_NAME.get(base) or _OTHERS_BY_NAME.get(extension, "")


def _split_name(file_name: str) -> tuple[str, str]:
    """Return the last part of a path and its extension with the dot, both in lower case."""
    base = file_name.replace("\\", "/").rpartition("/")[2].lower()
    stem, dot, suffix = base.rpartition(".")
    return base, dot + suffix if stem or dot else ""
