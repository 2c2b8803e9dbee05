"""Tools for the model, made from typed functions.

A function's name, docstring and annotations are what the model sees; there is no second
description to keep in step. A parameter is described by a string in its annotation:
`path: Annotated[str, "Path below the workspace folder."]`.

What the model gets wrong comes back to it as text with advice; what we get wrong raises.
"""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from glossator.core.errors import GlossatorError, InvalidArguments
from glossator.core.messages import ToolCall, ToolSpec
from glossator.core.text import shorten
from glossator.model.tool_names import find_tool_name
from glossator.tools.arguments import describe_parameters, parse_arguments
from glossator.tools.escaping import quote_name

ToolFunction = Callable[..., Awaitable[str]]

_SUMMARY_LENGTH = 120
_KEPT_KEYS = (
    "type", "description", "enum", "minimum", "maximum", "minLength", "maxLength", "default",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What a call gave: `text` for the model, `summary` in one line for people."""

    text: str
    is_error: bool
    summary: str


@dataclass(frozen=True, slots=True)
class _Tool:
    function: ToolFunction
    parameters: type[BaseModel]
    spec: ToolSpec


class Toolbox:
    """The tools a model is offered."""

    def __init__(self, tools: Iterable[_Tool]) -> None:
        self._tools = {tool.spec.name: tool for tool in tools}
        self.specs: tuple[ToolSpec, ...] = tuple(tool.spec for tool in self._tools.values())

    def with_tools(self, functions: Iterable[ToolFunction]) -> "Toolbox":
        """Return a toolbox with these tools and further ones, such as those of one turn."""
        return Toolbox([*self._tools.values(), *map(_make_tool, functions)])

    async def run(self, call: ToolCall) -> ToolOutcome:
        """Run one call. Whatever is wrong with the call itself is an outcome, not an exception."""
        tool = self._tools.get(find_tool_name(call.name, self._tools))
        if tool is None:
            names = ", ".join(f"`{name}`" for name in self._tools) or "none"
            return _fail(f"There is no tool {quote_name(call.name)}. The tools are: {names}.")
        try:
            values, unknown = parse_arguments(call.arguments, tool.parameters)
        except InvalidArguments as error:
            return _fail(f"`{tool.spec.name}` was not run. {error}")
        try:
            text = await tool.function(**values)
        except GlossatorError as error:
            return _fail(str(error))
        if unknown:
            names = ", ".join(quote_name(name) for name in unknown[:5])
            parameters = describe_parameters(tool.parameters)
            text += f"\n\n(Ignored: {names}. The parameters are: {parameters}.)"
        return ToolOutcome(text, is_error=False, summary=_summarise(text))


def make_toolbox(functions: Iterable[ToolFunction]) -> Toolbox:
    """Make tools of async functions that take keyword arguments and return text."""
    return Toolbox(_make_tool(function) for function in functions)


def _make_tool(function: ToolFunction) -> _Tool:
    name = function.__name__
    hints = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    for parameter in inspect.signature(function).parameters.values():
        default = ... if parameter.default is parameter.empty else parameter.default
        annotation = hints[parameter.name]
        notes = (note for note in getattr(annotation, "__metadata__", ()) if isinstance(note, str))
        fields[parameter.name] = (annotation, Field(default, description=next(notes, None)))
    config = ConfigDict(coerce_numbers_to_str=True, allow_inf_nan=False)
    parameters = create_model(name, __config__=config, **fields)
    schema = make_plain_schema(parameters.model_json_schema())
    spec = ToolSpec(name, inspect.getdoc(function) or "", schema)
    return _Tool(function, parameters, spec)


def make_plain_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object schema with only what every server understands.

    Some refuse `$ref`, `title`, `additionalProperties` or unions with null.
    """
    definitions = schema.get("$defs", {})
    properties = {
        name: _make_plain(value, definitions)
        for name, value in schema.get("properties", {}).items()
    }
    plain: dict[str, Any] = {"type": "object", "properties": properties}
    if schema.get("required"):
        plain["required"] = list(schema["required"])
    return plain


def _make_plain(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        schema = {**definitions[name], **schema}
    options = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    if len(options) == 1:
        schema = {**options[0], **schema}
    if "properties" in schema:
        nested = make_plain_schema({**schema, "$defs": definitions})
        return nested | {key: schema[key] for key in ("description",) if key in schema}
    plain = {key: schema[key] for key in _KEPT_KEYS if schema.get(key) is not None}
    if "const" in schema:
        plain["enum"] = [schema["const"]]
    if "items" in schema:
        plain["items"] = _make_plain(schema["items"], definitions)
    return plain


def _fail(text: str) -> ToolOutcome:
    return ToolOutcome(text, is_error=True, summary=_summarise(text))


def _summarise(text: str) -> str:
    return shorten(text.strip().partition("\n")[0], _SUMMARY_LENGTH)
