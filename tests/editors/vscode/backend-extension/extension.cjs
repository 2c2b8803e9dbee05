/** Knows of shop/cart.py what a language server would know, and answers as a scripted model. */

const vscode = require('vscode');

/** What is said when the suite has prepared nothing. */
const UNPREPARED = ['The scripted model has nothing prepared; see shop/cart.py:16.'];

/** What the suite in the same process reads and sets. */
const state = { asked: [], replies: [], requests: [], cancelled: 0, delayMs: 0 };

const selector = { language: 'python', scheme: 'file' };

function find(document, text, part = text) {
  const offset = document.getText().indexOf(text) + text.indexOf(part);
  const start = document.positionAt(offset);
  return new vscode.Range(start, start.translate(0, part.length));
}

function makeItem(name, uri, range) {
  return new vscode.CallHierarchyItem(
    vscode.SymbolKind.Function, name, '', uri, range, range,
  );
}

function note(kind) {
  state.asked.push(kind);
  return new Promise((resolve) => setTimeout(resolve, state.delayMs));
}

const calls = {
  prepareCallHierarchy: async (document, position) => {
    await note('prepare');
    const word = document.getWordRangeAtPosition(position);
    return word && makeItem(document.getText(word), document.uri, word);
  },
  provideCallHierarchyIncomingCalls: async (item) => {
    await note('incoming');
    const document = await vscode.workspace.openTextDocument(item.uri);
    const range = find(document, 'cart.total', 'total');
    const from = makeItem('checkout', document.uri, find(document, 'def checkout', 'checkout'));
    return [new vscode.CallHierarchyIncomingCall(from, [range])];
  },
  provideCallHierarchyOutgoingCalls: async () => {
    await note('outgoing');
    return [];
  },
};

const model = {
  id: 'scripted-1',
  name: 'Scripted',
  family: 'scripted',
  version: '1',
  maxInputTokens: 60_000,
  maxOutputTokens: 4_000,
  capabilities: { toolCalling: true },
  // As the user does in the editor's list of models.
  isUserSelectable: true,
};

const models = {
  provideLanguageModelChatInformation: () => [model],
  provideTokenCount: (_, text) => Math.ceil(JSON.stringify(text).length / 4),
  provideLanguageModelChatResponse: async (_, messages, options, progress, token) => {
    state.requests.push({ messages, tools: options.tools ?? [] });
    const reply = state.replies.shift() ?? UNPREPARED;
    for (const part of reply) {
      if (part === 'hang') {
        await new Promise((resolve) => token.onCancellationRequested(resolve));
        state.cancelled += 1;
        return;
      }
      if (part instanceof Error) {
        throw part;
      }
      progress.report(
        typeof part === 'string'
          ? new vscode.LanguageModelTextPart(part)
          : new vscode.LanguageModelToolCallPart(part.id, part.name, part.input),
      );
    }
  },
};

exports.activate = (context) => {
  const diagnostics = vscode.languages.createDiagnosticCollection('backend-tests');
  context.subscriptions.push(
    diagnostics,
    vscode.languages.registerCallHierarchyProvider(selector, calls),
    vscode.languages.registerDefinitionProvider(selector, {
      provideDefinition: async (document) => {
        await note('definition');
        return new vscode.Location(document.uri, find(document, 'class Cart', 'Cart'));
      },
    }),
    vscode.languages.registerReferenceProvider(selector, {
      provideReferences: async (document) => {
        await note('references');
        return [new vscode.Location(document.uri, find(document, 'cart: Cart', 'Cart'))];
      },
    }),
    vscode.languages.registerDocumentSymbolProvider('lua', {
      provideDocumentSymbols: async (document) => {
        await note('symbols');
        const whole = find(document, document.getText());
        const name = find(document, 'total');
        return [new vscode.DocumentSymbol('total', '', vscode.SymbolKind.Function, whole, name)];
      },
    }),
  );
  if (vscode.lm?.registerLanguageModelChatProvider) {
    context.subscriptions.push(
      vscode.lm.registerLanguageModelChatProvider('glossator-tests', models),
    );
  }
  return { state, diagnostics };
};
