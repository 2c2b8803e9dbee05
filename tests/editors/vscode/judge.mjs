/**
 * A model for the code suite: it judges a bare `except:` by the rule `name-errors`, proposes a
 * repair, writes a check for that rule, and answers everything else in pieces that name places.
 */

import { createServer } from 'node:http';
import { Gate } from './gate.mjs';

const CLAIM = {
  rule: 'name-errors',
  rule_quote: 'Name the errors that are expected',
  code: 'except:  # all',
  line: 26,
  message: 'Every error is hidden here.',
  fix: 'except KeyError:  # all',
};

const ANSWER = `The amount is converted **once**, see shop/prices.py:6, and rounded half up
(shop/prices.py:11). A currency without a rate ends in a \`KeyError\`: name it.

\`\`\`python
except KeyError:
    return ""
\`\`\`
`;

const DRAFT = `\`\`\`check
language: python
message: Name the error.
rule: {kind: except_clause, regex: "^except:"}
\`\`\`
\`\`\`python bad
try:
    read()
except:
    pass
\`\`\`
\`\`\`python good
try:
    read()
except ValueError:
    pass
\`\`\`
`;

export async function startJudge() {
  const gate = new Gate();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += piece));
    request.on('end', () => void reply(JSON.parse(body), response, gate));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    hold: (look) => gate.hold(look),
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

async function reply({ messages = [] }, response, gate) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const send = (delta, finish = null) => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  await gate.say(writeAnswer(messages).match(/[\s\S]{1,8}/g), 15, send);
  send({}, 'stop');
  response.end('data: [DONE]\n\n');
}

function writeAnswer(messages) {
  const [first, ...others] = messages.map(({ content }) => String(content));
  const code = others.join('\n');
  if (first?.startsWith('You check code')) {
    return JSON.stringify({ findings: code.includes('except:') ? [CLAIM] : [] });
  }
  if (first?.startsWith('Somebody claims')) {
    return JSON.stringify({ verdicts: [{ claim: 1, why: 'none', holds: true }] });
  }
  return first?.startsWith('You turn one written convention') ? DRAFT : ANSWER;
}
