import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { agentsWords, callersWords, isFound, orderIn } from '../runs/words.ts';

/**
 * Everybody who speaks in a simulated call, each answer after the same time by timer: a model in OpenAI's shape (caller,
 * judge, or an agent under test), the agent on a platform in Retell's shape, and the caller as promptfoo asks for one.
 * It counts what it was asked, by whom and how much at once: `GET /log`; `POST /reset?latencyMs=100` begins anew.
 */
interface Log {
  caller: number;
  judge: number;
  agent: number;
  others: number;
  peak: number;
  /** Milliseconds since 1970; null before the first question. */
  firstAtMs: number | null;
  /** SHA-256 of what the webhook got last. */
  hooked: string | null;
}

const fresh = (): Log => ({ caller: 0, judge: 0, agent: 0, others: 0, peak: 0, firstAtMs: null, hooked: null });
let log = fresh();
let latencyMs = 0;
let atOnce = 0;

function answerTo(path: string, body: string): unknown {
  if (path.startsWith('/agent-playground-completion/')) {
    log.agent += 1;
    return playground(body);
  }
  if (path === '/task') {
    log.caller += 1;
    return { result: callersWords(orderIn(body)) };
  }
  if (path !== '/v1/chat/completions') {
    log.others += 1;
    return null;
  }
  if (body.includes('"caller_line"')) {
    log.caller += 1;
    return completion(JSON.stringify({ say: callersWords(orderIn(body)), hangUp: false }));
  }
  if (body.includes('"verdicts"')) {
    log.judge += 1;
    return completion(JSON.stringify(verdicts(body)));
  }
  log.agent += 1;
  const order = orderIn(body);
  return completion(agentsWords(order, isFound(order, 1)));
}

function playground(body: string) {
  const { messages, dynamic_variables: variables } = JSON.parse(body) as {
    messages: unknown[];
    dynamic_variables?: { earshot_test?: string };
  };
  const order = messages.length === 0 ? null : orderIn(body);
  const attempt = Number(variables?.earshot_test?.split('/').at(-1) ?? 1);
  const content = order === null ? 'Hello, which order is it about?' : agentsWords(order, isFound(order, attempt));
  return { messages: [{ role: 'agent', content }], call_ended: false, dynamic_variables: variables ?? {} };
}

/** Met, with the agent's last words, for each criterion that is asked for. */
function verdicts(body: string) {
  const asked = JSON.parse(body) as { messages: { content: string }[] };
  const lines = (asked.messages.at(-1)?.content ?? '').split('\n').filter((line) => line.startsWith('{'));
  const read = lines.map(
    (line) => JSON.parse(line) as { criterion?: string; turn?: number; role?: string; text?: string },
  );
  const shown = read.findLast(({ role }) => role === 'agent');
  return {
    verdicts: read.flatMap(({ criterion }) =>
      criterion === undefined
        ? []
        : [
            {
              criterion,
              verdict: 'met',
              turn: shown?.turn ?? null,
              quote: shown?.text ?? null,
              because: 'It is said.',
            },
          ],
    ),
  };
}

const completion = (content: string) => ({
  id: 'answer',
  object: 'chat.completion',
  model: 'stand-in',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
  usage: { prompt_tokens: 400, completion_tokens: 20, total_tokens: 420 },
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const send = (body: unknown, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in');
  if (pathname === '/log') return void send(log);
  if (pathname === '/reset') {
    log = fresh();
    latencyMs = Number(searchParams.get('latencyMs'));
    return void send(log);
  }
  if (pathname === '/hook') {
    log.hooked = hash('sha256', Buffer.concat(chunks), 'hex');
    return void send({});
  }
  atOnce += 1;
  log.peak = Math.max(log.peak, atOnce);
  log.firstAtMs ??= Date.now();
  const said = answerTo(pathname, Buffer.concat(chunks).toString());
  if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
  atOnce -= 1;
  if (said === null) send({ message: 'not found' }, 404);
  else send(said);
}

const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ ready: true, port })}\n`);
});
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
