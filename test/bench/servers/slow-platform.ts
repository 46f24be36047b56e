import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A platform in Retell's shape that takes a fixed time for every answer and has as many calls as it is told, one every so
 * often up to a minute ago. `POST /ring` ends another one now. It counts what it was asked, and how much of it at once:
 * `GET /log`.
 */
const calls = Number(process.env['BENCH_CALLS']);
const latencyMs = Number(process.env['BENCH_LATENCY_MS']);
const everyMs = Number(process.env['BENCH_EVERY_MS'] ?? 1_000);
const newestMs = Date.now() - 60_000;
/** Starts of the calls that rang, by number. */
const rung: number[] = [];
const log = { lists: 0, reads: 0, others: 0, peak: 0 };
let atOnce = 0;

const startOf = (number: number) => newestMs - number * everyMs;

function listPage(body: string): unknown {
  const {
    limit,
    pagination_key: after,
    filter_criteria: criteria,
  } = JSON.parse(body) as {
    limit: number;
    pagination_key?: string;
    filter_criteria: { start_timestamp?: { value: [number, number] } };
  };
  if (!criteria.start_timestamp) return { items: [], has_more: false };
  const [fromMs, toMs] = criteria.start_timestamp.value;
  const first = Math.max(0, Math.ceil((newestMs - toMs) / everyMs));
  const last = Math.min(calls, Math.floor((newestMs - fromMs) / everyMs) + 1);
  const begin = after === undefined ? first : Number(after);
  const end = Math.max(begin, Math.min(last, begin + limit));
  const item = (call_id: string, start_timestamp: number) => ({ call_id, call_status: 'ended', start_timestamp });
  const live =
    after === undefined ? rung.flatMap((ms, at) => (ms >= fromMs && ms <= toMs ? [item(`rung_${at}`, ms)] : [])) : [];
  const older = Array.from({ length: end - begin }, (_, index) =>
    item(`call_${begin + index}`, startOf(begin + index)),
  );
  return { items: [...live.reverse(), ...older], has_more: end < last, pagination_key: String(end) };
}

function callOf(call_id: string, number: number, started: number): unknown {
  const said = Array.from({ length: 9 }, (_, turn) => [
    { role: 'agent', content: `Could you tell me part ${turn} of the number on your order, please?` },
    { role: 'user', content: `It is ${number} ${turn}, and I would like to move my delivery to Friday.` },
  ]).flat();
  return {
    call_id,
    call_status: 'ended',
    agent_version: 1,
    start_timestamp: started,
    end_timestamp: started + 30_000,
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
  if (path === '/ring') return void send({ call_id: `rung_${rung.push(Date.now() - 30_000) - 1}` });
  atOnce += 1;
  log.peak = Math.max(log.peak, atOnce);
  await new Promise((resolve) => setTimeout(resolve, latencyMs));
  atOnce -= 1;
  const [, id, kind, digits] = /^\/v2\/get-call\/((call|rung)_(\d+))$/.exec(path) ?? [];
  if (id !== undefined) {
    log.reads += 1;
    const number = Number(digits);
    return void send(callOf(id, number, kind === 'rung' ? (rung[number] ?? 0) : startOf(number)));
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
