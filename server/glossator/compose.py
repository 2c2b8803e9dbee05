"""Build each object once and join the layers."""

import io
import os
import tomllib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import platformdirs
from dotenv import dotenv_values

from glossator.app.application import Application
from glossator.app.bundled import bundled_folder
from glossator.app.byte_cache import ByteCache
from glossator.app.checking.compiled import Checker
from glossator.app.parts import Parts
from glossator.app.results import ModelStatus, Opening
from glossator.app.retrieval.meaning import Meaning
from glossator.app.retrieval.members import Members
from glossator.app.shelves import build_shelves
from glossator.app.trust import TrustAnswers, decide_trust
from glossator.audit.log import AuditLog
from glossator.audit.prices import parse_prices
from glossator.core.settings import SettingProblem, Settings, apply_settings
from glossator.model.endpoints import Endpoint, NoEndpoint, choose_endpoint
from glossator.model.openai_chat import OpenAIChat
from glossator.semantic.choosing import choose_encoder
from glossator.sessions.store import locate_store
from glossator.shared.connecting import SharedUnavailable, read_address
from glossator.shared.desk import SharedDesk
from glossator.telemetry.collector import find_problem
from glossator.telemetry.subject import Subject
from glossator.telemetry.telemetry import Telemetry
from glossator.tools.code_map import CodeMap
from glossator.tools.seen_texts import SeenTexts
from glossator.tools.workspace import Workspace

if TYPE_CHECKING:  # It loads pydantic, which only a model needs.
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
    code_map = CodeMap(workspace)
    state_folder = _find_own_folder("state")
    trust_answers = TrustAnswers(state_folder / "trust.json")
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
    endpoint, notices = choose_endpoint(settings.model, opening.environ, dotenv)
    model, tools_model = _make_models(endpoint, settings)
    shelves = build_shelves(settings.knowledge, workspace, trust, bundled_folder())
    audit_folder = state_folder / "audit"
    secrets = (endpoint.api_key,) if isinstance(endpoint, Endpoint) else ()
    telemetry, hindered = _make_telemetry(settings, endpoint, secrets)
    _, unpriced = parse_prices(settings.audit.prices)
    cache_folder = _find_own_folder("cache")
    members, hindered_members = _make_members(settings, cache_folder)
    return Parts(
        settings=settings,
        problems=(
            *(problem.message for problem in problems),
            *unread,
            *notices,
            *shelves.left_out,
            *hindered,
            *hindered_members,
            *unpriced,
        ),
        workspace=workspace,
        code_map=code_map,
        checker=Checker(settings.check, workspace),
        shelves=shelves.shelves,
        watched_folders=shelves.watched_folders,
        model=model,
        model_status=_model_status(endpoint),
        make_toolbox=partial(_make_toolbox, workspace, code_map, settings),
        preload=_preload_model,
        close_model=partial(_close_model, model),
        tools_model=tools_model,
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
        cache_folder=cache_folder,
    )


def read_settings(opening: Opening) -> tuple[Settings, tuple[SettingProblem, ...]]:
    """Put the layers together: defaults, the user's file, each root's, the editor's settings.

    The user's file is how somebody without an editor sets what no workspace may.
    """
    settings = Settings()
    problems: list[SettingProblem] = []
    layer, problem = _read_settings_file(locate_own_settings())
    if problem is not None:
        problems.append(problem)
    settings, found = apply_settings(settings, layer, source=f"your {SETTINGS_FILE}", scope="user")
    problems.extend(found)
    for root in opening.roots:
        layer, problem = _read_settings_file(root / SETTINGS_FILE)
        if problem is not None:
            problems.append(problem)
        settings, found = apply_settings(
            settings, layer, source=f"{root.name}/{SETTINGS_FILE}", scope="workspace"
        )
        problems.extend(found)
    settings, found = apply_settings(
        settings, opening.editor_settings, source="editor settings", scope="user"
    )
    return settings, (*problems, *found)


def locate_own_settings() -> Path:
    """Return where the user's own settings file would be."""
    return _find_own_folder("config") / SETTINGS_FILE


def _find_own_folder(kind: Literal["cache", "config", "state"]) -> Path:
    """Return where the user's own files of a kind are kept.

    A user without a home, as in some containers, has one that cannot be: nothing is kept there.
    """
    find = {
        "cache": platformdirs.user_cache_path,
        "config": platformdirs.user_config_path,
        "state": platformdirs.user_state_path,
    }[kind]
    try:
        return find("glossator", appauthor=False)
    except RuntimeError:
        return Path(os.devnull) / "glossator"


