/**
 * Runs inside the real extension host beside an extension that stands for other language servers and
 * for a language model. The chat view of this editor cannot be driven without an account: the
 * participant is asked as the chat would ask it.
 */

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

async function until(what, read, timeoutMs = 60_000) {
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

const exportsOf = (id) => vscode.extensions.getExtension(id).exports;
const glossator = () => exportsOf('glossator.glossator');
const others = () => exportsOf('glossator-tests.backend');
const settings = () => vscode.workspace.getConfiguration('glossator');
const CART = () => vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'shop/cart.py');

async function goTo(text) {
  const document = await vscode.workspace.openTextDocument(CART());
  const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  const position = document.positionAt(document.getText().indexOf(text));
  editor.selection = new vscode.Selection(position, position);
  return editor;
}

/** Explain the function at the cursor of an editor. */
function explain({ document, selection: { active } }) {
  const position = { line: active.line, character: active.character };
  return glossator().server.execute('glossator.explain', { uri: document.uri.toString(), position });
}

/** What a chat view shows of an answer. */
function makeStream() {
  const shown = { markdown: '', progress: [], references: [], anchors: [] };
  return {
    shown,
    markdown: (text) => (shown.markdown += typeof text === 'string' ? text : text.value),
    progress: (text) => shown.progress.push(text),
    reference: (place) => shown.references.push(place),
    anchor: (place, name) => shown.anchors.push(name),
  };
}

const models = () => vscode.lm.selectChatModels({ vendor: 'glossator-tests' });
const quiet = () => new vscode.CancellationTokenSource().token;

async function chat(request, token = quiet()) {
  const stream = makeStream();
  const history = { history: [] };
  const result = await glossator().participant.handle(
    { prompt: '', command: undefined, references: [], ...request },
    history,
    stream,
    token,
  );
  return { ...stream.shown, result };
}

/** Choose who answers, and wait until the server knows. */
async function useModel(source) {
  await settings().update('model.source', source, vscode.ConfigurationTarget.Global);
  await until(`the model is ${source}`, () => {
    const { model } = glossator().server.status.report;
    return (model.endpoint === 'editor') === (source === 'editor');
  });
}

