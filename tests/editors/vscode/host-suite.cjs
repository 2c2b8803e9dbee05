/** Runs inside the real extension host, with the editor's own interface and nothing in between. */

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const MODEL_URL = process.env.GLOSSATOR_TEST_MODEL;

async function until(what, read, timeoutMs = 30_000) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (value) {
      return value;
    }
    if (Date.now() > deadline) {
      throw new Error(`never happened: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

const api = () => vscode.extensions.getExtension('glossator.glossator').exports;
const folder = () => vscode.workspace.workspaceFolders[0].uri.fsPath;
const uriOf = (name) => vscode.Uri.file(path.join(folder(), name));

async function open(name) {
  const document = await vscode.workspace.openTextDocument(uriOf(name));
  return vscode.window.showTextDocument(document, vscode.ViewColumn.One);
}

/** Put the cursor into the first line that contains `text`. */
async function goTo(name, text) {
  const editor = await open(name);
  const offset = editor.document.getText().indexOf(text);
  assert.notEqual(offset, -1, `${text} is not in ${name}`);
  const position = editor.document.positionAt(offset);
  editor.selection = new vscode.Selection(position, position);
  return { editor, position };
}

function codeActions(uri, position, kind) {
  const range = new vscode.Range(position, position);
  return vscode.commands.executeCommand('vscode.executeCodeActionProvider', uri, range, kind);
}

const findings = (uri) => vscode.languages.getDiagnostics(uri).filter((d) => d.source === 'glossator');
const running = () => until('the server runs', () => api().server.status.state === 'running');
const settings = () => vscode.workspace.getConfiguration('glossator');
const lastTurn = (part) => api()[part].feed.all.at(-1);

const checks = {
  async 'a file of a known language starts the extension and the server'() {
    await open('shop/cart.py');
    const extension = vscode.extensions.getExtension('glossator.glossator');
    await until('the extension is active', () => extension.isActive);
    await running();
    const report = await until('the index is read', () => {
      const { report } = api().server.status;
      return report?.index.ready && report;
    });
    assert.ok(report.index.nDocuments >= 2, JSON.stringify(report.index));
    assert.equal(report.model.configured, false);
  },

  async 'explain and call chain are offered inside a function, never as a quick fix'() {
    const { editor, position } = await goTo('shop/cart.py', 'cents = sum');
    const ours = (await codeActions(editor.document.uri, position)).filter((action) =>
      action.command?.command.startsWith('glossator.'),
    );
    assert.deepEqual(
      ours.map((action) => action.kind.value).sort(),
      ['refactor.glossator.callChain', 'refactor.glossator.explain'],
    );
    const outside = await codeActions(editor.document.uri, new vscode.Position(0, 0));
    assert.ok(!outside.some((action) => action.command?.command.startsWith('glossator.')));
  },

  async 'running the action shows the briefing beside the code and returns it'() {
    const { editor, position } = await goTo('shop/cart.py', 'cents = sum');
    const actions = await codeActions(editor.document.uri, position);
    const { command } = actions.find((a) => a.command?.command === 'glossator.explain');
    const result = await vscode.commands.executeCommand(command.command, ...command.arguments);
    assert.equal(result.byModel, false);
    assert.match(result.markdown, /Cart\.total/);
    assert.match(result.markdown, /shop\/prices\.py:6/);
    assert.ok(result.citations.length > 0 && result.citations.every((c) => c.verdict === 'exact'));
    assert.equal(lastTurn('answers').status, 'done');
    const tab = await until('its tab is there', () =>
      vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .find((each) => each.input?.viewType?.includes('glossator.answer')),
    );
    assert.notEqual(tab.group.viewColumn, editor.viewColumn);
    assert.equal(vscode.window.activeTextEditor, editor, 'the code keeps the focus');
  },

  async 'show call chain returns callers and callees as trees'() {
    await goTo('shop/cart.py', 'cents = sum');
    await vscode.commands.executeCommand('glossator.showCallChain');
    const { chain, status } = lastTurn('answers');
    assert.equal(status, 'done');
    const names = (nodes) => nodes.map((node) => node.name);
    assert.ok(names(chain.callers).includes('checkout'), JSON.stringify(chain.callers));
    assert.ok(names(chain.callees).includes('convert'), JSON.stringify(chain.callees));
    assert.match(chain.mermaid, /^flowchart/);
  },

  async 'outside any function the call chain says what to do'() {
    const editor = await open('shop/cart.py');
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await vscode.commands.executeCommand('glossator.showCallChain');
    assert.equal(lastTurn('answers').status, 'failed');
    assert.match(lastTurn('answers').error, /function/);
  },

  async 'a text that is not saved is what counts'() {
    const document = await vscode.workspace.openTextDocument({
      language: 'python',
      content: 'def 未保存(数):\n    """Unsaved."""\n    return 数\n',
    });
    const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    editor.selection = new vscode.Selection(2, 4, 2, 4);
    await vscode.commands.executeCommand('glossator.explainFunction');
    const turn = lastTurn('answers');
    assert.equal(turn.status, 'done', turn.error);
    assert.match(turn.parts[0].text, /未保存/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  },

  async 'saving publishes findings with the rule, its link and its place'() {
    const editor = await open('shop/prices.py');
    const { uri } = editor.document;
    const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
    await editor.edit((edit) => edit.insert(end, '\n\nprint("约定𝕏", RATES["EUR"])\nprint(RATES)\n'));
    await editor.document.save();
    await until('a finding', () => findings(uri).some((d) => d.code?.value === 'money-no-print'));
    const finding = findings(uri).find((d) => d.code.value === 'money-no-print');
    assert.equal(editor.document.getText(finding.range), 'print(RATES)');
    assert.equal(finding.severity, vscode.DiagnosticSeverity.Warning);
    assert.match(finding.code.target.toString(), /knowledge\/money\.md#L19$/);
    assert.match(finding.relatedInformation[0].location.uri.path, /knowledge\/money\.md$/);
    assert.equal(finding.relatedInformation[0].location.range.start.line, 18);
  },

  async 'the quick fix repairs it, and saving clears the finding'() {
    const editor = await open('shop/prices.py');
    const { document } = editor;
    const finding = findings(document.uri).find((d) => d.code.value === 'money-no-print');
    const actions = await codeActions(document.uri, finding.range.start, 'quickfix');
    const fix = actions.find((action) => action.kind.value.startsWith('quickfix.glossator'));
    assert.ok(fix, JSON.stringify(actions.map((action) => action.title)));
    await vscode.workspace.applyEdit(fix.edit);
    assert.match(document.getText(), /^log\(RATES\)$/m);
    await document.save();
    await until('it is gone', () => !findings(document.uri).some((d) => d.code.value === 'money-no-print'));
  },

  async 'check this file answers with its outcome'() {
    const result = await vscode.commands.executeCommand('glossator.check', {
      uri: uriOf('shop/cart.py').toString(),
    });
    assert.equal(result.documents.length, 1);
    assert.equal(result.documents[0].outcome, 'findings');
    assert.ok(result.documents[0].nRules > 0);
  },

  async 'without a model a question is answered from knowledge and code'() {
    const result = await api().chat.ask('How do we round money in receipts?', false);
    assert.equal(result.byModel, false);
    assert.equal(result.refused, null);
    assert.match(result.markdown, /round_cents|Round half up/);
    assert.ok(result.sources.some((source) => source.path === 'knowledge/money.md'));
    const chinese = await api().chat.ask('发票的编号约定是什么？', false);
    assert.match(chinese.markdown, /INV-年份-序号/);
    assert.equal(chinese.sessionId, result.sessionId, 'it is one session');
  },

  async 'what nothing is known about is refused, with the reason'() {
    const result = await api().chat.ask('What is our convention for parental leave?', false);
    assert.notEqual(result.refused, null);
    assert.equal(lastTurn('chat').refusal.message, result.refused.message);
    assert.deepEqual(lastTurn('chat').parts, []);
  },

  async 'a new session begins empty'() {
    await vscode.commands.executeCommand('glossator.startSession');
    assert.deepEqual(api().chat.feed.all, []);
  },

  async 'the figures of what was recorded open in a tab, once'() {
    const tabs = () =>
      vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter((each) => each.input?.viewType?.includes('glossator.figures'));
    await vscode.commands.executeCommand('glossator.showFigures');
    await vscode.commands.executeCommand('glossator.showFigures');
    await until('the tab', () => tabs().length === 1);
    const result = await vscode.commands.executeCommand('glossator.stats', { open: false });
    assert.ok(result.turns.n > 0, JSON.stringify(result.turns));
    assert.match(result.html, /default-src 'none'/);
    await vscode.window.tabGroups.close(tabs());
  },

  async 'rebuild index counts what it read, also for other extensions'() {
    const result = await vscode.commands.executeCommand('glossator.rebuildIndex');
    assert.ok(result.nRules > 0 && result.nDocuments >= 2, JSON.stringify(result));
  },

  async 'a new document of knowledge changes the state without a restart'() {
    const before = api().server.status.report.index.nDocuments;
    fs.writeFileSync(
      path.join(folder(), 'knowledge/tea.md'),
      '---\nname: tea\ndescription: Tea.\nkeywords: [tea]\n---\n# Tea\n\nTea is brewed for four minutes.\n',
    );
    await until('it is read', () => api().server.status.report.index.nDocuments === before + 1);
  },

  async "where the editor's AI is switched off, its model is missed and the facts are the answer"() {
    assert.equal(vscode.workspace.getConfiguration('chat').get('disableAIFeatures'), true);
    await settings().update('model.source', 'editor', vscode.ConfigurationTarget.Global);
    await until('the server knows', () => api().server.status.report.model.endpoint === 'editor');
    const { editor, position } = await goTo('shop/cart.py', 'cents = sum');
    const result = await api().server.execute('glossator.explain', {
      uri: editor.document.uri.toString(),
      position: { line: position.line, character: position.character },
    });
    await settings().update('model.source', undefined, vscode.ConfigurationTarget.Global);
    await until('the server knows', () => api().server.status.report.model.endpoint !== 'editor');
    assert.equal(result.byModel, false);
    assert.match(result.notice, /no such language model/);
    assert.match(result.markdown, /Cart\.total/);
  },

  async 'a model in the settings is used at once'() {
    await settings().update('model.baseUrl', MODEL_URL, vscode.ConfigurationTarget.Global);
    await settings().update('model.name', 'small-one', vscode.ConfigurationTarget.Global);
    const model = await until('the model is set up', () => {
      const { model } = api().server.status.report;
      return model.configured && model;
    });
    assert.equal(model.name, 'small-one');
  },

  async 'with a model the answer streams, runs tools and is verified'() {
    const { editor } = await goTo('shop/cart.py', 'cents = sum');
    let nMessages = 0;
    const listener = api().chat.feed.onMessage((message) => {
      nMessages += message.type === 'events' && message.events.some((e) => e.type === 'textArrived') ? 1 : 0;
    });
    const result = await api().chat.ask('How does the total come about?', true);
    listener.dispose();
    assert.ok(result, lastTurn('chat').error);
    assert.equal(result.byModel, true, result.notice);
    assert.ok(nMessages > 5, `the text came in ${nMessages} messages`);
    const turn = lastTurn('chat');
    assert.match(turn.context, /^shop\/cart\.py:18$/);
    const tools = turn.parts.filter((part) => part.kind === 'tool');
    assert.deepEqual(tools.map((tool) => [tool.name, tool.state]), [
      ['read_file', 'done'],
      ['search_files', 'done'],
      ['read_file', 'failed'],
    ]);
    const verdicts = Object.fromEntries(turn.citations.map((c) => [`${c.path}:${c.firstLine}`, c.verdict]));
    assert.equal(verdicts['shop/cart.py:18'], 'exact', JSON.stringify(turn.citations));
    assert.equal(verdicts['shop/currency.py:40'], 'missing', JSON.stringify(turn.citations));
    assert.ok(turn.usage.promptTokens > 0);
    assert.equal(editor.document.isDirty, false);
  },

  async 'explain streams the model\'s answer and keeps the facts it was given'() {
    await goTo('shop/cart.py', 'cents = sum');
    await vscode.commands.executeCommand('glossator.explainFunction');
    const turn = lastTurn('answers');
    assert.equal(turn.byModel, true, turn.error || turn.notice);
    assert.match(turn.briefing, /Cart\.total/);
    assert.match(turn.parts.at(-1).text, /adds up/);
  },

  async 'stop ends the request, keeps what had come and leaves the session usable'() {
    const asked = api().chat.ask('SLOW: what does this do?', false);
    await until('its text arrives', () => {
      const { question, parts } = lastTurn('chat');
      return question.startsWith('SLOW') && parts.some((part) => part.kind === 'text');
    });
    const stopped = Date.now();
    api().chat.stop();
    await asked;
    assert.ok(Date.now() - stopped < 10_000, `stopping took ${Date.now() - stopped} ms`);
    assert.equal(lastTurn('chat').status, 'cancelled');
    assert.match(lastTurn('chat').parts[0].text, /^word 0/);
    const { requests } = await (await fetch(process.env.GLOSSATOR_TEST_CONTROL)).json();
    assert.equal(requests.at(-1).wasCut, true, 'the model was told');
    assert.equal((await api().chat.ask('And the total?', false)).byModel, true);
  },

  async 'another explanation takes the place of one that runs'() {
    await goTo('shop/cart.py', 'cents = sum');
    const first = vscode.commands.executeCommand('glossator.explainFunction');
    await until('it runs', () => lastTurn('answers')?.status === 'running');
    await goTo('shop/prices.py', 'return cents * RATES');
    await vscode.commands.executeCommand('glossator.explainFunction');
    await first;
    assert.equal(api().answers.feed.all.length, 1);
    assert.match(lastTurn('answers').question, /convert/);
  },

  async 'a server that is not there is said, and found again when it is'() {
    await settings().update('server.command', ['/nowhere/glossator'], vscode.ConfigurationTarget.Global);
    await until('it is missed', () => api().server.status.state === 'missing');
    assert.match(api().server.status.message, /\/nowhere\/glossator/);
    assert.equal(await api().chat.ask('Why?', false), undefined);
    assert.equal(lastTurn('chat').status, 'failed');
    await settings().update('server.command', undefined, vscode.ConfigurationTarget.Global);
    await settings().update(
      'server.command',
      JSON.parse(process.env.GLOSSATOR_TEST_COMMAND),
      vscode.ConfigurationTarget.Global,
    );
    await running();
  },

  async 'a server that cannot start says why'() {
    const command = [process.execPath, '-e', 'process.exit(3)'];
    await settings().update('server.command', command, vscode.ConfigurationTarget.Global);
    await until('it failed', () => api().server.status.state === 'failed');
    assert.notEqual(api().server.status.message, '');
    await settings().update(
      'server.command',
      JSON.parse(process.env.GLOSSATOR_TEST_COMMAND),
      vscode.ConfigurationTarget.Global,
    );
    await running();
  },

  async 'the selected Python is used when nothing else is named'() {
    await settings().update('server.command', undefined, vscode.ConfigurationTarget.Global);
    await until('it is found', () => api().server.status.origin === 'selected-python');
    await running();
  },

  async 'restart gives a working server'() {
    await vscode.commands.executeCommand('glossator.restartServer');
    await running();
    const status = await vscode.commands.executeCommand('glossator.status');
    assert.match(status.version, /^\d/);
  },
};

exports.run = async () => {
  const { runChecks } = await import(path.join(__dirname, 'checks.mjs'));
  const counts = await runChecks('host', checks);
  fs.writeFileSync(process.env.GLOSSATOR_TEST_RESULT, JSON.stringify(counts));
};
