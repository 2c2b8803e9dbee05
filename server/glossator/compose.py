"""Build each object once and join the layers."""

import io
import os
import tomllib
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator.app.application import Application
from glossator.app.bundled import bundled_folder
from glossator.app.byte_cache import ByteCache
from glossator.app.checking.compiled import Checker
from glossator.app.models import choose_models
from glossator.app.own_folders import find_own_folder
from glossator.app.parts import SETTINGS_FILES, Parts
from glossator.app.results import Opening
from glossator.app.retrieval.members import Members
from glossator.app.shelves import build_shelves
from glossator.app.trust import TrustAnswers, decide_trust
from glossator.audit.log import AuditLog
from glossator.core.prices import parse_prices
from glossator.core.setting_layers import SettingProblem, apply_settings
from glossator.core.settings import Scope, Settings
from glossator.core.toml_entries import list_entries
from glossator.model.endpoints import Endpoint
from glossator.sessions.store import locate_store
from glossator.tools.seen_texts import SeenTexts
from glossator.tools.workspace import Workspace

if TYPE_CHECKING:  # What only some settings need is loaded where it is made.
    from glossator.telemetry.telemetry import Telemetry
    from glossator.tools.code_map import CodeMap
    from glossator.tools.editor.inquiry import Inquiry
    from glossator.tools.toolbox import Toolbox

SETTINGS_FILE = "glossator.toml"
_MAX_SETTINGS_BYTES = 32 * 1024


def open_application(opening: Opening) -> Application:
    """Build an application. Imports much: call it in a worker thread. Needs no event loop."""
    return Application(opening, build_parts)


def build_parts(opening: Opening) -> Parts:
    """Build the parts for the roots and settings of `opening`; reads settings files."""
    settings, problems = read_settings(opening)
    workspace = Workspace(opening.roots, opening.buffers)
    find_code_map = cache(partial(_make_code_map, workspace))
    if opening.is_asked:
        find_code_map()  # In this thread, so that no question waits for it.
    state_folder = find_own_folder("state")
    trust_file = state_folder / "trust.json"
    trust_answers = TrustAnswers(trust_file)
    answered = trust_answers.find(workspace.roots) if opening.answered is None else opening.answered
    trust = decide_trust(
        opening.trusted,
        answered,
        is_set=settings.workspace.trusted,
        heeds_answers=opening.heeds_answers,
    )
    dotenv, unread = (
        _read_dotenv(opening) if trust == "trusted" and opening.uses_dotenv else (None, ())
    )
    prices, unpriced = parse_prices(settings.audit.prices)
    models = choose_models(settings.model, opening, trust, dotenv, prices=prices)
    shelves = build_shelves(settings.knowledge, workspace, trust, bundled_folder())
    audit_folder = state_folder / "audit"
    secrets = (models.endpoint.api_key,) if models.endpoint is not None else ()
    telemetry, hindered = _make_telemetry(settings, models.endpoint, secrets)
    cache_folder = find_own_folder("cache")
    members, hindered_members = (
        _make_members(settings, cache_folder) if opening.is_asked else (Members(), ())
    )
    return Parts(
        settings=settings,
        problems=(
            *(problem.message for problem in problems),
            *unread,
            *models.notices,
            *shelves.left_out,
            *hindered,
            *hindered_members,
            *unpriced,
        ),
        workspace=workspace,
        find_code_map=find_code_map,
        checker=Checker(settings.check, workspace),
        shelves=shelves.shelves,
        watched_folders=shelves.watched_folders,
        model=models.model,
        model_status=models.status,
        make_toolbox=partial(_make_toolbox, workspace, settings, find_code_map=find_code_map),
        preload=models.preload,
        close_model=models.close,
        tools_model=models.tools_model,
        sessions_file=locate_store(state_folder / "sessions", opening.roots)
        if settings.sessions.keep
        else None,
        audit_folder=audit_folder,
        audit=AuditLog(audit_folder, keep_content=settings.audit.content, secrets=secrets)
        if settings.audit.enabled
        else None,
        telemetry=telemetry,
        team_files=shelves.team_files,
        trust=trust,
        trust_answers=trust_answers,
        members=members,
        endpoint=models.endpoint,
        cache_folder=cache_folder,
        settings_files={
            locate_own_settings(): "user",
            **{root / SETTINGS_FILE: "workspace" for root in workspace.roots},
        },
        editor=opening.editor if settings.agent.ask_editor else None,
        deciding_files=(
            locate_own_settings(),
            trust_file,
            *(root / name for root in workspace.roots for name in SETTINGS_FILES),
        ),
    )


def read_settings(opening: Opening) -> tuple[Settings, tuple[SettingProblem, ...]]:
    """Put the layers together: defaults, the user's file, each root's, the editor's settings.

    The user's file is how somebody without an editor sets what no workspace may. Of several roots
    the first one has the last word.
    """
    settings = Settings()
    problems: list[SettingProblem] = []
    files: list[tuple[Path, str, Scope]] = [
        (locate_own_settings(), f"your {SETTINGS_FILE}", "user"),
        *((root / SETTINGS_FILE, f"{root.name}/{SETTINGS_FILE}", "workspace")
          for root in reversed(opening.roots)),
    ]  # fmt: skip
    for path, source, scope in files:
        layer, lines, problem = _read_settings_file(path, source)
        if problem is not None:
            problems.append(problem)
        settings, found = apply_settings(settings, layer, source=source, scope=scope, lines=lines)
        problems.extend(found)
    settings, found = apply_settings(
        settings, opening.editor_settings, source="editor settings", scope="user"
    )
    return settings, (*problems, *found)


