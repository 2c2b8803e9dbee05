/** What the commands of a question do: each becomes a turn of the conversation. */

import * as vscode from 'vscode';
import type { Server } from '../server/server';
import { lastName, type Chip } from '../shared/attachments';
import type {
  AttachableResult,
  CallChainResult,
  Citation,
  CheckedDocument,
  CheckResult,
  Target,
  WhyResult,
} from '../shared/protocol';
import { SLASH_COMMANDS, type SlashName } from '../shared/slashCommands';
import { PANEL_STRINGS } from '../shared/strings';
import { finishChain, startTurn, type Turn } from '../shared/turns';
import { currentEditor, nameFile, readTarget, renderTarget } from '../target';
import type { Work } from '../views/turnRunner';
import { selectionChip } from './attaching';

export interface Slash {
  name: SlashName;
  text: string;
  chips: readonly Chip[];
}

/** What a command comes to: a question, a turn of its own, or words about what is missing. */
export type Outcome =
  | { kind: 'question'; question: string; chips: readonly Chip[]; withContext: boolean }
  | { kind: 'work'; work: Work<never> }
  | { kind: 'turn'; turn: Turn }
  | { kind: 'new'; question: string }
  | { kind: 'missing'; text: string };

export async function runSlash(server: Server, slash: Slash): Promise<Outcome> {
  switch (slash.name) {
    case 'explain':
      return explain(slash);
    case 'chain':
      return chain(server, slash);
    case 'check':
      return check(slash);
    case 'why':
      return why(slash);
    case 'new':
      return { kind: 'new', question: slash.text };
    case 'help':
      return { kind: 'turn', turn: helpTurn() };
  }
}

function explain({ text, chips }: Slash): Outcome {
  const { l10n } = vscode;
  if (text || chips.length) {
    const names = text ? `\`${text}\`` : chips.map((chip) => `\`${chip.label}\``).join(', ');
    const question = l10n.t('Explain {0}.', names);
    return { kind: 'question', question, chips, withContext: false };
  }
  const selection = selectionChip();
  if (selection) {
    const question = l10n.t('Explain {0}.', `\`${selection.label}\``);
    return { kind: 'question', question, chips: [selection], withContext: false };
  }
  const target = readTarget();
  if (!target) {
    return missing(l10n.t('Open a file, attach something, or name what is to be explained.'));
  }
  const question = l10n.t('Explain the code at {0}.', renderTarget(target));
  return { kind: 'question', question, chips: [], withContext: true };
}

async function chain(server: Server, slash: Slash): Promise<Outcome> {
  const { l10n } = vscode;
  const target = slash.text
    ? await findNamed(server, slash.text)
    : (targetOf(slash.chips) ?? readTarget());
  if (!target) {
    return missing(
      slash.text
        ? l10n.t('No function is called “{0}”.', slash.text)
        : l10n.t('Put the cursor into a function, attach one with @, or name one.'),
    );
  }
  const work: Work<CallChainResult> = {
    kind: 'callChain',
    question: `/chain ${slash.text || renderTarget(target)}`,
    context: '',
    chips: slash.chips,
    command: 'glossator.callChain',
    argument: target,
    finish: (turn, result) => finishChain(turn, result, turn.question),
  };
  return { kind: 'work', work };
}

