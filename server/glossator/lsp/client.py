"""What the client can do and wants, read from `initialize` so that nothing in it can break us.

A part that does not fit counts as absent: an editor with a mistake in one capability still gets
everything else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from glossator.lsp.positions import PositionEncoding
from glossator.lsp.uris import path_from_uri

_ENCODINGS_BY_PREFERENCE: tuple[PositionEncoding, ...] = ("utf-8", "utf-32", "utf-16")


@dataclass(frozen=True, slots=True)
class Client:
    """The other side. Every flag says that the client offers or asks for something.

    `is_trusted` is None when the client does not say whether the workspace is. `editor_offers` is
    what it can be asked of the editor's other language servers.
    """

    name: str = ""
    locale: str = ""
    process_id: int | None = None
    folders: tuple[str, ...] = ()
    encoding: PositionEncoding = "utf-16"
    names_encodings: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)
    is_trusted: bool | None = None
    shows_answers: bool = False
    wants_status: bool = False
    editor_offers: frozenset[str] = frozenset()
    offers_model: bool = False
    plugin_version: str = ""

    work_done_progress: bool = False
    show_document: bool = False
    configuration: bool = False
    registers_configuration: bool = False
    registers_watched_files: bool = False
    did_rename_files: bool = False
    did_delete_files: bool = False
    code_action_literals: bool = False
    preferred_actions: bool = False
    document_changes: bool = False
    change_annotations: bool = False
    applies_edits: bool = False
    resolves_edits: bool = False
    generated_action_tag: bool = False
    related_information: bool = False
    diagnostic_versions: bool = False
    code_descriptions: bool = False
    diagnostic_data: bool = False
    diagnostic_tags: frozenset[int] = frozenset()
    pulls_diagnostics: bool = False
    refreshes_diagnostics: bool = False
    registers_hover: bool = False
    hover_markdown: bool = False
    refreshes_lenses: bool = False
    registers_call_hierarchy: bool = False
    asks_for_texts: bool = False


def read_client(params: Mapping[str, Any]) -> Client:
    """Read the parameters of `initialize`."""
    options = _mapping(params.get("initializationOptions"))
    can = _Capabilities(_mapping(params.get("capabilities")))
    offered = can.get("general.positionEncodings")
    process_id = params.get("processId")
    return Client(
        name=str(_mapping(params.get("clientInfo")).get("name", "")),
        # Many editors tell no language; what is written into the options is somebody's choice.
        locale=_text(options.get("locale")) or _text(params.get("locale")),
        process_id=process_id if type(process_id) is int and process_id > 0 else None,
        folders=_read_folders(params),
        encoding=_choose_encoding(offered),
        names_encodings=isinstance(offered, list),
        settings=_mapping(options.get("settings")),
        is_trusted=_flag(options.get("workspaceTrusted")),
        shows_answers=options.get("clientShowsAnswers") is True,
        wants_status=options.get("statusNotifications") is True,
        editor_offers=_read_offers(can.get("experimental.glossator.editor")),
        offers_model=can.do("experimental.glossator.model"),
        plugin_version=version if isinstance(version := options.get("pluginVersion"), str) else "",
        work_done_progress=can.do("window.workDoneProgress"),
        show_document=can.do("window.showDocument.support"),
        configuration=can.do("workspace.configuration"),
        registers_configuration=can.do("workspace.didChangeConfiguration.dynamicRegistration"),
        registers_watched_files=can.do("workspace.didChangeWatchedFiles.dynamicRegistration"),
        did_rename_files=can.do("workspace.fileOperations.didRename"),
        did_delete_files=can.do("workspace.fileOperations.didDelete"),
        code_action_literals=isinstance(
            can.get("textDocument.codeAction.codeActionLiteralSupport"), Mapping
        ),
        preferred_actions=can.do("textDocument.codeAction.isPreferredSupport"),
        document_changes=can.do("workspace.workspaceEdit.documentChanges"),
        change_annotations=isinstance(
            can.get("workspace.workspaceEdit.changeAnnotationSupport"), Mapping
        ),
        applies_edits=can.do("workspace.applyEdit"),
        resolves_edits=can.do("textDocument.codeAction.dataSupport")
        and can.lists("textDocument.codeAction.resolveSupport.properties", "edit"),
        generated_action_tag=can.lists("textDocument.codeAction.tagSupport.valueSet", 1),
        related_information=can.show_in_diagnostics("relatedInformation"),
        diagnostic_versions=can.do("textDocument.publishDiagnostics.versionSupport"),
        code_descriptions=can.show_in_diagnostics("codeDescriptionSupport"),
        diagnostic_data=can.show_in_diagnostics("dataSupport"),
        diagnostic_tags=frozenset(tag for tag in (1, 2) if can.show_tag(tag)),
        pulls_diagnostics=can.has("textDocument.diagnostic")
        and (
            can.do("workspace.diagnostics.refreshSupport")
            or not can.has("textDocument.publishDiagnostics")
        ),
        refreshes_diagnostics=can.do("workspace.diagnostics.refreshSupport"),
        registers_hover=can.do("textDocument.hover.dynamicRegistration"),
        hover_markdown=can.lists("textDocument.hover.contentFormat", "markdown"),
        refreshes_lenses=can.do("workspace.codeLens.refreshSupport"),
        registers_call_hierarchy=can.do("textDocument.callHierarchy.dynamicRegistration"),
        asks_for_texts=can.has("workspace.textDocumentContent"),
    )


def folder_paths(uris: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the folders that are on this machine, without repetition."""
    paths = (path_from_uri(uri) for uri in uris)
    return tuple(dict.fromkeys(path for path in paths if path is not None))


