import type { Outbound } from '../../src/outbound/outbound.ts';
import { createElevenLabsAdapter } from '../../src/platforms/elevenlabs/adapter.ts';
import type { PlatformAdapter } from '../../src/platforms/port.ts';
import { createRetellAdapter } from '../../src/platforms/retell/adapter.ts';
import { createVapiAdapter } from '../../src/platforms/vapi/adapter.ts';
import type { ScriptedRequest } from './scripted-server.ts';

const START_MS = Date.UTC(2026, 4, 4, 9);
const MINUTE_MS = 60_000;
const at = (minute: number) => START_MS + minute * MINUTE_MS;
/** How many minutes after that moment a time is. */
export const minuteOf = (timeMs: number) => (timeMs - START_MS) / MINUTE_MS;
/** ISO time so many minutes after the moment at which these platforms are asked. */
export const iso = (minute: number) => new Date(at(minute)).toISOString();
/** A call at the platform. */
export interface Held {
  id: string;
  /** Left out where the item names none. */
  agent?: string;
  squad?: string;
  /** In minutes after the start; null where it never connected, and odd where it is text. */
  minute: number | string | null;
  goesOn?: boolean;
}

interface Asked {
  /** Agents whose calls the platform was asked for; none where it was asked for those of the account. */
  agents: string[];
  limit: number;
  cursor: string | null;
}

/** How a platform speaks of the calls of an account. */
export interface AccountSpeech {
  open(outbound: Outbound, nowMs?: () => number): PlatformAdapter;
  /** Null where the request asks for something else than calls. */
  read(request: ScriptedRequest): Asked | null;
  /** In the part of the list that is asked for. */
  isListed(request: ScriptedRequest, call: Held): boolean;
  item(call: Held): object;
  /** @param next the cursor to the next page, null on the last one. */
  page(items: unknown[], next?: string | null): unknown;
  /** How the platform refuses a cursor that it takes no more, or what stands for one. */
  expired: number;
  largestPage: number;
}

const timeOf = (minute: Held['minute']) => (typeof minute === 'number' ? at(minute) : minute);
const common = { digestSecret: (secret: string) => secret };
const START = () => at(0);

interface RetellBody {
  limit: number;
  pagination_key?: string;
  filter_criteria: { agent: { agent_id: string }[]; start_timestamp?: { value: [number, number] } };
}
const retell: AccountSpeech = {
  open: (outbound, nowMs = START) =>
    createRetellAdapter({ ...common, nowMs, outbound, platform: 'retell', label: 'Retell', defaultBaseUrl: null }),
  read({ path, body }) {
    if (path !== '/v3/list-calls') return null;
    const { limit, pagination_key = null, filter_criteria: filter } = body as RetellBody;
    return { agents: filter.agent.map(({ agent_id }) => agent_id), limit, cursor: pagination_key };
  },
  isListed({ body }, { minute }) {
    const range = (body as RetellBody).filter_criteria.start_timestamp?.value;
    const startMs = timeOf(minute);
    if (!range || startMs === null) return !range && startMs === null;
    return typeof startMs === 'string' || (startMs >= range[0] && startMs <= range[1]);
  },
  item: ({ id, agent, minute, goesOn }) => ({
    call_id: id,
    agent_id: agent,
    call_status: goesOn ? 'ongoing' : minute === null ? 'not_connected' : 'ended',
    ...(minute === null ? {} : { start_timestamp: timeOf(minute) }),
  }),
  page: (items, next = null) => ({ items, has_more: next !== null, pagination_key: next }),
  expired: 422,
  largestPage: 1_000,
};

/** A call that never connected was made a minute before. */
const madeAt = ({ minute }: Held) => at(typeof minute === 'number' ? minute : -1);
const vapi: AccountSpeech = {
  open: (outbound, nowMs = START) => createVapiAdapter({ ...common, nowMs, outbound }),
  read({ path, query }) {
    if (path !== '/call') return null;
    const agent = query.get('assistantId');
    return { agents: agent === null ? [] : [agent], limit: Number(query.get('limit')), cursor: null };
  },
  isListed: ({ query }, call) => madeAt(call) <= Date.parse(query.get('createdAtLe') ?? ''),
  item: (call) => ({
    id: call.id,
    assistantId: call.agent,
    squadId: call.squad,
    status: call.goesOn ? 'in-progress' : 'ended',
    createdAt: new Date(madeAt(call)).toISOString(),
    ...(typeof call.minute === 'number' ? { startedAt: iso(call.minute) } : {}),
  }),
  page: (items) => items,
  expired: 400,
  largestPage: 100,
};

const elevenlabs: AccountSpeech = {
  open: (outbound, nowMs = START) => createElevenLabsAdapter({ ...common, nowMs, outbound }),
  read({ path, query }) {
    if (path !== '/v1/convai/conversations') return null;
    const agent = query.get('agent_id');
    const limit = Number(query.get('page_size'));
    return { agents: agent === null ? [] : [agent], limit, cursor: query.get('cursor') };
  },
  isListed({ query }, { minute }) {
    const startMs = timeOf(minute);
    if (typeof startMs !== 'number') return true;
    const bound = (name: string) => Number(query.get(name)) * 1_000;
    return startMs >= bound('call_start_after_unix') && startMs <= bound('call_start_before_unix');
  },
  item: ({ id, agent, minute, goesOn }) => ({
    conversation_id: id,
    agent_id: agent,
    status: goesOn ? 'in-progress' : 'done',
    start_time_unix_secs: typeof minute === 'number' ? at(minute) / 1_000 : minute,
  }),
  page: (items, next = null) => ({ conversations: items, has_more: next !== null, next_cursor: next }),
  expired: 400,
  largestPage: 100,
};

/** A page of what the account holds, newest first. Where `isDeaf`, the platform takes no notice of the agents it is asked for. */
export function answerOf(
  speech: AccountSpeech,
  request: ScriptedRequest,
  held: readonly Held[],
  isDeaf = false,
): unknown {
  const asked = speech.read(request);
  // Vapi is asked first what the only agent is.
  if (asked === null) return { id: request.path.split('/').at(-1) };
  const isOf = ({ agent = '' }: Held) => isDeaf || asked.agents.length === 0 || asked.agents.includes(agent);
  const listed = held
    .filter((call) => isOf(call) && speech.isListed(request, call))
    .toSorted((a, b) => madeAt(b) - madeAt(a) || (a.id < b.id ? -1 : 1));
  const begin = asked.cursor === null ? 0 : listed.findIndex(({ id }) => id === asked.cursor) + 1;
  const items = listed.slice(begin, begin + asked.limit);
  const next = begin + asked.limit < listed.length ? (items.at(-1)?.id ?? null) : null;
  return speech.page(items.map(speech.item), next);
}

export const ACCOUNTS: Record<'retell' | 'vapi' | 'elevenlabs', AccountSpeech> = { retell, vapi, elevenlabs };
