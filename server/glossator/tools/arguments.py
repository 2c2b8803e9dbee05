"""Arguments of a tool call as a model writes them, made to fit the parameters of the tool.

What can be understood without guessing is understood; everything else becomes an
`InvalidArguments` whose text tells the model what to send instead. Nothing is repaired that
could change what a call does.
"""

from collections.abc import Mapping
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from glossator.core.errors import InvalidArguments
from glossator.model.arguments import UnreadableArguments, read_value, render_arguments
from glossator.tools.escaping import quote_name

_MAX_CHARACTERS = 1_000_000


def parse_arguments(text: str | None, model: type[BaseModel]) -> tuple[dict[str, Any], list[str]]:
    """Return the values for the parameters of `model`, and the names that it does not have.

    Raises:
        InvalidArguments: the text is no JSON object, or its values do not fit.
    """
    given = _parse_object(text, model)
    known = {name: value for name, value in given.items() if name in model.model_fields}
    values = {name: _unwrap(value, name, model) for name, value in known.items()}
    unknown = [name for name in given if name not in model.model_fields]
    try:
        checked = model.model_validate(_drop_nulls(values, model))
    except ValidationError as error:
        raise InvalidArguments(_explain(error, model, unknown)) from None
    return {name: getattr(checked, name) for name in model.model_fields}, unknown


def describe_parameters(model: type[BaseModel]) -> str:
    """Return the parameters in one line: `path` (required), `first_line`."""
    names = [
        f"`{name}`" + (" (required)" if field.is_required() else "")
        for name, field in model.model_fields.items()
    ]
    return ", ".join(names) or "none"


def _parse_object(text: str | None, model: type[BaseModel]) -> dict[str, Any]:
    text = (text or "").strip()
    if text in {"", "null", '""'}:
        if any(field.is_required() for field in model.model_fields.values()):
            raise InvalidArguments(
                f"The arguments are missing. The parameters are: {describe_parameters(model)}."
            )
        return {}
    if len(text) > _MAX_CHARACTERS:
        raise InvalidArguments("The arguments are too long. Send a small JSON object.")
    try:
        # Some models encode the object twice.
        value = read_value(render_arguments(text))
    except UnreadableArguments as error:
        raise InvalidArguments(str(error)) from None
    if not isinstance(value, dict):
        raise InvalidArguments(
            "The arguments must be one JSON object. "
            f"The parameters are: {describe_parameters(model)}."
        )
    return value


def _unwrap(value: Any, name: str, model: type[BaseModel]) -> Any:
    """Return a list or object that was sent as its JSON text; everything else as it is."""
    annotation = model.model_fields[name].annotation
    kinds = {get_origin(kind) or kind for kind in (annotation, *get_args(annotation))}
    if not isinstance(value, str) or annotation is str or not kinds & {list, tuple, dict}:
        return value
    try:
        parsed = read_value(value)
    except UnreadableArguments:
        return value
    return parsed if isinstance(parsed, list | dict) else value


def _drop_nulls(values: Mapping[str, Any], model: type[BaseModel]) -> dict[str, Any]:
    """Return `values` without nulls where a default exists: models send null for "not given"."""
    return {
        name: value
        for name, value in values.items()
        if value is not None or model.model_fields[name].is_required()
    }


def _explain(error: ValidationError, model: type[BaseModel], unknown: list[str]) -> str:
    complaints = []
    for item in error.errors(include_url=False, include_context=False, include_input=False):
        name = ".".join(str(part) for part in item["loc"])
        if item["type"] == "missing":
            complaints.append(f"`{name}` is required")
        else:
            complaints.append(f"`{name}`: {item['msg'][:1].lower()}{item['msg'][1:]}")
    text = f"The arguments do not fit: {'; '.join(complaints)}."
    if unknown:
        text += f" There is no parameter {', '.join(quote_name(name) for name in unknown[:5])}."
    return f"{text} The parameters are: {describe_parameters(model)}."
