import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { FORM_STRINGS } from '../src/shared/formStrings';
import { PANEL_STRINGS } from '../src/shared/strings';

interface Manifest {
  activationEvents: string[];
  contributes: {
    commands: { command: string }[];
    menus: Record<string, { command?: string; when?: string }[]>;
    configuration: { properties: Record<string, { scope: string }> }[];
  };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
}

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(name, 'utf8')) as T;
}

const manifestText = readFileSync('package.json', 'utf8');
const manifest = JSON.parse(manifestText) as Manifest;
const english = readJson<Record<string, string>>('package.nls.json');
const chinese = readJson<Record<string, string>>('package.nls.zh-cn.json');
const bundle = readJson<Record<string, string>>('l10n/bundle.l10n.zh-cn.json');
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(path.join('src', name), 'utf8'))
  .join('\n');

/** The texts given to `vscode.l10n.t`, and those of the panels. */
function listTexts(): string[] {
  const calls = sources.matchAll(/l10n\.t\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g);
  const texts = [...calls].map((match) => (match[1] ?? match[2] ?? '').replaceAll("\\'", "'"));
  return [
    ...new Set([...texts, ...Object.values(PANEL_STRINGS), ...Object.values(FORM_STRINGS)]),
  ].sort();
}

describe('the manifest', () => {
  it('names texts that exist in both languages', () => {
    const used = [...manifestText.matchAll(/"%([^%]+)%"/g)].map((match) => match[1] ?? '');

    assert.deepEqual([...new Set(used)].sort(), Object.keys(english).sort());
    assert.deepEqual(Object.keys(chinese).sort(), Object.keys(english).sort());
  });

  it('declares the commands that the code registers', () => {
    const registered = [...sources.matchAll(/^ {4}'(glossator\.[\w.]+)': \(/gm)].map((m) => m[1]);

    assert.deepEqual(
      manifest.contributes.commands.map((each) => each.command).sort(),
      registered.sort(),
    );
  });

  it('starts for what the editor calls the files of a team, which is not always Markdown', () => {
    for (const language of ['markdown', 'skill', 'instructions', 'prompt', 'chatagent']) {
      assert.ok(manifest.activationEvents.includes(`onLanguage:${language}`), language);
    }
  });

  it('offers why in the title of knowledge, skills and instructions, and of no other Markdown', () => {
    const [{ when = '' } = {}] = manifest.contributes.menus['editor/title'] ?? [];
    const [name, path] = [...when.matchAll(/=~ \/((?:\\\/|[^/])+)\//g)].map(
      (match) => new RegExp(match[1] ?? ''),
    );
    const isOffered = (file: string) =>
      [name?.test(file.split('/').at(-1) ?? ''), path?.test(file)].includes(true);

    for (const file of [
      '/w/AGENTS.md',
      '/w/pkg/CLAUDE.local.md',
      '/w/.github/instructions/a.instructions.md',
      '/w/.cursor/rules/a.mdc',
      '/w/.cursorrules',
      '/w/skills/x/SKILL.md',
      '/w/docs/adr/1.md',
      'C:\\w\\knowledge\\钱.md',
    ]) {
      assert.ok(isOffered(file), file);
    }
    for (const file of ['/w/README.md', '/w/docs/guide.md', '/w/knowledge/a.py']) {
      assert.ok(!isOffered(file), file);
    }
  });

  it('keeps a workspace from naming the model or, untrusted, the server', () => {
    const properties = manifest.contributes.configuration.flatMap((section) =>
      Object.entries(section.properties),
    );
    const model = properties.filter(([key]) => key.startsWith('glossator.model.'));

    assert.ok(model.length > 5);
    assert.deepEqual([...new Set(model.map(([, { scope }]) => scope))], ['machine']);
    assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, [
      'glossator.server.command',
      'glossator.server.python',
    ]);
    assert.ok(!properties.some(([key]) => /apiKey/i.test(key)));
  });
});

describe('the Chinese interface', () => {
  it('translates every text and no text that is gone', () => {
    assert.deepEqual(Object.keys(bundle).sort(), listTexts());
  });

  it('keeps the values of each text', () => {
    const values = (text: string) => [...text.matchAll(/\{\d\}|`[^`]*`/g)].map((m) => m[0]).sort();
    for (const [key, text] of Object.entries(bundle)) {
      assert.deepEqual(values(text), values(key), key);
    }
  });
});