const checks = {
  async 'the extension and the server run beside others'() {
    await goTo('def total');
    await until('both extensions run', () => {
      const ids = ['glossator.glossator', 'glossator-tests.backend'];
      return ids.every((id) => vscode.extensions.getExtension(id)?.isActive);
    });
    await until('the server runs', () => glossator().server.status.report?.index.ready);
  },

  async 'callers come from the other language extensions and say so'() {
    const { markdown } = await explain(await goTo('def total'));
    assert.match(markdown, /`checkout` shop\/cart\.py:\d+ · from the editor/);
    assert.ok(others().state.asked.includes('incoming'));
  },

  async 'what other extensions report stands in the briefing, what we report does not'() {
    const editor = await goTo('cents = sum');
    const { document } = editor;
    const line = document.lineAt(editor.selection.active);
    const theirs = new vscode.Diagnostic(line.range, 'A `strange` thing', 1);
    theirs.source = 'pyright';
    const ours = new vscode.Diagnostic(line.range, 'Said by ourselves', 1);
    ours.source = 'glossator';
    others().diagnostics.set(document.uri, [theirs, ours]);
    const { markdown } = await explain(editor);
    others().diagnostics.clear();
    assert.match(markdown, /Problems the editor reports/);
    assert.match(markdown, /warning: `A 'strange' thing` \(`pyright`\)/);
    assert.doesNotMatch(markdown, /Said by ourselves/);
  },

  async 'a slow extension costs its limit and is named'() {
    const editor = await goTo('def total');
    others().state.delayMs = 4_000;
    const { markdown, notice } = await explain(editor);
    others().state.delayMs = 0;
    assert.match(markdown, /`checkout` shop\/cart\.py/);
    assert.doesNotMatch(markdown, /from the editor/);
    assert.match(notice, /callers: it did not answer in time/);
  },

  async "a language that only the editor understands is explained by the editor's symbols"() {
    const uri = vscode.Uri.joinPath(CART(), '../cart.lua');
    const text = 'local function total(cart)\n  return cart.n\nend\n';
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
    const editor = await vscode.window.showTextDocument(uri);
    const { title, markdown } = await explain(editor);
    assert.equal(title, 'total');
    assert.match(markdown, /local function total\(cart\)/);
    assert.ok(others().state.asked.includes('symbols'));
  },

  async "the editor's own model answers when it is chosen, with tools"() {
    await until('there is a model', async () => (await models()).length);
    await settings().update('model.name', 'scripted', vscode.ConfigurationTarget.Global);
    await useModel('editor');
    const editor = await goTo('def total');
    const { state } = others();
    state.requests.length = 0;
    state.replies = [
      [{ id: 'c1', name: 'read_file', input: { path: 'shop/cart.py' } }],
      ['It adds ', 'prices (shop/cart.py:17).'],
    ];
    const result = await explain(editor);
    assert.equal(result.markdown, 'It adds prices (shop/cart.py:17).', result.notice);
    assert.equal(result.byModel, true);
    assert.equal(state.requests.length, 2);
    assert.ok(state.requests[0].tools.some((tool) => tool.name === 'read_file'));
    const last = state.requests[1].messages.at(-1).content[0];
    assert.ok(last instanceof vscode.LanguageModelToolResultPart, 'the result goes back as one');
    assert.match(JSON.stringify(last.content), /class Cart/);
  },

  async "the tools of the model ask the editor's language servers"() {
    const editor = await goTo('def total');
    const { state } = others();
    const problem = new vscode.Diagnostic(editor.selection, 'Too strange', 0);
    problem.source = 'pyright';
    others().diagnostics.set(CART(), [problem]);
    state.requests.length = 0;
    const path = 'shop/cart.py';
    state.replies = [
      [
        { id: 'c1', name: 'find_definition', input: { path, line: 22, name: 'Cart' } },
        { id: 'c2', name: 'find_references', input: { path, line: 6, name: 'Cart' } },
        { id: 'c3', name: 'list_problems', input: { path } },
      ],
      ['That is all.'],
    ];
    const { byModel, notice } = await explain(editor);
    others().diagnostics.clear();
    assert.equal(byModel, true, notice);
    const results = state.requests[1].messages
      .flatMap((message) => message.content)
      .filter((part) => part instanceof vscode.LanguageModelToolResultPart)
      .map((part) => JSON.stringify(part.content));
    assert.equal(results.length, 3);
    assert.match(results[0], /From the editor.*shop\/cart\.py:6 {2}class Cart:/);
    assert.match(results[1], /From the editor.*shop\/cart\.py:22 {2}def checkout/);
    assert.match(results[2], /From the editor.*error.*Too strange.*pyright/);
  },

  async 'a model that is refused says why and what to do, and the facts are the answer'() {
    const editor = await goTo('def total');
    const { Blocked, NoPermissions, NotFound } = vscode.LanguageModelError;
    const refusals = [
      [Blocked('against the rules'), /did not want to answer.*against the rules.*other words/],
      [Blocked('quota exceeded'), /quota.*is used up.*Ask again later/],
      [NoPermissions('no'), /was not allowed.*allow it in the editor's dialog/],
      [NotFound('gone'), /no such language model.*Sign in/],
    ];
    for (const [refusal, told] of refusals) {
      others().state.replies = [[refusal]];
      const { byModel, markdown, notice } = await explain(editor);
      assert.equal(byModel, false);
      assert.match(notice, told);
      assert.match(markdown, /Cart\.total/);
    }
  },

  async 'a model that the editor does not have is named beside those that it has'() {
    const editor = await goTo('def total');
    await settings().update('model.name', 'nobody', vscode.ConfigurationTarget.Global);
    await until('the server knows', () => {
      return glossator().server.status.report.model.name === 'nobody';
    });
    const { byModel, notice } = await explain(editor);
    await settings().update('model.name', 'scripted', vscode.ConfigurationTarget.Global);
    await until('the server knows', () => {
      return glossator().server.status.report.model.name === 'scripted';
    });
    assert.equal(byModel, false);
    assert.match(notice, /no such language model.*nobody; .*scripted/);
  },

  async 'stopping the turn stops the model'() {
    const { active } = (await goTo('def total')).selection;
    others().state.replies = [['Half', 'hang']];
    const source = new vscode.CancellationTokenSource();
    const position = { line: active.line, character: active.character };
    const argument = { uri: CART().toString(), position };
    const answer = glossator().server.execute('glossator.explain', argument, {
      token: source.token,
      onEvent: (event) => event.type === 'textArrived' && source.cancel(),
    });
    await answer.catch(() => undefined);
    await until('it is cancelled', () => others().state.cancelled === 1);
  },

  async "a question in the chat is answered by the chat's own model, with its places"() {
    await useModel('endpoint');
    await goTo('def total');
    const [model] = await models();
    others().state.replies = [['It is `total` ', '(shop/cart.py:17).']];
    const asked = { prompt: 'What does `total` do?', model };
    const { markdown, references, anchors, result } = await chat(asked);
    assert.match(markdown, /It is `total` \(shop\/cart\.py:17\)\./);
    assert.equal(references.length, 1);
    assert.equal(references[0].range.start.line, 16);
    assert.deepEqual(anchors, ['shop/cart.py:17']);
    assert.equal(result.metadata.command, 'ask');
    assert.ok(result.metadata.sessionId);
  },

  async 'the commands of the chat explain, follow calls, check and say why'() {
    await goTo('def total');
    const explained = await chat({ command: 'explain' });
    assert.match(explained.markdown, /Cart\.total/);
    const chain = await chat({ command: 'chain' });
    assert.match(chain.markdown, /```mermaid/);
    assert.match(chain.markdown, /from the editor/);
    const check = await chat({ command: 'check' });
    assert.match(check.markdown, /`shop\/cart\.py`: /);
    const why = await chat({ command: 'why', prompt: 'How is money rounded?' });
    assert.match(why.markdown, /money\.md/);
    const followups = glossator().participant.followups(explained.result);
    assert.deepEqual(followups.map((each) => each.command), ['chain', 'check']);
  },

  async 'what goes wrong in the chat is told in its result'() {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const { result } = await chat({ command: 'explain' });
    assert.match(result.errorDetails.message, /Open a file/);
  },
};

exports.run = async () => {
  const { runChecks } = await import(path.join(__dirname, 'checks.mjs'));
  const counts = await runChecks('backend', checks);
  fs.writeFileSync(process.env.GLOSSATOR_TEST_RESULT, JSON.stringify(counts));
};
