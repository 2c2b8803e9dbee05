"""One module per LSP method."""

from collections.abc import Mapping

from lsprotocol import types

from glossator.lsp.handlers.call_hierarchy import (
    list_incoming_calls,
    list_outgoing_calls,
    prepare_call_hierarchy,
)
from glossator.lsp.handlers.code_action import offer_code_actions
from glossator.lsp.handlers.code_action_resolve import resolve_code_action
from glossator.lsp.handlers.code_lens import list_code_lenses, resolve_code_lens
from glossator.lsp.handlers.diagnostic import pull_diagnostics
from glossator.lsp.handlers.did_change import change_document
from glossator.lsp.handlers.did_change_configuration import change_configuration
from glossator.lsp.handlers.did_change_watched_files import hear_of_files
from glossator.lsp.handlers.did_change_workspace_folders import change_workspace_folders
from glossator.lsp.handlers.did_close import close_document
from glossator.lsp.handlers.did_delete_files import forget_files
from glossator.lsp.handlers.did_open import open_document
from glossator.lsp.handlers.did_rename_files import rename_files
from glossator.lsp.handlers.did_save import save_document
from glossator.lsp.handlers.execute_command import execute_command
from glossator.lsp.handlers.exit import end
from glossator.lsp.handlers.hover import show_hint
from glossator.lsp.handlers.initialized import begin
from glossator.lsp.handlers.model_piece import MODEL_PIECE, hear_piece
from glossator.lsp.handlers.shutdown import shut_down
from glossator.lsp.handlers.text_document_content import read_text
from glossator.lsp.handlers.work_done_progress_cancel import cancel_progress
from glossator.lsp.protocol import NotificationHandler, RequestHandler

REQUESTS: Mapping[str, RequestHandler] = {
    types.SHUTDOWN: shut_down,
    types.TEXT_DOCUMENT_CODE_ACTION: offer_code_actions,
    types.CODE_ACTION_RESOLVE: resolve_code_action,
    types.TEXT_DOCUMENT_CODE_LENS: list_code_lenses,
    types.CODE_LENS_RESOLVE: resolve_code_lens,
    types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: prepare_call_hierarchy,
    types.CALL_HIERARCHY_INCOMING_CALLS: list_incoming_calls,
    types.CALL_HIERARCHY_OUTGOING_CALLS: list_outgoing_calls,
    types.WORKSPACE_TEXT_DOCUMENT_CONTENT: read_text,
    types.TEXT_DOCUMENT_DIAGNOSTIC: pull_diagnostics,
    types.TEXT_DOCUMENT_HOVER: show_hint,
    types.WORKSPACE_EXECUTE_COMMAND: execute_command,
}

NOTIFICATIONS: Mapping[str, NotificationHandler] = {
    MODEL_PIECE: hear_piece,
    types.EXIT: end,
    types.INITIALIZED: begin,
    types.TEXT_DOCUMENT_DID_CHANGE: change_document,
    types.TEXT_DOCUMENT_DID_CLOSE: close_document,
    types.TEXT_DOCUMENT_DID_OPEN: open_document,
    types.TEXT_DOCUMENT_DID_SAVE: save_document,
    types.WINDOW_WORK_DONE_PROGRESS_CANCEL: cancel_progress,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: change_configuration,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: hear_of_files,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: change_workspace_folders,
    types.WORKSPACE_DID_DELETE_FILES: forget_files,
    types.WORKSPACE_DID_RENAME_FILES: rename_files,
}
