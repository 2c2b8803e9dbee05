import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderDoctorReport, type DoctorFacts } from '../src/setup/doctorReport';
import { redact } from '../src/shared/redaction';

const KEY = 'sk-proj-0123456789abcdef';

const facts: DoctorFacts = {
  extension: '0.1.0',
  editor: 'Visual Studio Code 1.91.0 (desktop)',
  system: 'Linux 6.1 x64',
  node: 'v20.0.0',
  language: 'en',
  remote: '',
  server: { state: 'running', origin: 'own', version: '0.1.0', python: '3.12.1', message: '' },
  model: {
    isConfigured: true,
    name: 'tiny',
    endpoint: 'https://models.example/v1',
    source: 'editor settings',
    hasKey: true,
  },
  index: '3 documents, 9 sections, 1 skills, 2 rules',
  trust: 'editor: trusted, server: trusted',
  nFolders: 1,
  settings: [],
  problems: [],
  log: [],
  pythons: '3.12 (/home/ada/.pyenv/bin/python3)',
};

const person = { home: '/home/ada', user: 'ada', folders: ['/srv/secret-project'], keys: [KEY] };

function render(part: Partial<DoctorFacts>): string {
  return renderDoctorReport({ ...facts, ...part }, person);
}

describe('the report for an issue', () => {
  it('holds versions, how the server was found and the settings that differ', () => {
    const report = render({
      settings: [{ name: 'glossator.model.contextTokens', value: 8000, level: 'user' }],
    });

    assert.match(report, /\| Extension \| 0\.1\.0 \|/);
    assert.match(report, /\| Found by \| own \|/);
    assert.match(report, /- `glossator\.model\.contextTokens` \(user\): `8000`/);
  });

  const secrets: [string, Partial<DoctorFacts>, string][] = [
    [
      'a key in a setting',
      { settings: [{ name: 'glossator.x.apiKey', value: 'hunter22', level: 'user' }] },
      'hunter22',
    ],
    [
      'a password in an address',
      {
        settings: [
          {
            name: 'glossator.shared.url',
            value: 'postgresql://ada:s3cret@db.example/x',
            level: 'user',
          },
        ],
      },
      's3cret',
    ],
    [
      'a header in the log',
      { log: ['[error] Authorization: Bearer abcdefgh12345678'] },
      'abcdefgh12345678',
    ],
    ['the key of the model in the log', { log: [`[error] asked with ${KEY}`] }, KEY],
    [
      'a key inside JSON in the log',
      { log: ['[warning] {"apiKey": "local-key-1"}'] },
      'local-key-1',
    ],
    [
      'the home folder in a setting',
      {
        settings: [
          { name: 'glossator.server.python', value: '/home/ada/v/bin/python', level: 'user' },
        ],
      },
      '/home/ada',
    ],
    [
      'the folder of the workspace',
      { problems: ['/srv/secret-project/knowledge/a.md:3 broken'] },
      'secret-project',
    ],
    ['the name of the user', { log: ['[error] cannot read /mnt/share/ada/x'] }, '/ada/'],
  ];
  for (const [what, part, secret] of secrets) {
    it(`leaves out ${what}`, () => {
      assert.ok(!render(part).includes(secret));
    });
  }

  it('leaves words alone in which the name of the user stands', () => {
    assert.match(render({ problems: ['adapter is missing'] }), /adapter is missing/);
  });
});

describe('what is taken for a secret', () => {
  it('is what the server takes for one', () => {
    assert.equal(
      redact('token=abcd1234 and https://u:p@host/x'),
      '[redacted] and https://[redacted]@host/x',
    );
    assert.equal(redact('key sk-0123456789abcdef'), 'key [redacted]');
    assert.equal(redact('-----BEGIN PRIVATE KEY-----\nabc'), '[redacted]');
    assert.equal(redact('12 tokens were used'), '12 tokens were used');
  });
});
