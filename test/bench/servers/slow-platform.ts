import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A platform in Retell's shape that takes a fixed time for every answer and has as many calls as it is told. It counts
 * what it was asked, and how much of it at once: `GET /log`.
 */
const calls = Number(process.env['BENCH_CALLS']);
const latencyMs = Number(process.env['BENCH_LATENCY_MS']);
const newestMs = Date.now() - 60_000;
const log = { lists: 0, reads: 0, others: 0, peak: 0 };
let atOnce = 0;

const startOf = (number: number) => newestMs - number * 1_000;

function listPage(body: string): unknown {
  const {
    limit,
    pagination_key: after,
    filter_criteria: criteria,
  } = JSON.parse(body) as {
    limit: number;
    pagination_key?: string;
    filter_criteria: Record<string, unknown>;
  };
  if (!('start_timestamp' in criteria)) return { items: [], has_more: false };
  const begin = after === undefined ? 0 : Number(after);
  const end = Math.min(calls, begin + limit);
  const items = Array.from({ length: end - begin }, (_, index) => {
    const number = begin + index;
    return { call_id: `call_${number}`, call_status: 'ended', start_timestamp: startOf(number) };
  });
  return { items, has_more: end < calls, pagination_key: String(end) };
}

function callOf(number: number): unknown {
  const started = startOf(number);
  const said = Array.from({ length: 9 }, (_, turn) => [
    { role: 'agent', content: `Could you tell me part ${turn} of the number on your order, please?` },
    { role: 'user', content: `It is ${number} ${turn}, and I would like to move my delivery to Friday.` },
  ]).flat();
  return {
    call_id: `call_${number}`,
    call_status: 'ended',
    agent_version: 1,
    start_timestamp: started,
    end_timestamp: started + 90_000,
    disconnection_reason: 'user_hangup',
    transcript_object: [...said, { role: 'agent', content: 'Your delivery was moved to Friday.' }],
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const send = (body: unknown, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const path = request.url ?? '';
  if (path === '/log') return void send(log);
  atOnce += 1;
  log.peak = Math.max(log.peak, atOnce);
  await new Promise((resolve) => setTimeout(resolve, latencyMs));
  atOnce -= 1;
  const [, number] = /^\/v2\/get-call\/call_(\d+)$/.exec(path) ?? [];
  if (number !== undefined) {
    log.reads += 1;
    return void send(callOf(Number(number)));
  }
  if (path === '/v3/list-calls') {
    log.lists += 1;
    return void send(listPage(Buffer.concat(chunks).toString()));
  }
  log.others += 1;
  send({ message: 'not found' }, 404);
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
