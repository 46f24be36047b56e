import { z } from 'zod';
import { isJsonObject } from '../../domain/json.ts';
import { openCursor, sealCursor } from '../cursor.ts';
import { inHalves } from '../in-halves.ts';
import { isInSlice } from '../in-slice.ts';
import { idOf } from '../lenient.ts';
import { onlyAgentOf, pageOfAgent } from '../of-account.ts';
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
import { kindOfAgent } from './agents.ts';
import { isOver } from './normalise.ts';
import { type VapiCall, vapiCall } from './payloads.ts';

/** Items are whole calls with their transcripts. */
const LARGEST_PAGE = 100;
/** The platform hands out 1,000 calls at most. */
const SEEN_AT_MOST = 1_000 - LARGEST_PAGE;

/**
 * Where the walk stands. There is no page cursor: each page asks for calls created no later than the oldest one so far,
 * and drops what it has seen at that very moment.
 */
const cursorShape = z.object({
  kind: z.enum(['assistant', 'squad', 'account']),
  createdAtLe: z.string(),
  size: z.number().int().optional(),
  seen: z.array(z.string()).max(SEEN_AT_MOST),
});
type Cursor = z.infer<typeof cursorShape>;

interface Item extends AccountListing {
  createdAt: string;
  belongs: boolean;
}

/** Of one assistant or squad; null where it is the whole account. */
type Window = Omit<ListCallsQuery, 'providerAgentId'> & { agentId: string | null };

/** Calls of an assistant or a squad, newest first by their creation. */
export async function listVapiCalls(
  client: PlatformClient,
  connection: PlatformConnection,
  { providerAgentId: agentId, ...query }: ListCallsQuery,
  nowMs: number,
): Promise<CallPage> {
  return pageOfAgent(await listPage(client, connection, { ...query, agentId }, nowMs));
}

/** Calls of several assistants and squads: those of the account, as the platform filters by one assistant or by none. */
export function listVapiAccount(
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
  const kind =
    cursor?.kind ?? (query.agentId === null ? 'account' : await kindOfAgent(client, connection, query.agentId));
  const largest = Math.max(1, Math.min(query.pageSize, LARGEST_PAGE));
  // Room for what was seen at the moment where this page begins: otherwise a page full of those would lead nowhere.
  const limitOf = (asked: number) => asked + (cursor?.seen.length ?? 0);
  const { body, size, next } = await inHalves(Math.min(largest, cursor?.size ?? largest), (asked) => {
    const path = `/call?${search(query, kind, cursor, limitOf(asked)).toString()}`;
    return client.send(connection, { method: 'GET', path, doing: 'listing calls', items: asked });
  });
  const limit = limitOf(size);
  if (!Array.isArray(body))
    throw new PlatformError('bad_answer', 'The list of calls did not have the documented shape.');

  const items = body.map((entry) => readItem(entry, query, kind, nowMs)).filter((item) => item !== null);
  const seen = new Set(cursor?.seen);
  const fresh = items.filter((item) => !seen.has(item.providerCallId));
  const oldest = items.reduce<string | null>(
    (least, { createdAt }) => (least !== null && least < createdAt ? least : createdAt),
    null,
  );
  if (oldest === null && body.length >= limit)
    throw new PlatformError('bad_answer', 'No call of a full page had an id and a time, so the list leads no further.');
  const since = query.slice?.since ?? null;
  const isLast = body.length < limit || oldest === null || (since !== null && oldest < since);
  const stalled = !isLast && fresh.length === 0;
  const nextCursor =
    isLast || stalled
      ? null
      : sealCursor({ kind, createdAtLe: oldest, size: next, seen: seenAt(oldest, items, cursor) });
  return { items: fresh.filter(({ belongs }) => belongs), nextCursor, stalled, reachedAt: oldest, nextPart: null };
}

/** Every id created at the moment from which the next page begins, so that none of them is listed twice. */
function seenAt(oldest: string, items: readonly Item[], cursor: Cursor | null): string[] {
  const before = cursor?.createdAtLe === oldest ? cursor.seen : [];
  const here = items.filter(({ createdAt }) => createdAt === oldest).map(({ providerCallId }) => providerCallId);
  return [...new Set([...before, ...here])].slice(-SEEN_AT_MOST);
}

/**
 * The lower end is asked for by the last update, which is never before the start: a call that was scheduled long ago
 * and took place in the window is found too.
 */
function search(query: Window, kind: Cursor['kind'], cursor: Cursor | null, limit: number): URLSearchParams {
  const params = new URLSearchParams({ limit: String(limit) });
  if (kind === 'assistant' && query.agentId !== null) params.set('assistantId', query.agentId);
  if (query.from !== null) params.set('updatedAtGe', query.from);
  if (query.slice?.since) params.set('createdAtGe', query.slice.since);
  const until = cursor?.createdAtLe ?? query.slice?.before ?? query.to;
  if (until !== null) params.set('createdAtLe', until);
  return params;
}

/** @returns null for an item without an id or a creation time, which nothing could be fetched or paged by. */
function readItem(entry: unknown, query: Window, kind: Cursor['kind'], nowMs: number): Item | null {
  if (!isJsonObject(entry)) return null;
  const call = vapiCall.parse(entry);
  const providerCallId = idOf(call.id);
  const createdAtMs = Date.parse(call.createdAt ?? '');
  if (providerCallId === null || !Number.isFinite(createdAtMs)) return null;
  const startedAtMs = Date.parse(call.startedAt ?? '');
  const known = Number.isFinite(startedAtMs) ? startedAtMs : null;
  const happenedMs = known ?? createdAtMs;
  const inWindow =
    (query.from === null || happenedMs >= Date.parse(query.from)) &&
    (query.to === null || happenedMs <= Date.parse(query.to));
  const isOurs = kind !== 'squad' || call.squadId === query.agentId;
  return {
    providerCallId,
    over: isOver(call),
    startedAt: clockTime(known, { what: 'start', nowMs, warnings: [] }),
    providerAgentIds: query.agentId === null ? agentsOf(call) : [query.agentId],
    createdAt: new Date(createdAtMs).toISOString(),
    belongs: inWindow && isOurs && isInSlice(query, createdAtMs),
  };
}

/** A call of a squad may also name the assistant that took it. */
const agentsOf = ({ squadId, assistantId }: VapiCall) => [idOf(squadId), idOf(assistantId)].filter((id) => id !== null);
