import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the stand-in does with a call that is asked for. */
export type CallBehaviour =
  | { kind: 'call'; payload: Record<string, unknown> }
  | { kind: 'ongoing' }
  | { kind: 'gone' }
  | { kind: 'status'; status: number }
  | { kind: 'html' };

/** A platform in Retell's shape whose every answer a test decides; its log is the witness of what was asked. */
export interface StandInPlatform {
  url: string;
  calls: Map<string, CallBehaviour>;
  /** Agents of the account, as `list-agents` shows them. Where there are none, each call is whose calls are asked for. */
  agentIds: string[];
  /** Lists of calls of more agents than these are refused; null takes all. */
  agentsInAList: number | null;
  /** A list that names this agent among others is refused. */
  unknownAgent: string | null;
  /** Of how many agents each list was asked for; `refused` where it was not given. */
  lists: { agents: number; refused: boolean }[];
  /** Answers that come before anything else, one a request; each is used once. */
  next: { status: number; headers?: Record<string, string> }[];
  /** Every answer while it is set. */
  always: { status: number; headers?: Record<string, string> } | null;
  /** Reads of these calls are to come back in an hour. */
  keptBack: RegExp | null;
  /** Takes no cursor of its own any more. */
  refusesCursors: boolean;
  /** Milliseconds before each answer. */
  delayMs: number;
  /** Gives so many different calls at most: reads of others wait for their answer. Null gives all. */
  giveAtMost(calls: number | null): void;
  log: string[];
  /** How many requests were told that there are too many. */
  refused: number;
  /** How often a call was read. */
  reads(callId: string): number;
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const HELD_MS = 20;

export async function startStandInPlatform(): Promise<StandInPlatform> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '';
    platform.log.push(`${request.method} ${path}`);
    if (platform.delayMs > 0) await sleep(platform.delayMs);
    const forced = platform.next.shift() ?? platform.always;
    if (forced?.status === 429) platform.refused += 1;
    if (forced) return send(response, forced.status, { message: 'not now' }, forced.headers);
    if (path === '/v3/list-calls') {
      const asked = Buffer.concat(chunks).toString();
      if (platform.refusesCursors && asked.includes('pagination_key'))
        return send(response, 422, { message: 'expired' });
      const agents = agentsOf(asked);
      const isUnknown = agents.some(({ agent_id }) => agent_id === platform.unknownAgent);
      const refused = isUnknown || agents.length > (platform.agentsInAList ?? agents.length);
      platform.lists.push({ agents: agents.length, refused });
      if (refused) return send(response, 422, { message: 'these agents are not listed together' });
      return send(response, 200, listPage(platform, asked));
    }
    if (path === '/get-api-key-info') return send(response, 200, { api_key_name: 'key' });
    if (path.startsWith('/v2/list-agents')) {
      const items = platform.agentIds.map((agent_id) => ({ agent_id, user_modified_timestamp: 1 }));
      return send(response, 200, { items, has_more: false });
    }
    const [, callId] = /^\/v2\/get-call\/([^/]+)$/.exec(path) ?? [];
    if (callId !== undefined && platform.keptBack?.test(callId))
      return send(response, 503, { message: 'not now' }, { 'retry-after': '3600' });
    while (callId !== undefined && isHeld(callId) && !request.socket.destroyed) await sleep(HELD_MS);
    if (callId !== undefined) return sendCall(response, platform.calls.get(decodeURIComponent(callId)));
    return send(response, 404, { message: 'not found' });
  }
  const given = new Set<string>();
  let most = Number.POSITIVE_INFINITY;
  function isHeld(callId: string): boolean {
    if (given.size >= most && !given.has(callId)) return true;
    given.add(callId);
    return false;
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const platform: StandInPlatform = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: new Map(),
    agentIds: [],
    agentsInAList: null,
    unknownAgent: null,
    lists: [],
    next: [],
    always: null,
    keptBack: null,
    refusesCursors: false,
    delayMs: 0,
    giveAtMost(calls) {
      if (most === Number.POSITIVE_INFINITY) given.clear();
      most = calls ?? Number.POSITIVE_INFINITY;
    },
    log: [],
    refused: 0,
    reads: (callId) => platform.log.filter((line) => line === `GET /v2/get-call/${callId}`).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return platform;
}

interface ListRequest {
  limit: number;
  pagination_key?: string;
  filter_criteria: {
    agent: { agent_id: string }[];
    start_timestamp?: { value: [number, number] };
    call_status?: unknown;
  };
}

const agentsOf = (body: string) => (JSON.parse(body) as ListRequest).filter_criteria.agent;

