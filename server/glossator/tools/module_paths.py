"""Whether a file is the module that an import names.

Answered from paths alone: nothing is executed and no search path is configured. The end of a
file's path has to spell the module; relative imports name their file exactly.
"""

import re
from functools import lru_cache
from operator import attrgetter
from pathlib import PurePosixPath

_INDEX_STEMS = frozenset({"__init__", "index", "mod", "lib", "main"})
_RELATIVE = re.compile(r"\.{1,2}(?:/|$)")


EXACT = 2
NEAR = 1


def rate_module(module: str, path: PurePosixPath, site: PurePosixPath, language_id: str) -> int:
    """Say how well `path` fits the `module` that the file `site` imports.

    EXACT is the module's own file, NEAR a file in its folder, which may be re-exported; 0 is
    neither.
    """
    return _rate(module, path, _folder_of(site), language_id)


_folder_of = lru_cache(maxsize=32_768)(attrgetter("parent"))


# The same imports are held against the same files for every call: hundreds of times each.
@lru_cache(maxsize=262_144)
def _rate(module: str, path: PurePosixPath, folder: PurePosixPath, language_id: str) -> int:
    if language_id == "python":
        return _rate_python_module(module, path, folder)
    if language_id in {"javascript", "typescript", "tsx"}:
        return _rate_script_module(module, path, folder)
    if language_id == "go":
        parts = module.split("/")
        return EXACT * _ends_with(path.parent.parts, parts, shortest=_go_minimum(parts))
    if language_id == "rust":
        return _rate_rust_module(module, path, folder)
    if language_id in {"c", "cpp", "ruby"}:
        return EXACT * (path.stem == PurePosixPath(module).stem)
    # Java, C#, PHP: packages and namespaces follow the folders, mostly.
    parts = [part for part in re.split(r"[.\\]", module) if part]
    stem_parts = (*path.parent.parts, path.stem)
    shortest = min(len(parts), 2)
    if _ends_with(stem_parts, parts, shortest=shortest):
        return EXACT
    if language_id == "php" and parts and path.stem == parts[-1]:
        # Composer maps the first names of a namespace to any folder.
        return NEAR
    return NEAR * _ends_with(path.parent.parts, parts, shortest=shortest)


def _rate_python_module(module: str, path: PurePosixPath, folder: PurePosixPath) -> int:
    dots = len(module) - len(module.lstrip("."))
    parts = [part for part in module.lstrip(".").split(".") if part]
    if dots:
        base = folder
        for _ in range(dots - 1):
            base = base.parent
        return _rate_at(base.joinpath(*parts), path)
    return _rate_spelling(parts, path)


def _rate_script_module(module: str, path: PurePosixPath, folder: PurePosixPath) -> int:
    if _RELATIVE.match(module):
        target = _resolve(folder, module)
        bare = target.with_suffix("") if target.suffix else target
        # `./core/index.js` hands on what the files beside it export.
        beside = NEAR * (bare.name == "index" and path.is_relative_to(bare.parent))
        return max(_rate_at(target, path), _rate_at(bare, path), beside)
    # `@/x`, `~/x` and `src/x` name the workspace's own files, `@team/x` a package of it.
    parts = [part for part in module.split("/") if part not in {"@", "~", "."}]
    if module.startswith("@") and len(parts) > 1 and not module.startswith("@/"):
        parts = parts[1:]
    return _rate_spelling(parts, path)


def _rate_rust_module(module: str, path: PurePosixPath, folder: PurePosixPath) -> int:
    parts = [part for part in module.split("::") if part]
    names = [part for part in parts if part not in {"crate", "self", "super"}]
    if not names:
        return NEAR * (path.parent == folder or path.stem in _INDEX_STEMS)
    rating = _rate_spelling(names, path)
    if rating or parts[0] in {"crate", "self", "super"}:
        return rating
    # The first name may be a crate of the workspace, whose folder has it with a hyphen.
    folders = {name.replace("-", "_") for name in path.parts}
    if names[0] not in folders:
        return 0
    return _rate_spelling(names[1:], path) if len(names) > 1 else NEAR


def _go_minimum(parts: list[str]) -> int:
    """Return how much of a Go path must be spelled: all of it for the standard library."""
    return 1 if "." in parts[0] else len(parts)


def _rate_at(target: PurePosixPath, path: PurePosixPath) -> int:
    stem = path.name.partition(".")[0]
    if path.parent / stem == target or (path.parent == target and stem in _INDEX_STEMS):
        return EXACT
    return NEAR * path.is_relative_to(target)


def _rate_spelling(parts: list[str], path: PurePosixPath) -> int:
    if not parts:
        return 0
    n_parts = len(parts)
    stem = path.name.partition(".")[0]
    folders = path.parent.parts
    if _ends_with((*folders, stem), parts, shortest=n_parts):
        return EXACT
    if _ends_with(folders, parts, shortest=n_parts):
        return EXACT if stem in _INDEX_STEMS else NEAR
    return NEAR * _ends_with(folders[:-1], parts, shortest=n_parts)


def _ends_with(path_parts: tuple[str, ...], parts: list[str], *, shortest: int) -> bool:
    """Say whether a path ends with the last of `parts`, at least `shortest` of them."""
    for length in range(len(parts), max(shortest, 1) - 1, -1):
        if tuple(parts[-length:]) == path_parts[-length:]:
            return True
    return False


def _resolve(base: PurePosixPath, specifier: str) -> PurePosixPath:
    for part in specifier.split("/"):
        if part == "..":
            base = base.parent
        elif part not in {".", ""}:
            base = base / part
    return base
