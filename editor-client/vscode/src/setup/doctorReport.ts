/** The report to paste into a bug report: facts in, Markdown out, without secrets and names. */

import { hidePerson, redact } from '../shared/redaction';

export interface DoctorFacts {
  extension: string;
  editor: string;
  system: string;
  node: string;
  language: string;
  remote: string;
  server: { state: string; origin: string; version: string; python: string; message: string };
  model: { isConfigured: boolean; name: string; endpoint: string; source: string; hasKey: boolean };
  index: string;
  trust: string;
  nFolders: number;
  /** Settings that are not at their default: name, value, where it was set. */
  settings: { name: string; value: unknown; level: string }[];
  problems: readonly string[];
  /** The last lines of the log that are errors or warnings. */
  log: readonly string[];
  pythons: string;
}

/** What tells who and where the user is; taken out of every line. */
export interface Person {
  home: string;
  user: string;
  folders: readonly string[];
  keys: readonly string[];
}

const MAX_VALUE_CHARACTERS = 300;

export function renderDoctorReport(facts: DoctorFacts, person: Person): string {
  return clean(renderFacts(facts), person);
}

/** A report is written for who reads the issue: it is in English whatever the editor speaks. */
function renderFacts(facts: DoctorFacts): string {
  const { server, model } = facts;
  const lines = [
    '# Glossator: report',
    '',
    '| what | state |',
    '|---|---|',
    row('Extension', facts.extension),
    row('Server', `${server.version || 'none'}, ${server.state}`),
    row('Found by', server.origin || 'nothing'),
    row('Python of the server', server.python || 'not known'),
    row('Python for an installation', facts.pythons),
    row('Editor', facts.editor),
    row('System', facts.system),
    row('Node', facts.node),
    row('Language', facts.language),
    row('Remote', facts.remote || 'no'),
    row('Model', model.isConfigured ? `${model.name} at ${model.endpoint}` : 'none'),
    row('Model set in', model.source || 'nothing'),
    row('Key kept for it', model.hasKey ? 'yes' : 'no'),
    row('Index', facts.index),
    row('Trust', facts.trust),
    row('Workspace folders', String(facts.nFolders)),
    '',
    ...(server.message ? ['## What the server is said to lack', '', server.message, ''] : []),
    ...section('Settings that differ from their default', facts.settings.map(renderSetting)),
    ...section(
      'Problems',
      facts.problems.map((each) => `- ${each}`),
    ),
    ...section('Last errors and warnings in the log', [
      ...(facts.log.length ? ['```text', ...facts.log, '```'] : []),
    ]),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function row(name: string, value: string): string {
  return `| ${name} | ${value.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')} |`;
}

function section(title: string, lines: readonly string[]): string[] {
  return [`## ${title}`, '', ...(lines.length ? lines : ['none']), ''];
}

function renderSetting(setting: DoctorFacts['settings'][number]): string {
  const isSecret = /key|secret|token|password|headers/i.test(setting.name);
  const isTokens = /tokens/i.test(setting.name);
  const value = isSecret && !isTokens ? '"[redacted]"' : JSON.stringify(setting.value);
  const cut =
    value.length > MAX_VALUE_CHARACTERS ? `${value.slice(0, MAX_VALUE_CHARACTERS)}…` : value;
  return `- \`${setting.name}\` (${setting.level}): \`${cut}\``;
}

function clean(text: string, person: Person): string {
  const withoutFolders = [...person.folders]
    .sort((one, other) => other.length - one.length)
    .reduce(
      (rest, folder, index) => rest.replaceAll(folder, `<workspace ${index + 1}>`),
      redact(text, person.keys),
    );
  return hidePerson(withoutFolders, person.home, person.user);
}
