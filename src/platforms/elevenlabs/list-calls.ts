import { z } from 'zod';
import { isJsonObject } from '../../domain/json.ts';
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
import { isOver } from './normalise.ts';
import { conversationPage } from './payloads.ts';

const LARGEST_PAGE = 100;

interface Item extends AccountListing {
  sortedAtMs: number | null;
}

const cursorShape = z.object({
  key: z.string(),
  size: z.number().int().optional(),
  seen: z.array(z.string()).max(MARKS_AT_MOST),
});

/** Of one agent, or of the whole account. */
type Window = Omit<ListCallsQuery, 'providerAgentId'> & { agentId: string | null };

/** Conversations of an agent, newest first. */
export async function listConversations(
  client: PlatformClient,
  connection: PlatformConnection,
  { providerAgentId: agentId, ...query }: ListCallsQuery,
  nowMs: number,
): Promise<CallPage> {
  return pageOfAgent(await listPage(client, connection, { ...query, agentId }, nowMs));
}

/** Conversations of several agents: those of the account, as the platform filters by one agent or by none. */
export function listAccountConversations(
  client: PlatformClient,
  connection: PlatformConnection,
  query: ListAccountQuery,
  nowMs: number,
): Promise<AccountPage> {
  return listPage(client, connection, { ...query, agentId: onlyAgentOf(query) }, nowMs);
}

async function listPage(
  client: PlatformClient,
  connection: PlatformConnection,
  query: Window,
  nowMs: number,
): Promise<AccountPage> {
  const cursor = query.cursor === null ? null : openCursor(cursorShape, query.cursor);
  const largest = Math.max(1, Math.min(query.pageSize, LARGEST_PAGE));
  const { body, next } = await inHalves(Math.min(largest, cursor?.size ?? largest), (asked) => {
    const path = `/v1/convai/conversations?${search(query, cursor?.key ?? null, asked).toString()}`;
    return client.send(connection, { method: 'GET', path, doing: 'listing calls', items: asked });
  });
  const page = conversationPage.safeParse(body);
  if (!page.success) throw new PlatformError('bad_answer', 'The list of calls did not have the documented shape.');
  const listed = page.data.conversations
    .map((entry) => readListing(entry, query.agentId, nowMs))
    .filter((item) => item !== null);
  const items = listed
    .filter(({ sortedAtMs }) => isInSlice(query, sortedAtMs))
    .map(({ sortedAtMs: _, ...listing }) => listing);
  const nextKey = page.data.has_more === false ? null : page.data.next_cursor;
  const marks = marksOf(
    listed.map(({ providerCallId }) => providerCallId),
    nextKey,
  );
  const seen = cursor?.seen ?? [];
  const stalled = nextKey !== null && (nextKey === cursor?.key || marks.some((mark) => seen.includes(mark)));
  const goesOn = nextKey !== null && !stalled;
  return {
    items,
    stalled,
    nextCursor: goesOn ? sealCursor({ key: nextKey, size: next, seen: rememberMarks(seen, marks) }) : null,
    reachedAt: reachedBy(listed, query.to),
    nextPart: null,
  };
}

function search(query: Window, key: string | null, pageSize: number): URLSearchParams {
  const params = new URLSearchParams({
    ...(query.agentId === null ? {} : { agent_id: query.agentId }),
    page_size: String(pageSize),
    sort_direction: 'desc',
  });
  const seconds = (iso: string, round: (value: number) => number) => String(round(Date.parse(iso) / 1000));
  // Starts are whole seconds: the window is widened to them, and what is met twice is stored once.
  const { from, to } = boundsOf(query);
  if (from !== null)
    params.set(
      'call_start_after_unix',
      seconds(from, (value) => Math.floor(value) - 1),
    );
  if (to !== null)
    params.set(
      'call_start_before_unix',
      seconds(to, (value) => Math.ceil(value) + 1),
    );
  if (key !== null) params.set('cursor', key);
  return params;
}

/**
 * @param asked the agent whose calls alone were asked for: all of them are its own, whatever an item says
 * @returns null for an item without an id, which nothing could be fetched by.
 */
function readListing(entry: unknown, asked: string | null, nowMs: number): Item | null {
  if (!isJsonObject(entry)) return null;
  const providerCallId = idOf(entry.conversation_id);
  if (providerCallId === null) return null;
  const seconds = numberOf(entry.start_time_unix_secs);
  const sortedAtMs = seconds === null || seconds === 0 ? null : seconds * 1000;
  const startedAt = clockTime(sortedAtMs, { what: 'start', nowMs, warnings: [] });
  const agentId = asked ?? idOf(entry.agent_id);
  const providerAgentIds = agentId === null ? [] : [agentId];
  return { providerCallId, startedAt, sortedAtMs, over: isOver(textOf(entry.status)), providerAgentIds };
}
