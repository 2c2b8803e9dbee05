"""Write the map of a package as Markdown, and its files as outlines; every fact has its place."""

from collections import Counter
from collections.abc import Iterable, Sequence

from glossator.app.analysis.package_map import ImportLink, PackageFile, PackageMap, is_test
from glossator.app.briefing_text import first_of, render_finding, render_section
from glossator.app.phrasing import Phrasing, count
from glossator.core.locations import Span
from glossator.core.text import shorten
from glossator.core.tokens import estimate_tokens
from glossator.tools.escaping import escape_invisible
from glossator.tools.lookup import Named, render_definition, sort_definitions

_SHOWN_FILES = 60
_SHOWN_DEFINITIONS = 12
_SHOWN_LINKS = 40
_SHOWN_FINDINGS = 12
_OUTLINED = 120
# So many definitions of each file are listed, fewer where more would not fit.
_OUTLINED_LESS = (_OUTLINED, 40, 12, 4, 0)
_SHOWN_CHARACTERS = 160
_SHOWN_README_LINES = 30


def render_map(package: PackageMap, say: Phrasing) -> str:
    """Write the whole map as Markdown: it is the answer when there is no model."""
    parts = [
        _render_head(package, say),
        _render_files(package, say),
        render_section(say("Who imports whom", "导入关系"), _link_lines(package.links, say)),
        render_section(
            say("Used from elsewhere", "被哪些地方使用"),
            _link_lines([link for link in package.users if not is_test(link)], say),
        ),
        render_section(say("Entry points", "入口"), _entry_lines(package)),
        render_section(
            say("Tests that import it", "导入它的测试"),
            _link_lines([link for link in package.users if is_test(link)], say),
        ),
        _render_conventions(package, say),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def render_outline(file: PackageFile, n_definitions: int = _OUTLINED) -> str:
    """Write what a file defines, for a model: lines, heads, and what their documentation says."""
    named = sort_definitions(file.outline)
    whole = Span(file.path, 1, max(len(file.source.lines), 1))
    lines = [escape_invisible(str(whole))]
    for item in named[:n_definitions]:
        line = render_definition(item, _SHOWN_CHARACTERS)
        lines.append(escape_invisible(f"{line}{_tell(item)}"))
    if len(named) > n_definitions:
        lines.append(f"({len(named) - n_definitions} more definitions; see the file's outline.)")
    return "\n".join(lines)


def fit_outlines(files: Sequence[PackageFile], budget_tokens: int) -> str:
    """Write the outlines of files as fully as the budget allows, and say what is left out."""
    for n_definitions in _OUTLINED_LESS:
        texts = [render_outline(file, n_definitions) for file in files]
        if sum(map(estimate_tokens, texts)) <= budget_tokens:
            return "\n\n".join(texts)
    kept: list[str] = []
    for text in texts:
        budget_tokens -= estimate_tokens(text)
        if budget_tokens < 0:
            break
        kept.append(text)
    n_more = count(len(texts) - len(kept), "more file")
    return "\n\n".join([*kept, f"({n_more} not listed; list the folder for them.)"])


def quote_readme(package: PackageMap) -> tuple[str, str] | None:
    """Return where the README stands and how it begins, with numbered lines."""
    readme = package.readme
    if readme is None:
        return None
    lines = readme.lines[:_SHOWN_README_LINES]
    text = "\n".join(f"{number:>5}| {line}" for number, line in enumerate(lines, 1))
    return str(Span(readme.name, 1, max(len(lines), 1))), escape_invisible(text)


def _render_head(package: PackageMap, say: Phrasing) -> str:
    languages = Counter(file.outline.language.name for file in package.files)
    n_lines = sum(len(file.source.lines) for file in package.files)
    n_functions = sum(len(file.outline.functions) for file in package.files)
    n_types = sum(len(file.outline.types) for file in package.files)
    names = say.join(f"{name}{say.enclose(str(n))}" for name, n in languages.most_common())
    facts = say(
        f"{count(len(package.files), 'file')}, {count(n_lines, 'line')}, "
        f"{count(n_functions, 'function')}, {count(n_types, 'type')}: {names}",
        f"{len(package.files)} 个文件，{n_lines} 行，{n_functions} 个函数，{n_types} 个类型："
        f"{names}",
    )
    lines = [f"## `{package.path}`", facts]
    if package.n_files_left_out:
        n = package.n_files_left_out
        lines.append(
            say(
                f"*{n} further files were not looked at. Name a folder inside for those.*",
                f"*另有 {n} 个文件没有查看。请指定其中的子文件夹。*",
            )
        )
    if package.n_files_unseen:
        n = package.n_files_unseen
        lines.append(
            say(
                f"*{n} files elsewhere were not looked into for users: time was up.*",
                f"*其他位置有 {n} 个文件因时间限制没有检查是否使用它。*",
            )
        )
    return "\n\n".join(lines)


def _render_files(package: PackageMap, say: Phrasing) -> str:
    lines = [
        f"- {Span(file.path, 1, n_lines)}{_describe_file(file, say)}"
        if (n_lines := len(file.source.lines))
        else f"- `{file.path}`{say.enclose(say('empty', '空文件'))}"
        for file in package.files
    ]
    title = say("Files and what they define", "文件及其定义")
    return render_section(title, first_of(lines, _SHOWN_FILES, say))


def _describe_file(file: PackageFile, say: Phrasing) -> str:
    """Name what stands at the top level of a file, with lines."""
    top = [item for item in sort_definitions(file.outline) if "." not in item.qualified_name]
    names = [f"`{item.name}` (:{item.name_range.start.line})" for item in top]
    if not names:
        return ""
    shown = ", ".join(names[:_SHOWN_DEFINITIONS])
    n_more = len(names) - _SHOWN_DEFINITIONS
    more = say(f" and {n_more} more", f" 等另外 {n_more} 个") if n_more > 0 else ""
    return f": {shown}{more}"


def _link_lines(links: Iterable[ImportLink], say: Phrasing) -> list[str]:
    """Write one line for each importer, with the line of its first import."""
    imported: dict[str, list[ImportLink]] = {}
    for link in links:
        imported.setdefault(link.importer, []).append(link)
    lines = []
    for importer, group in imported.items():
        names = ", ".join(link.imported for link in group[:_SHOWN_DEFINITIONS])
        n_more = len(group) - _SHOWN_DEFINITIONS
        more = say(f" and {n_more} more", f" 等另外 {n_more} 个") if n_more > 0 else ""
        lines.append(f"- {importer}:{min(link.line for link in group)} → {names}{more}")
    return first_of(lines, _SHOWN_LINKS, say) or [say("- none found", "- 没有找到")]


def _entry_lines(package: PackageMap) -> list[str]:
    return [f"- {point.path}:{point.line}" for point in package.entry_points]


def _render_conventions(package: PackageMap, say: Phrasing) -> str:
    if not package.rules:
        return ""
    lines = [
        render_finding(finding, file.source, say)
        for file in package.files
        for finding in file.report.findings
    ]
    n_findings, n_rules = len(lines), len(package.rules)
    lines = first_of(lines, _SHOWN_FINDINGS, say)
    lines.append(
        say(
            f"- {count(n_rules, 'rule')} checked here, {count(n_findings, 'finding')}",
            f"- 此处共检查 {n_rules} 条规则，发现 {n_findings} 处问题",
        )
    )
    return render_section(say("Conventions that apply", "适用的约定"), lines)


def _tell(item: Named) -> str:
    """Return the first line of a definition's documentation, as a remark."""
    first = item.documentation.strip().partition("\n")[0]
    return f"  # {shorten(first, _SHOWN_CHARACTERS)}" if first else ""
