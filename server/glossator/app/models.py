"""Which models answer: those of an endpoint, or the editor's own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from glossator.app.parts import Parts
from glossator.app.results import ModelStatus, Opening, Trust
from glossator.core.errors import InvalidArguments
from glossator.core.prices import Price
from glossator.core.settings import ModelSettings
from glossator.model.endpoints import Endpoint, NoEndpoint, choose_endpoint
from glossator.model.port import ChatModel

_SOURCE = "editor settings"
_NOT_OFFERED = (
    "`model.source` is `editor`, but this editor offers no language model to Glossator. Set "
    "`model.source` to `endpoint`, or update the editor."
)
_NOT_TRUSTED = (
    "The editor's language model is used in trusted workspaces only. Trust this workspace, or set "
    "`model.source` to `endpoint`."
)


class _Closable(ChatModel, Protocol):
    async def close(self) -> None:
        """Let go of what the model holds."""


@dataclass(frozen=True, slots=True)
class Models:
    """Who answers, a lighter one for the rounds with tools, and what people are told of it.

    `endpoint` is the server behind the model; None where there is none, or the editor answers.
    """

    model: _Closable | None
    tools_model: ChatModel | None
    status: ModelStatus
    notices: tuple[str, ...] = ()
    endpoint: Endpoint | None = None

    def preload(self) -> None:
        """Import what the model needs; that takes a second, and the editor's needs nothing."""
        if self.endpoint is not None:
            from glossator.model.openai_chat import preload

            preload()

    async def close(self) -> None:
        """Close the connections, which the lighter model shares."""
        if self.model is not None:
            await self.model.close()


def choose_models(
    settings: ModelSettings,
    opening: Opening,
    trust: Trust,
    dotenv: Mapping[str, str] | None,
    *,
    prices: Mapping[str, Price],
) -> Models:
    """Return the models that the settings ask for, or why there is none."""
    if settings.source == "editor":
        return _use_editor(settings, opening, trust)
    endpoint, notices = choose_endpoint(settings, opening.environ, dotenv)
    if isinstance(endpoint, NoEndpoint):
        status = ModelStatus(is_configured=False, message=endpoint.message)
        return Models(None, None, status, notices)
    # What talks to a model is loaded where there is one.
    from glossator.model.openai_chat import OpenAIChat

    model = OpenAIChat(endpoint, settings, prices=prices)
    name = settings.tools_name
    lighter = None if name in ("", endpoint.model) else model.with_model(name)
    status = ModelStatus(
        is_configured=True,
        name=endpoint.model,
        endpoint=endpoint.base_url,
        source=endpoint.source,
    )
    return Models(model, lighter, status, notices, endpoint)


def use_editor_model(parts: Parts, opening: Opening, wanted: str) -> Parts:
    """Return the parts with one of the editor's models, for a turn that was asked of it.

    Raises:
        InvalidArguments: the editor offers none, or the workspace is not trusted.
    """
    if opening.editor_models is None or parts.trust != "trusted":
        raise InvalidArguments(_NOT_OFFERED if opening.editor_models is None else _NOT_TRUSTED)
    from glossator.model.editor_chat import EDITOR, EditorChat

    model = EditorChat(opening.editor_models, parts.settings.model, wanted, EDITOR)
    return replace(parts, model=model, tools_model=None)


def _use_editor(settings: ModelSettings, opening: Opening, trust: Trust) -> Models:
    if opening.editor_models is None or trust != "trusted":
        message = _NOT_OFFERED if opening.editor_models is None else _NOT_TRUSTED
        return Models(None, None, ModelStatus(is_configured=False, message=message))
    from glossator.model.editor_chat import EDITOR, EditorChat

    model = EditorChat(opening.editor_models, settings, settings.name)
    lighter = None
    if settings.tools_name not in ("", settings.name):
        lighter = EditorChat(opening.editor_models, settings, settings.tools_name)
    status = ModelStatus(is_configured=True, name=model.name, endpoint=EDITOR, source=_SOURCE)
    return Models(model, lighter, status)