def locate_own_settings() -> Path:
    """Return where the user's own settings file would be."""
    return find_own_folder("config") / SETTINGS_FILE


def _read_settings_file(
    path: Path, source: str
) -> tuple[Mapping[str, Any], Mapping[str, int], SettingProblem | None]:
    """Return what a file sets, the line of each key, and why the file is not used."""
    # A pipe would never be read to its end.
    if not path.is_file():
        return {}, {}, None
    try:
        text = _read_short(path)
        layer = tomllib.loads(text)
    except OSError as error:
        return {}, {}, SettingProblem(source, f"`{source}` is not used: {error.strerror}.")
    # Not TOML, not UTF-8, or a number with thousands of digits.
    except (ValueError, RecursionError) as error:
        return {}, {}, SettingProblem(source, f"`{source}` is not used: {error}.")
    return layer, {entry.key: entry.key_range.start.line for entry in list_entries(text)}, None


def _read_short(path: Path) -> str:
    """Return the text of a file that people write by hand; a longer one is none of ours."""
    with path.open("rb") as file:
        data = file.read(_MAX_SETTINGS_BYTES + 1)
    if len(data) > _MAX_SETTINGS_BYTES:
        raise ValueError(f"it has more than {_MAX_SETTINGS_BYTES // 1024} kB")
    return data.decode("utf-8-sig")


def _read_dotenv(opening: Opening) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """Read the `.env` of the first root that has one; say why when it cannot be read."""
    for root in opening.roots:
        path = root / ".env"
        if not path.is_file():
            continue
        from dotenv import dotenv_values

        try:
            # Without interpolation: `$HOME` in a workspace's file must not read our environment.
            if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root)):
                return {}, (f"`{root.name}/.env` is not used: it leads out of the workspace.",)
            text = _read_short(path)
            values = dotenv_values(stream=io.StringIO(text), interpolate=False)
        except OSError as error:
            return {}, (f"`{root.name}/.env` is not used: {error.strerror}.",)
        except UnicodeDecodeError:
            return {}, (f"`{root.name}/.env` is not used: it is not UTF-8.",)
        except ValueError as error:
            return {}, (f"`{root.name}/.env` is not used: {error}.",)
        return {name: value for name, value in values.items() if value is not None}, ()
    return {}, ()


def _make_code_map(workspace: Workspace) -> "CodeMap":
    # Imported where somebody may ask about code: it loads all that reads code.
    from glossator.tools.code_map import CodeMap

    return CodeMap(workspace)


def _make_toolbox(
    workspace: Workspace,
    settings: Settings,
    seen: SeenTexts | None = None,
    *,
    find_code_map: Callable[[], "CodeMap"],
    inquiry: "Inquiry | None" = None,
) -> "Toolbox":
    # Imported when a model is used: the tools' schemas need pydantic, which takes a while.
    from glossator.tools.chaining import make_chaining_tools
    from glossator.tools.coverage import make_coverage_tools
    from glossator.tools.diffing import make_diffing_tools
    from glossator.tools.editor.asking import make_editor_tools
    from glossator.tools.outlining import make_outlining_tools
    from glossator.tools.reading import make_reading_tools
    from glossator.tools.searching import make_searching_tools
    from glossator.tools.signatures import make_signature_tools
    from glossator.tools.toolbox import make_toolbox

    workspace, code_map = workspace.noting(seen), find_code_map()
    return make_toolbox(
        [
            *make_reading_tools(workspace),
            *make_searching_tools(workspace, settings.agent.search_hits),
            *make_outlining_tools(workspace, code_map),
            *make_signature_tools(workspace, code_map),
            *make_chaining_tools(workspace, code_map),
            *make_diffing_tools(workspace),
            *make_coverage_tools(workspace, code_map),
            *(make_editor_tools(workspace, inquiry) if inquiry is not None else ()),
        ]
    )


def _make_members(settings: Settings, cache_folder: Path) -> tuple[Members, tuple[str, ...]]:
    """Return who finds knowledge beside words, and what people should know about it."""
    from glossator.app.retrieval.meaning import Meaning
    from glossator.semantic.choosing import choose_encoder

    encoder, problem = choose_encoder(settings.semantic)
    cache = ByteCache(cache_folder / "vectors.sqlite3")
    meaning = Meaning(encoder, cache) if encoder is not None else None
    problems = [problem] if problem else []
    desk = None
    if settings.shared.url:
        from glossator.shared.connecting import SharedUnavailable, read_address
        from glossator.shared.desk import SharedDesk

        try:
            desk = SharedDesk(read_address(settings.shared.url), settings.shared.collection)
        except SharedUnavailable as error:
            problems.append(str(error))
    is_chosen = settings.semantic.source != "auto"
    return Members(meaning, desk, expects_meaning=is_chosen), tuple(problems)


def _make_telemetry(
    settings: Settings, endpoint: Endpoint | None, secrets: tuple[str, ...]
) -> "tuple[Telemetry | None, tuple[str, ...]]":
    """Return what sends spans if that is wanted, or why it cannot be done."""
    wanted = settings.telemetry
    if not wanted.endpoint:
        return None, ()
    from glossator.telemetry.collector import find_problem
    from glossator.telemetry.subject import Subject
    from glossator.telemetry.telemetry import Telemetry

    problem = find_problem(wanted.endpoint)
    if problem:
        return None, (problem,)
    model, server = (endpoint.model, endpoint.base_url) if endpoint is not None else ("", "")
    return Telemetry(wanted.endpoint, Subject(model, server, wanted.content, secrets)), ()
