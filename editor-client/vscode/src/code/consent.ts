/**
 * Edits that want consent: shown as a difference, and made when people say so.
 *
 * The editor's own list of such edits leaves each of them unticked, so that *Apply* changes nothing.
 */

import type { CodeAction, Command, TextEdit, WorkspaceEdit } from 'vscode-languageclient';

/**
 * Edits of one document; `version` is null where they are for whichever there is. `about` says what
 * they are for; it may be empty.
 */
export interface Change {
  uri: string;
  version: number | null;
  edits: TextEdit[];
  about: string;
}

export const SHOW_CHANGE = 'glossator.showChange';

/** What of an edit has to be shown first; null when nothing, or not of one document alone. */
export function findUnconfirmed(edit: WorkspaceEdit | undefined): Change | null {
  const annotations = Object.values(edit?.changeAnnotations ?? {});
  const [change, ...others] = edit?.documentChanges ?? [];
  const toConfirm = annotations.find(({ needsConfirmation }) => needsConfirmation);
  if (!toConfirm || !change || others.length || !('textDocument' in change)) {
    return null;
  }
  const edits = change.edits.filter((each): each is TextEdit => 'newText' in each);
  const about = [toConfirm.label, toConfirm.description].filter(Boolean).join(' — ');
  return { ...change.textDocument, edits, about };
}

/** An action whose edit wants consent, as one that shows it. */
export function showFirst(action: Command | CodeAction): Command | CodeAction {
  if (!('edit' in action)) {
    return action;
  }
  const { edit, ...others } = action;
  const change = findUnconfirmed(edit);
  if (!change) {
    return action;
  }
  const command = { title: action.title, command: SHOW_CHANGE, arguments: [change] };
  return { ...others, command };
}