def folder_uri(folder: object) -> str | None:
    """Return the URI of a workspace folder as a client sends it; None for anything else."""
    uri = _mapping(folder).get("uri")
    return uri if isinstance(uri, str) else None


class _Capabilities:
    def __init__(self, capabilities: Mapping[str, Any]) -> None:
        self._capabilities = capabilities

    def get(self, path: str) -> Any:
        value: Any = self._capabilities
        for name in path.split("."):
            value = _mapping(value).get(name)
        return value

    def do(self, path: str) -> bool:
        return self.get(path) is True

    def has(self, path: str) -> bool:
        return isinstance(self.get(path), Mapping)

    def show_in_diagnostics(self, what: str) -> bool:
        """Whether diagnostics can have this; clients say it of those pushed, of pulled, or both."""
        kinds = ("publishDiagnostics", "diagnostic")
        return any(self.do(f"textDocument.{kind}.{what}") for kind in kinds)

    def show_tag(self, tag: int) -> bool:
        """Whether diagnostics can have this tag."""
        kinds = ("publishDiagnostics", "diagnostic")
        return any(self.lists(f"textDocument.{kind}.tagSupport.valueSet", tag) for kind in kinds)

    def lists(self, path: str, item: str | int) -> bool:
        items = self.get(path)
        return isinstance(items, list) and item in items


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _read_offers(offered: object) -> frozenset[str]:
    """Return what the client can be asked about code; a call hierarchy is asked both ways."""
    names = {name for name, is_offered in _mapping(offered).items() if is_offered is True}
    if "callHierarchy" in names:
        names |= {"incomingCalls", "outgoingCalls"}
    return frozenset(names)


def _read_folders(params: Mapping[str, Any]) -> tuple[str, ...]:
    folders = params.get("workspaceFolders")
    if isinstance(folders, list):
        return tuple(uri for folder in folders if (uri := folder_uri(folder)) is not None)
    root_uri, root_path = params.get("rootUri"), params.get("rootPath")
    if isinstance(root_uri, str) and root_uri:
        return (root_uri,)
    if isinstance(root_path, str) and Path(root_path).is_absolute():
        return (Path(root_path).as_uri(),)
    return ()


def _choose_encoding(offered: object) -> PositionEncoding:
    """Take the cheapest of the client's offers; UTF-16 is what every client can do."""
    if isinstance(offered, list):
        for encoding in _ENCODINGS_BY_PREFERENCE:
            if encoding in offered:
                return encoding
    return "utf-16"