def _read_settings_file(path: Path) -> tuple[Mapping[str, Any], SettingProblem | None]:
    # A pipe would never be read to its end.
    if not path.is_file():
        return {}, None
    try:
        return tomllib.loads(_read_short(path)), None
    except OSError as error:
        return {}, SettingProblem(path.name, f"`{path.name}` is not used: {error.strerror}.")
    # Not TOML, not UTF-8, or a number with thousands of digits.
    except (ValueError, RecursionError) as error:
        return {}, SettingProblem(path.name, f"`{path.name}` is not used: {error}.")


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


def _model_status(endpoint: Endpoint | NoEndpoint) -> ModelStatus:
    if isinstance(endpoint, NoEndpoint):
        return ModelStatus(is_configured=False, message=endpoint.message)
    return ModelStatus(
        is_configured=True,
        name=endpoint.model,
        endpoint=endpoint.base_url,
        source=endpoint.source,
    )


def _make_models(
    endpoint: Endpoint | NoEndpoint, settings: Settings
) -> tuple[OpenAIChat | None, OpenAIChat | None]:
    """Return the model that answers, and a lighter one of the same server if there is to be one."""
    if isinstance(endpoint, NoEndpoint):
        return None, None
    model = OpenAIChat(endpoint, settings.model)
    name = settings.model.tools_name
    if name in ("", endpoint.model):
        return model, None
    return model, model.with_model(name)


async def _close_model(model: OpenAIChat | None) -> None:
    """Close the connections, which the lighter model shares."""
    if model is not None:
        await model.close()


def _make_toolbox(
    workspace: Workspace, code_map: CodeMap, settings: Settings, seen: SeenTexts | None = None
) -> "Toolbox":
    # Imported when a model is used: the tools' schemas need pydantic, which takes a while.
    from glossator.tools.chaining import make_chaining_tools
    from glossator.tools.coverage import make_coverage_tools
    from glossator.tools.diffing import make_diffing_tools
    from glossator.tools.outlining import make_outlining_tools
    from glossator.tools.reading import make_reading_tools
    from glossator.tools.searching import make_searching_tools
    from glossator.tools.signatures import make_signature_tools
    from glossator.tools.toolbox import make_toolbox

    workspace = workspace.noting(seen)
    return make_toolbox(
        [
            *make_reading_tools(workspace),
            *make_searching_tools(workspace, settings.agent.search_hits),
            *make_outlining_tools(workspace, code_map),
            *make_signature_tools(workspace, code_map),
            *make_chaining_tools(workspace, code_map),
            *make_diffing_tools(workspace),
            *make_coverage_tools(workspace, code_map),
        ]
    )


def _make_members(settings: Settings, cache_folder: Path) -> tuple[Members, tuple[str, ...]]:
    """Return who finds knowledge beside words, and what people should know about it."""
    encoder, problem = choose_encoder(settings.semantic)
    cache = ByteCache(cache_folder / "vectors.sqlite3")
    meaning = Meaning(encoder, cache) if encoder is not None else None
    problems = [problem] if problem else []
    desk = None
    if settings.shared.url:
        try:
            desk = SharedDesk(read_address(settings.shared.url), settings.shared.collection)
        except SharedUnavailable as error:
            problems.append(str(error))
    is_chosen = settings.semantic.source != "auto"
    return Members(meaning, desk, expects_meaning=is_chosen), tuple(problems)


def _make_telemetry(
    settings: Settings, endpoint: Endpoint | NoEndpoint, secrets: tuple[str, ...]
) -> tuple[Telemetry | None, tuple[str, ...]]:
    """Return what sends spans if that is wanted, or why it cannot be done."""
    wanted = settings.telemetry
    if not wanted.endpoint:
        return None, ()
    problem = find_problem(wanted.endpoint)
    if problem:
        return None, (problem,)
    model, server = (
        (endpoint.model, endpoint.base_url) if isinstance(endpoint, Endpoint) else ("", "")
    )
    return Telemetry(wanted.endpoint, Subject(model, server, wanted.content, secrets)), ()


def _preload_model() -> None:
    from glossator.model.openai_chat import preload

    preload()
