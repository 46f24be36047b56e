import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A platform in Retell's shape with any number of agents, which have no calls until `POST /ring/<agent>` ends one. It notes when
 * each account's calls were listed, by the first of its agents, how many requests came in all, and how many at most in a second
 * with one key: `GET /log`.
 */
const calls = new Map<string, { call_id: string; started: number }[]>();
const listedAt = new Map<string, number[]>();
const inASecond = new Map<string, number>();
let requests = 0;

interface ListBody {
  filter_criteria: { agent?: { agent_id?: string }[]; start_timestamp?: unknown };
}

function listCalls(body: string): unknown {
  const { agent, start_timestamp: window } = (JSON.parse(body) as ListBody).filter_criteria;
  const ids = (agent ?? []).map(({ agent_id = '' }) => agent_id);
  const [account] = ids;
  const isDated = window !== undefined;
  // An account is listed by all its agents at once; imports list one of them.
  if (isDated && ids.length > 1 && account !== undefined)
    listedAt.set(account, [...(listedAt.get(account) ?? []), Date.now()]);
  const items = isDated
    ? ids.flatMap((agent_id) =>
        (calls.get(agent_id) ?? []).map(({ call_id, started }) => ({
          call_id,
          agent_id,
          call_status: 'ended',
          start_timestamp: started,
        })),
      )
    : [];
  return { items: items.toSorted((a, b) => b.start_timestamp - a.start_timestamp), has_more: false };
}

function ring(agent: string): unknown {
  const own = calls.get(agent) ?? [];
  const call = { call_id: `${agent}_call_${own.length}`, started: Date.now() - 60_000 };
  calls.set(agent, [...own, call]);
  return call;
}

function callOf(id: string): unknown {
  const started = [...calls.values()].flat().find(({ call_id }) => call_id === id)?.started ?? 0;
  return {
    call_id: id,
    call_status: 'ended',
    agent_version: 1,
    start_timestamp: started,
    end_timestamp: started + 30_000,
    disconnection_reason: 'user_hangup',
    transcript_object: [
      { role: 'agent', content: 'Hello, how may I help you?' },
      { role: 'user', content: 'I would like to move my delivery to Friday.' },
      { role: 'agent', content: 'Your delivery was moved to Friday.' },
    ],
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const send = (body: unknown, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const [path = ''] = (request.url ?? '').split('?');
  const [, of, id = ''] = /^\/(ring|v2\/get-call|list-agent-versions)\/(.+)$/.exec(path) ?? [];
  if (path === '/log')
    return void send({
      requests,
      listedAt: Object.fromEntries(listedAt),
      mostInASecond: [...inASecond.values()].reduce((most, count) => Math.max(most, count), 0),
    });
  if (of === 'ring') return void send(ring(id));
  requests += 1;
  const second = `${request.headers.authorization} ${Math.floor(Date.now() / 1000)}`;
  inASecond.set(second, (inASecond.get(second) ?? 0) + 1);
  if (of === 'v2/get-call') return void send(callOf(id));
  if (of === 'list-agent-versions') return void send({ items: [{ version: 1, is_published: true }], has_more: false });
  if (path === '/v2/list-agents') return void send({ items: [], has_more: false });
  if (path === '/v2/list-phone-numbers') return void send({ items: [], has_more: false });
  if (path === '/v3/list-calls') return void send(listCalls(Buffer.concat(chunks).toString()));
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
