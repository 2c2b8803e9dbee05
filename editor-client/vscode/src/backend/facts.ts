/**
 * Answers the server's questions about code from whatever other language servers run here.
 *
 * Each answer says of which version of the document it is: one that changed meanwhile is told as
 * changed, and the server drops it.
 */

import * as vscode from 'vscode';

/** Positions on the wire are those of the protocol: 0-based, in UTF-16 units, as here. */
interface Question {
  textDocument: { uri: string };
  position?: { line: number; character: number };
}

interface Answer {
  version: number;
  items: object[];
}

type Find = (document: vscode.TextDocument, position: vscode.Position) => Promise<object[] | null>;

/** What can be asked, as `experimental.glossator.editor` tells it. */
export const OFFERS = {
  definitions: true,
  references: true,
  callHierarchy: true,
  diagnostics: true,
  documentSymbols: true,
};

/** The diagnostics of our own server would come back to it as somebody else's. */
const OWN_SOURCE = 'glossator';

/** So many things are passed on: the server cuts longer lists anyway. */
const MAX_ITEMS = 2_000;

/** What can be asked, by the last part of the method `glossator/editor/…`. */
export const FINDERS: Record<string, Find> = {
  definitions: async (document, position) => {
    const found = await execute<(vscode.Location | vscode.LocationLink)[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      position,
    );
    return found?.map(writeLocation) ?? null;
  },
  references: async (document, position) => {
    const found = await execute<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      document.uri,
      position,
    );
    return found?.map(writeLocation) ?? null;
  },
  incomingCalls: (document, position) => findIncoming(document, position),
  outgoingCalls: (document, position) => findOutgoing(document, position),
  diagnostics: (document) =>
    Promise.resolve(
      vscode.languages
        .getDiagnostics(document.uri)
        .filter((each) => each.source !== OWN_SOURCE)
        .map(writeDiagnostic),
    ),
  documentSymbols: async (document) => {
    const found = await execute<(vscode.DocumentSymbol | vscode.SymbolInformation)[]>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    return found?.map(writeSymbol) ?? null;
  },
};

/** Return what is known, or null where nobody can say or the question was withdrawn. */
export async function answerQuestion(
  find: Find,
  question: Question,
  token: vscode.CancellationToken,
): Promise<Answer | null> {
  const uri = vscode.Uri.parse(question.textDocument.uri);
  const document = await vscode.workspace.openTextDocument(uri);
  const { line, character } = question.position ?? { line: 0, character: 0 };
  const { version } = document;
  const items = await find(document, new vscode.Position(line, character));
  if (items === null || token.isCancellationRequested) {
    return null;
  }
  // One that changed while its servers answered is told with a version that fits nothing.
  return {
    version: document.version === version ? version : -1,
    items: items.slice(0, MAX_ITEMS),
  };
}

async function findIncoming(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<object[] | null> {
  const items = await prepareCalls(document, position);
  if (!items?.length) {
    return null;
  }
  const calls = await Promise.all(
    items.map((item) =>
      execute<vscode.CallHierarchyIncomingCall[]>('vscode.provideIncomingCalls', item),
    ),
  );
  return calls.flatMap((each) =>
    (each ?? []).map((call) => ({
      ...writeItem(call.from),
      fromRanges: call.fromRanges.map(writeRange),
    })),
  );
}

async function findOutgoing(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<object[] | null> {
  const items = await prepareCalls(document, position);
  if (!items?.length) {
    return null;
  }
  const calls = await Promise.all(
    items.map((item) =>
      execute<vscode.CallHierarchyOutgoingCall[]>('vscode.provideOutgoingCalls', item),
    ),
  );
  return calls.flatMap((each) =>
    (each ?? []).map((call) => ({
      ...writeItem(call.to),
      fromRanges: call.fromRanges.map(writeRange),
    })),
  );
}

function prepareCalls(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.CallHierarchyItem[] | undefined> {
  return execute('vscode.prepareCallHierarchy', document.uri, position);
}

/** Run one of the editor's commands; without a provider some return nothing. */
async function execute<Result>(command: string, ...args: unknown[]): Promise<Result | undefined> {
  return (await vscode.commands.executeCommand<Result | undefined>(command, ...args)) ?? undefined;
}

function writeLocation(found: vscode.Location | vscode.LocationLink): object {
  if ('targetUri' in found) {
    return {
      ...writePlace(found.targetUri, found.targetRange),
      selectionRange: writeRange(found.targetSelectionRange ?? found.targetRange),
    };
  }
  return writePlace(found.uri, found.range);
}

function writeItem(item: vscode.CallHierarchyItem): object {
  return {
    ...writePlace(item.uri, item.range),
    name: item.name,
    kind: writeKind(item.kind),
    selectionRange: writeRange(item.selectionRange),
  };
}

function writePlace(uri: vscode.Uri, range: vscode.Range): object {
  const text = uri.toString();
  const open = vscode.workspace.textDocuments.find((each) => each.uri.toString() === text);
  return { uri: text, range: writeRange(range), ...(open ? { version: open.version } : {}) };
}

function writeSymbol(symbol: vscode.DocumentSymbol | vscode.SymbolInformation): object {
  if ('location' in symbol) {
    return {
      name: symbol.name,
      kind: writeKind(symbol.kind),
      range: writeRange(symbol.location.range),
    };
  }
  return {
    name: symbol.name,
    kind: writeKind(symbol.kind),
    range: writeRange(symbol.range),
    selectionRange: writeRange(symbol.selectionRange),
    children: symbol.children.map(writeSymbol),
  };
}

function writeDiagnostic(diagnostic: vscode.Diagnostic): object {
  const { code } = diagnostic;
  return {
    range: writeRange(diagnostic.range),
    severity: diagnostic.severity + 1,
    message: diagnostic.message,
    source: diagnostic.source,
    code: typeof code === 'object' ? code.value : code,
  };
}

/** The editor counts kinds from 0, the protocol from 1. */
function writeKind(kind: vscode.SymbolKind): number {
  return kind + 1;
}

function writeRange(range: vscode.Range): object {
  const write = ({ line, character }: vscode.Position) => ({ line, character });
  return { start: write(range.start), end: write(range.end) };
}
