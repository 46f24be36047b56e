import { erasedRefs } from '../../src/db/erasures/tombstones.ts';
import { announcedCalls } from '../../src/db/imports/announced-calls.ts';
import { knownRecords } from '../../src/db/imports/import-records.ts';
import { POLL_OVERLAP_MS } from '../../src/db/imports/polls.ts';
import type { CallListing } from '../../src/platforms/port.ts';
import type { ActivityDeps } from '../deps.ts';
import type { AgentPlatform } from '../shared/agent-platform.ts';
import { withKeyNoted } from '../shared/with-key-noted.ts';
import type { PageRequest } from './page.ts';

const PAGE_SIZE = 100;

/** A call's analysis, costs and recording come minutes after its end: a poll reads a call that it knows again at these ages. */
export const READ_AGAIN_AT_MS = [2, 10, 60].map((minutes) => minutes * 60_000);

export type PageToList = Pick<PageRequest, 'workspaceId' | 'agentId' | 'plan' | 'slice' | 'cursor' | 'take'>;

/** A page of the platform's list, beside what is known of its calls. */
export interface ListedPage {
  items: CallListing[];
  /** Calls of the page that the platform told of by an event. */
  announced: Awaited<ReturnType<typeof announcedCalls>>;
  known: Awaited<ReturnType<typeof knownRecords>>;
  /** Whether a call that is over is to be read: a poll leaves alone what it knows, and everybody what was erased. */
  isWanted(ref: string): boolean;
  nextCursor: string | null;
  stalled: boolean;
}

export async function listPage(
  deps: Pick<ActivityDeps, 'database' | 'vault'>,
  platform: AgentPlatform,
  request: PageToList,
): Promise<ListedPage> {
  const { workspaceId, agentId, plan, cursor, take } = request;
  const em = deps.database.within(workspaceId);
  const listed = await withKeyNoted(em, platform.source, () =>
    platform.adapter.listCalls(platform.connection, {
      providerAgentId: platform.source.providerAgentId,
      from: plan.from,
      to: plan.to,
      slice: request.slice,
      cursor,
      pageSize: take === null ? PAGE_SIZE : Math.min(PAGE_SIZE, take),
    }),
  );
  // Calls that the platform announced come first, also those that no list shows, such as ones that never connected.
  const announced = plan.kind === 'poll' && cursor === null ? await announcedCalls(em, agentId) : [];
  const announcedRefs = new Set(announced.map(({ ref }) => ref));
  const inList = new Set(listed.items.map((item) => item.providerCallId));
  const apart = announced.filter(({ ref }) => !inList.has(ref)).map(({ ref }) => listingOf(ref));
  const items = distinct([...apart, ...listed.items]).slice(0, take ?? undefined);
  const refs = items.map((item) => item.providerCallId);
  const known = await knownRecords(em, agentId, refs);
  const erased = await erasedRefs(em, deps.vault, request, refs);

  function isWanted(ref: string): boolean {
    if (erased.has(ref)) return false;
    const before = known.get(ref);
    if (plan.kind !== 'poll' || before === undefined) return true;
    return before.parkedFor === null && (announcedRefs.has(ref) || isDue(before.firstMetMs, plan));
  }
  return { items, announced, known, isWanted, nextCursor: listed.nextCursor, stalled: listed.stalled };
}

const listingOf = (ref: string): CallListing => ({ providerCallId: ref, over: true, startedAt: null });

function distinct(items: readonly CallListing[]): CallListing[] {
  return [...new Map(items.map((item) => [item.providerCallId, item])).values()];
}

/** Whether a known call came to one of the ages since the poll before, which ended where this window's overlap does. */
function isDue(firstMetMs: number, plan: PageRequest['plan']): boolean {
  if (plan.from === null || plan.to === null) return true;
  const pollBeforeMs = Date.parse(plan.from) + POLL_OVERLAP_MS;
  const nowMs = Date.parse(plan.to);
  return READ_AGAIN_AT_MS.some((ageMs) => firstMetMs + ageMs > pollBeforeMs && firstMetMs + ageMs <= nowMs);
}