/** The function of that name; when several have it, people choose. */
async function findNamed(server: Server, name: string): Promise<Target | null> {
  const plain = name.replace(/^[`@]+|(\(\))?`?$/g, '');
  const argument = { kind: 'symbol', query: plain, limit: 50 };
  const { items } = await server.execute<AttachableResult>('glossator.listAttachable', argument);
  const exact = items.filter((each) => each.name === plain || each.name.endsWith(`.${plain}`));
  const picks = exact.map((item) => ({
    label: item.name,
    description: `${item.path}:${item.line}`,
    item,
  }));
  const chosen =
    picks.length > 1 ? await vscode.window.showQuickPick(picks, { title: plain }) : picks[0];
  return chosen?.item.uri ? atLine(chosen.item.uri, chosen.item.line - 1) : null;
}

function targetOf(chips: readonly Chip[]): Target | null {
  const chip = chips.find((each) => each.uri && each.range);
  return chip?.uri && chip.range ? atLine(chip.uri, chip.range.start.line) : null;
}

/** The end of a line: a method begins behind its indentation. */
function atLine(uri: string, line: number): Target {
  return { uri, position: { line, character: 10_000 } };
}

/** The files that are attached; the one that is looked at when none is. */
function listUris(chips: readonly Chip[]): string[] {
  const attached = new Set(chips.flatMap((chip) => chip.uri ?? []));
  const current = currentEditor()?.document.uri.toString();
  return attached.size || !current ? [...attached] : [current];
}

function check({ chips, text }: Slash): Outcome {
  const uris = listUris(chips);
  if (!uris.length) {
    return missing(vscode.l10n.t('Open the file that is to be checked, or attach it with #.'));
  }
  const files = uris.map((uri) => vscode.Uri.parse(uri));
  const work: Work<CheckResult> = {
    kind: 'check',
    question: `/check ${text || files.map(nameFile).join(' ')}`,
    context: '',
    chips,
    command: 'glossator.check',
    argument: { uris },
    // A file that is not open has no findings to show.
    prepare: async () => {
      await Promise.all(files.map((file) => vscode.workspace.openTextDocument(file)));
    },
    finish: finishCheck,
  };
  return { kind: 'work', work };
}

function finishCheck(turn: Turn, { documents }: CheckResult): Turn {
  const told = documents.map(tellCheck);
  const text = told.map((each) => each.text).join('\n\n');
  const citations = told.flatMap((each) => each.citations);
  return say(turn, text || vscode.l10n.t('Nothing was checked.'), citations);
}

/** What came of the check of one document, in words, with its findings. */
function tellCheck(checked: CheckedDocument): { text: string; citations: Citation[] } {
  const { l10n } = vscode;
  const { uri, path, outcome, reason, nRules, nFindings } = checked;
  if (outcome === 'not-checked') {
    return { text: l10n.t('{0} was not checked: {1}', path, reason), citations: [] };
  }
  if (outcome === 'clean') {
    return { text: l10n.t('{0} is clean: {1} rules were checked.', path, nRules), citations: [] };
  }
  const found = vscode.languages
    .getDiagnostics(vscode.Uri.parse(uri))
    .filter((each) => each.source === 'glossator');
  const citations = found.map((each) => citeLine(path, uri, each.range.start.line + 1));
  const head =
    nFindings === 1 ? l10n.t('{0}: 1 finding', path) : l10n.t('{0}: {1} findings', path, nFindings);
  const lines = found.map((each, index) => `- ${each.message} (${citations[index]?.text ?? ''})`);
  return { text: [head, '', ...lines].join('\n'), citations };
}

function citeLine(path: string, uri: string, line: number): Citation {
  return { text: `${path}:${line}`, path, uri, firstLine: line, lastLine: line, verdict: 'exact' };
}

function why({ chips, text }: Slash): Outcome {
  const [uri] = listUris(chips);
  const place = uri ? lastName(nameFile(vscode.Uri.parse(uri))) : '';
  const work: Work<WhyResult> = {
    kind: 'why',
    question: `/why ${text || place}`.trim(),
    context: '',
    chips,
    command: 'glossator.why',
    argument: { ...(uri ? { uri } : {}), question: text },
    finish: (turn, result) => say(turn, result.markdown),
  };
  return { kind: 'work', work };
}

function helpTurn(): Turn {
  const { l10n } = vscode;
  const lines = SLASH_COMMANDS.map(
    (each) => `- \`/${each.name}\`: ${l10n.t(PANEL_STRINGS[each.description])}`,
  );
  const text = [
    ...lines,
    '',
    l10n.t('`#` attaches a file or the selection, `@` a function or type.'),
  ].join('\n');
  return say(startTurn(`help-${Date.now()}`, 'help', '/help'), text);
}

function say(turn: Turn, text: string, citations: readonly Citation[] = []): Turn {
  return { ...turn, status: 'done', step: null, parts: [{ kind: 'text', text }], citations };
}

function missing(text: string): Outcome {
  return { kind: 'missing', text };
}
