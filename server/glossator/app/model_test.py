"""Testing a model for somebody who sets it up: what works, what does not, and what to do."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.core.events import Emit, StepStarted
from glossator.core.settings import ModelSettings
from glossator.model.endpoints import Endpoint, NoEndpoint, choose_endpoint
from glossator.model.openai_chat import OpenAIChat
from glossator.model.probing import STAGES, Probe, Stage, probe_list, probe_model

Outcome = Literal["ok", "failed", "unknown"]

_UNNAMED = "unnamed"


@dataclass(frozen=True, slots=True)
class WantedModel:
    """What is to be tested instead of the model in use. A key goes nowhere but to `base_url`."""

    base_url: str = ""
    name: str = ""
    api_key: str = ""


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """One thing that was found out. `remedy` says what to do about what failed."""

    stage: Stage
    outcome: Outcome
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class ModelTest:
    """What came of a test: every check in order; `models` are the names that the server offers."""

    endpoint: str
    name: str
    checks: tuple[ModelCheck, ...]
    models: tuple[str, ...] = ()
    first_token_ms: int | None = None

    @property
    def is_passed(self) -> bool:
        """Whether nothing failed."""
        return all(check.outcome != "failed" for check in self.checks)


async def run_model_test(
    wanted: WantedModel | None, parts: Parts, say: Phrasing, *, lists_only: bool, emit: Emit
) -> ModelTest:
    """Ask the server of the model in use, or of the one that is `wanted`.

    With `lists_only` it is asked only which models it offers; else for two short answers, too.
    """
    endpoint = parts.endpoint if wanted is None else _choose(wanted, parts.settings.model)
    if not isinstance(endpoint, Endpoint):
        return _report_missing(endpoint, parts, say)
    # What is refused is said at once, and not tried again for a minute.
    settings = replace(parts.settings.model, max_retry_wait_s=0.0)
    model = OpenAIChat(endpoint, settings)
    try:
        if lists_only:
            emit(StepStarted(_name_stage("reachable", say)))
            probe = await probe_list(model.list_models)
        else:
            probe = await probe_model(
                model, model.list_models, lambda stage: emit(StepStarted(_name_stage(stage, say)))
            )
    finally:
        await model.close()
    checks = tuple(_check(stage, probe, endpoint, say, lists_only) for stage in STAGES)
    first_ms = None if probe.first_piece_s is None else round(probe.first_piece_s * 1000)
    name = "" if endpoint.model == _UNNAMED else endpoint.model
    return ModelTest(endpoint.base_url, name, checks, probe.models, first_ms)


def _choose(wanted: WantedModel, settings: ModelSettings) -> Endpoint | NoEndpoint:
    asked = replace(
        settings,
        base_url=wanted.base_url,
        api_key=wanted.api_key,
        name=wanted.name or _UNNAMED,
    )
    # Without the environment: what is tested is what was typed.
    endpoint = choose_endpoint(asked, {}, None)[0]
    return replace(endpoint, source="form") if isinstance(endpoint, Endpoint) else endpoint


def _report_missing(endpoint: NoEndpoint | None, parts: Parts, say: Phrasing) -> ModelTest:
    message = endpoint.message if endpoint is not None else parts.model_status.message
    text, remedy = say("nothing was asked", "没有发出请求"), say.translate(message)
    unknown = [ModelCheck(stage, "unknown", "") for stage in STAGES[1:]]
    return ModelTest("", "", (ModelCheck("reachable", "failed", text, remedy), *unknown))


def _name_stage(stage: Stage, say: Phrasing) -> str:
    names = {
        "reachable": say("Asking which models there are", "正在询问有哪些模型"),
        "answer": say("Asking for a short answer", "正在请求一个简短回答"),
        "tools": say("Asking for a tool call", "正在请求一次工具调用"),
    }
    return names[stage]


def _check(
    stage: Stage, probe: Probe, endpoint: Endpoint, say: Phrasing, lists_only: bool
) -> ModelCheck:
    reached = STAGES.index(probe.failed) if probe.failed else len(STAGES)
    if lists_only:
        # A list that everybody may read proves no key.
        reached = min(reached, STAGES.index("key"))
    position = STAGES.index(stage)
    if stage == probe.failed and probe.error is not None:
        error = probe.error
        return ModelCheck(
            stage, "failed", say.translate(error.cause or str(error)), say.translate(error.remedy)
        )
    if position >= reached:
        return ModelCheck(stage, "unknown", "")
    return _describe(stage, probe, endpoint, say)


def _describe(stage: Stage, probe: Probe, endpoint: Endpoint, say: Phrasing) -> ModelCheck:
    """Say what a stage that was passed has shown."""
    first_ms = round((probe.first_piece_s or 0) * 1000)
    texts: Mapping[Stage, str] = {
        "reachable": say(f"`{endpoint.host}` answers", f"`{endpoint.host}` 有响应"),
        "key": say("accepted", "已接受")
        if endpoint.api_key
        else say("none was needed", "无需密钥"),
        "model": say(f"`{endpoint.model}` is there", f"`{endpoint.model}` 可用"),
        "answer": say(
            f"streams; the first token came after {first_ms:,} ms",
            f"流式输出；首个词元用时 {first_ms:,} 毫秒",
        )
        if probe.streams
        else say(
            f"came in one piece after {first_ms:,} ms, without streaming",
            f"{first_ms:,} 毫秒后一次性返回，未流式输出",
        ),
        "tools": say("called as asked", "已按要求调用"),
    }
    if stage == "tools" and not probe.calls_tool:
        return ModelCheck(
            stage,
            "unknown",
            say("taken, but the model answered in words", "已接受，但模型用文字作答"),
            say(
                "It may not look at files by itself; a model with tool calling does.",
                "它可能不会自行查看文件；支持工具调用的模型会。",
            ),
        )
    return ModelCheck(stage, "ok", texts[stage])
