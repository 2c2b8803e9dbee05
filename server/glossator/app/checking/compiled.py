"""Check a document against the conventions: clean, findings, or not checked and why."""

from pathlib import Path

from glossator.app.checking.report import CheckReport
from glossator.app.library import Library
from glossator.code.languages import find_language
from glossator.core.globs import matches_any
from glossator.core.settings import CheckSettings
from glossator.core.text import SourceText
from glossator.rules.matching import TooDeeplyNested


def check_source(
    source: SourceText, library: Library | None, settings: CheckSettings
) -> CheckReport:
    """Run the compiled checks of the rules that apply to `source`."""
    reason = _reason_not_to_check(source, library, settings)
    if reason or library is None:
        return _skip(source, reason)
    language = find_language(source.name, source.language_id)
    if language is None:
        return _skip(source, "no rule covers the language of this file")
    scope = scope_of(source)
    rules = library.rule_set.applies_to(scope, language.id)
    if not rules:
        return _skip(source, f"no rule with a check applies to {language.name} here")
    try:
        findings = library.rule_set.find(source.text, language.id, scope)
    except TooDeeplyNested as error:
        return _skip(source, str(error))
    return CheckReport(
        shown_path=source.name,
        path=source.path,
        version=source.version,
        outcome="findings" if findings else "clean",
        findings=findings,
        n_rules=len(rules),
    )


def scope_of(source: SourceText) -> str:
    """Return the path that rules' globs are matched with; a buffer without a file fits them all."""
    return source.scope if source.path is not None else ""


def not_checked(shown_path: str, path: Path | None, reason: str) -> CheckReport:
    """Report a document that could not be read."""
    return CheckReport(shown_path, path, None, "not-checked", reason=reason)


def _skip(source: SourceText, reason: str) -> CheckReport:
    return CheckReport(source.name, source.path, source.version, "not-checked", reason=reason)


def _reason_not_to_check(
    source: SourceText, library: Library | None, settings: CheckSettings
) -> str:
    if library is None:
        return "the rules are still being read"
    size_kb = len(source.text.encode("utf-8", "surrogatepass")) // 1024
    if size_kb > settings.max_file_kb:
        return f"the file has {size_kb} kB, more than `check.maxFileKb` ({settings.max_file_kb})"
    if matches_any(settings.exclude, source.scope):
        return "the file is excluded by `check.exclude`"
    return ""