function listPage({ calls, agentIds }: StandInPlatform, body: string) {
  const asked = JSON.parse(body) as ListRequest;
  const { start_timestamp: starts, call_status: onlyUndated } = asked.filter_criteria;
  const [from, to] = starts?.value ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const agents = new Set<unknown>(agentsOf(body).map(({ agent_id }) => agent_id));
  const listed = [...calls]
    .map(([call_id, behaviour]) => ({ call_id, ...listing(behaviour) }))
    .filter(({ agent_id }) => agentIds.length === 0 || agent_id === undefined || agents.has(agent_id))
    .filter(({ start_timestamp: at }) =>
      at === null ? onlyUndated || !starts : !onlyUndated && at >= from && at <= to,
    )
    .sort((a, b) => (b.start_timestamp ?? 0) - (a.start_timestamp ?? 0) || (a.call_id < b.call_id ? -1 : 1));
  const begin = asked.pagination_key ? listed.findIndex(({ call_id }) => call_id === asked.pagination_key) + 1 : 0;
  const items = listed.slice(begin, begin + asked.limit);
  const has_more = begin + asked.limit < listed.length;
  return { items, has_more, ...(has_more ? { pagination_key: items.at(-1)?.call_id } : {}) };
}

function listing(behaviour: CallBehaviour): {
  agent_id?: unknown;
  call_status: string;
  start_timestamp: number | null;
} {
  const recent = Date.now() - HOUR_MS;
  if (behaviour.kind === 'ongoing') return { call_status: 'ongoing', start_timestamp: recent };
  if (behaviour.kind !== 'call') return { call_status: 'ended', start_timestamp: recent };
  const { agent_id, call_status, start_timestamp } = behaviour.payload;
  return {
    agent_id,
    call_status: typeof call_status === 'string' ? call_status : 'ended',
    start_timestamp: typeof start_timestamp === 'number' ? start_timestamp : null,
  };
}

function sendCall(response: ServerResponse, behaviour: CallBehaviour | undefined): void {
  switch (behaviour?.kind) {
    case 'call':
      return send(response, 200, behaviour.payload);
    case 'ongoing':
      return send(response, 200, { call_id: 'x', call_status: 'ongoing' });
    case 'status':
      return send(response, behaviour.status, { message: 'no' });
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>maintenance</html>');
      return;
    case 'gone':
    case undefined:
      return send(response, 404, { message: 'not found' });
  }
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export interface CallShape {
  /** Start in minutes before now. */
  minutesAgo?: number;
  version?: number;
  /** A tool that fails with this status, or none. */
  failingTool?: string;
  caller?: string;
  costCents?: number;
}

/** A call in Retell's shape: a short booking that goes well, or whose tool fails. */
export function retellCall(callId: string, shape: CallShape = {}): CallBehaviour {
  const start = Date.now() - (shape.minutesAgo ?? 60) * 60_000;
  const says = (role: 'agent' | 'user', content: string, at: number) => ({
    role,
    content,
    words: content.split(' ').map((word, index) => ({ word, start: at + index * 0.3, end: at + index * 0.3 + 0.25 })),
  });
  const tool = shape.failingTool ?? 'book_table';
  const result = shape.failingTool
    ? { successful: false, content: JSON.stringify({ error: 'upstream timeout', status: 504 }) }
    : { successful: true, content: JSON.stringify({ booked: true, reference: 'T-204' }) };
  const turns = [
    says('agent', 'Hello, this is the restaurant. How can I help you?', 0.2),
    says('user', shape.caller ?? 'I would like to book a table for two tonight at seven.', 3.5),
    {
      role: 'tool_call_invocation',
      tool_call_id: `${callId}-1`,
      name: tool,
      arguments: '{"people":2,"time":"19:00"}',
      time_sec: 8,
    },
    { role: 'tool_call_result', tool_call_id: `${callId}-1`, ...result, time_sec: 9.1 },
    says(
      'agent',
      shape.failingTool
        ? 'I am sorry, something went wrong on my side.'
        : 'Done, your table for two is booked for seven.',
      9.6,
    ),
    says('user', shape.failingTool ? 'Okay, never mind then.' : 'Great, thank you, goodbye.', 13),
  ];
  return {
    kind: 'call',
    payload: {
      call_id: callId,
      agent_id: 'agent_stand_in',
      agent_version: shape.version ?? 1,
      call_type: 'phone_call',
      direction: 'inbound',
      from_number: '+15550100',
      call_status: 'ended',
      start_timestamp: start,
      end_timestamp: start + 16_000,
      duration_ms: 16_000,
      disconnection_reason: 'user_hangup',
      ...(shape.costCents === undefined ? {} : { call_cost: { combined_cost: shape.costCents } }),
      transcript_with_tool_calls: turns,
    },
  };
}
