import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { MARKS_AT_MOST, marksOf, openCursor, rememberMarks, sealCursor } from '../cursor.ts';
import { inHalves } from '../in-halves.ts';
import { boundsOf, isInSlice } from '../in-slice.ts';
import { idOf, numberOf, textOf } from '../lenient.ts';
import { onlyAgentOf, pageOfAgent, reachedBy } from '../of-account.ts';
import type { PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import {
  type AccountListing,
  type AccountPage,
  type CallPage,
  type ListAccountQuery,
  type ListCallsQuery,
  PlatformError,
} from '../port.ts';
import { clockTime } from '../start-time.ts';
import { retellPage } from './payloads.ts';

const LARGEST_PAGE = 1_000;
const FAR_FUTURE_MS = Date.UTC(2100, 0, 1);
/** Pages without a start time are read only so far: they sort behind all others and grow without end on outbound lines. */
const PAGES_WITHOUT_START = 5;

/**
 * Where the walk stands. A start filter never finds calls that did not connect, as those have no start: a second part
 * lists them by status. `seen` holds digests of pages and keys, so that a platform that goes round in circles is noticed.
 */
const cursorShape = z.object({
  part: z.enum(['dated', 'undated']),
  key: z.string().nullable(),
  pages: z.number().int(),
  size: z.number().int().optional(),
  seen: z.array(z.string()).max(MARKS_AT_MOST),
});
type Cursor = z.infer<typeof cursorShape>;

interface Item extends AccountListing {
  sortedAtMs: number | null;
}

type Window = Omit<ListCallsQuery, 'providerAgentId'> & Pick<ListAccountQuery, 'providerAgentIds'>;

export async function listRetellCalls(
  client: PlatformClient,
  connection: PlatformConnection,
  { providerAgentId, ...query }: ListCallsQuery,
  nowMs: number,
): Promise<CallPage> {
  return pageOfAgent(await listOfAgents(client, connection, { ...query, providerAgentIds: [providerAgentId] }, nowMs));
}

/** Calls of several agents: the platform takes all of them in one filter. */
export const listRetellAccount: (
  client: PlatformClient,
  connection: PlatformConnection,
  query: ListAccountQuery,
  nowMs: number,
) => Promise<AccountPage> = listOfAgents;

async function listOfAgents(
  client: PlatformClient,
  connection: PlatformConnection,
  query: Window,
  nowMs: number,
): Promise<AccountPage> {
  const cursor = query.cursor === null ? firstCursor('dated') : openCursor(cursorShape, query.cursor);
  const largest = Math.max(1, Math.min(query.pageSize, LARGEST_PAGE));
  const { body, next } = await inHalves(Math.min(largest, cursor.size ?? largest), (limit) =>
    client.send(connection, {
      method: 'POST',
      path: '/v3/list-calls',
      doing: 'listing calls',
      items: limit,
      json: {
        filter_criteria: filterOf(query, cursor.part),
        sort_order: 'descending',
        limit,
        ...(cursor.key === null ? {} : { pagination_key: cursor.key }),
      },
    }),
  );
  const page = retellPage.safeParse(body);
  if (!page.success) throw new PlatformError('bad_answer', 'The list of calls did not have the documented shape.');

  const asked = onlyAgentOf(query);
  const listed = page.data.items.map((item) => readListing(item, asked, nowMs)).filter((item) => item !== null);
  const isDated = cursor.part === 'dated';
  const isWanted = ({ startedAt, sortedAtMs }: Item) => (isDated ? isInSlice(query, sortedAtMs) : startedAt === null);
  const items = listed.filter(isWanted).map(({ sortedAtMs: _, ...listing }) => listing);
  const nextKey = page.data.has_more === false ? null : page.data.pagination_key;
  const marks = marksOf(
    listed.map((item) => item.providerCallId),
    nextKey,
  );
  const stalled = nextKey !== null && (nextKey === cursor.key || marks.some((mark) => cursor.seen.includes(mark)));
  return {
    items,
    stalled,
    nextCursor: nextCursor({ query, cursor: { ...cursor, size: next }, nextKey: stalled ? null : nextKey, marks }),
    reachedAt: isDated ? reachedBy(listed, query.to) : null,
    nextPart: nextPart(query, cursor),
  };
}

function nextCursor(step: { query: Window; cursor: Cursor; nextKey: string | null; marks: string[] }): string | null {
  const { query, cursor, nextKey, marks } = step;
  const pages = cursor.pages + 1;
  const goesOn = nextKey !== null && !(cursor.part === 'undated' && pages >= PAGES_WITHOUT_START);
  if (goesOn) return sealCursor({ ...cursor, key: nextKey, pages, seen: rememberMarks(cursor.seen, marks) });
  return nextPart(query, cursor);
}

function nextPart({ from, to, slice }: Window, { part }: Cursor): string | null {
  const hasUndatedPart = (from !== null || to !== null) && (slice?.since ?? null) === null;
  return part === 'dated' && hasUndatedPart ? sealCursor(firstCursor('undated')) : null;
}

function filterOf(query: Window, part: Cursor['part']): JsonObject {
  const agent: Json = query.providerAgentIds.map((id) => ({ agent_id: id }));
  if (part === 'undated') return { agent, call_status: { type: 'enum', op: 'in', value: ['not_connected', 'error'] } };
  const { from, to } = boundsOf(query);
  if (from === null && to === null) return { agent };
  const range = [from === null ? 0 : Date.parse(from), to === null ? FAR_FUTURE_MS : Date.parse(to)];
  return { agent, start_timestamp: { type: 'range', op: 'bt', value: range } };
}

/**
 * @param asked the agent whose calls alone were asked for: all of them are its own, whatever an item says
 * @returns null for an item without an id, which nothing could be fetched by.
 */
function readListing(item: unknown, asked: string | null, nowMs: number): Item | null {
  if (!isJsonObject(item)) return null;
  const providerCallId = idOf(item.call_id);
  if (providerCallId === null) return null;
  const sortedAtMs = numberOf(item.start_timestamp);
  const startedAt = clockTime(sortedAtMs, { what: 'start', nowMs, warnings: [] });
  const agentId = asked ?? idOf(item.agent_id);
  const providerAgentIds = agentId === null ? [] : [agentId];
  return { providerCallId, startedAt, sortedAtMs, over: isOver(item), providerAgentIds };
}

/** Statuses that are not known yet count as over once the call has an end or an end reason. */
export function isOver(call: JsonObject): boolean {
  const status = textOf(call.call_status);
  if (status === 'registered' || status === 'ongoing') return false;
  if (status === null || ['ended', 'error', 'not_connected'].includes(status)) return true;
  return numberOf(call.end_timestamp) !== null || textOf(call.disconnection_reason) !== null;
}

const firstCursor = (part: Cursor['part']): Cursor => ({ part, key: null, pages: 0, seen: [] });
