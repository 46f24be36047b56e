import { erasedRefs } from '../../src/db/erasures/tombstones.ts';
import { announcedCalls, forgetAnnounced } from '../../src/db/imports/announced-calls.ts';
import { knownRecords } from '../../src/db/imports/import-records.ts';
import { POLL_OVERLAP_MS } from '../../src/db/imports/imports.ts';
import type { CallListing, PlatformError } from '../../src/platforms/port.ts';
import type { ActivityDeps } from '../deps.ts';
import { openAgentPlatform } from '../shared/agent-platform.ts';
import { platformWait } from '../shared/failures.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import { withKeyNoted } from '../shared/with-key-noted.ts';
import { fetchCalls, type Reading } from './fetch-calls.ts';
import type { PageRequest, PageResult } from './page.ts';
import { PageTally } from './page-tally.ts';
import { storeLinePage } from './store-line-page.ts';
import { storeReadings } from './store-readings.ts';

export const PAGE_SIZE = 100;

/** Stored together; what a killed worker reads again at most. A multiple of the requests in flight, so that none idles at its end. */
const CHUNK = 20;

/** A call that stays without an answer while others are answered is kept with that reason at its third try. */
const TRIES_OF_A_CALL = 3;

/** Of more calls without an answer, a wait tells the number. */
const CALLS_NAMED = 3;

/** A call's analysis, costs and recording come minutes after its end: a poll reads a call that it knows again at these ages. */
const READ_AGAIN_AT_MS = [2, 10, 60].map((minutes) => minutes * 60_000);

/** Stores one page of an import: lists it, reads each call that it needs, stores each once. Ids, counts and the next bookmark come back. */
export function createStoreCallPage(deps: ActivityDeps) {
  return async function storeCallPage(request: PageRequest): Promise<PageResult> {
    const tally = new PageTally(request.partial);
    const work = request.plan.source === 'file' ? storeLinePage : storePlatformPage;
    return withHeartbeat(
      () => ({ handled: tally.handled.size }),
      () => work(deps, request, tally),
    );
  };
}

async function storePlatformPage(deps: ActivityDeps, request: PageRequest, tally: PageTally): Promise<PageResult> {
  const em = deps.database.within(request.workspaceId);
  const platform = await openAgentPlatform(deps, em, request.agentId);
  const { plan, take } = request;
  const listed = await withKeyNoted(em, platform.source, () =>
    platform.adapter.listCalls(platform.connection, {
      providerAgentId: platform.source.providerAgentId,
      from: plan.from,
      to: plan.to,
      cursor: request.cursor,
      pageSize: take === null ? PAGE_SIZE : Math.min(PAGE_SIZE, take),
    }),
  );
  // Calls that the platform announced come first, also those that no list shows, such as ones that never connected.
  const announced = plan.kind === 'poll' && request.cursor === null ? await announcedCalls(em, request.agentId) : [];
  const announcedRefs = new Set(announced.map(({ ref }) => ref));
  const inList = new Set(listed.items.map((item) => item.providerCallId));
  const apart = announced.filter(({ ref }) => !inList.has(ref)).map(({ ref }) => listingOf(ref));
  const items = distinct([...apart, ...listed.items]).slice(0, take ?? undefined);
  tally.list(items);
  const known = await knownRecords(
    em,
    request.agentId,
    items.map((item) => item.providerCallId),
  );
  const erased = await erasedRefs(
    em,
    deps.vault,
    request,
    items.map((item) => item.providerCallId),
  );
  if (plan.kind !== 'poll') await keepParked(deps, request, tally, known);
  const wanted = items.filter(({ providerCallId: ref }) => {
    if (tally.handled.has(ref)) return false;
    if (erased.has(ref)) {
      tally.skip(ref);
      return false;
    }
    const before = known.get(ref);
    if (plan.kind !== 'poll' || before === undefined) return true;
    if (before.parkedFor === null && (announcedRefs.has(ref) || isDue(before.firstMetMs, plan))) return true;
    tally.skip(ref);
    return false;
  });
  const refs = wanted.map((item) => item.providerCallId);
  const unanswered: Awaited<ReturnType<typeof fetchCalls>>['unanswered'] = [];
  let answered = tally.handled.size;
  for (let at = 0; at < refs.length; at += CHUNK) {
    const chunk = refs.slice(at, at + CHUNK);
    const fetched = await fetchCalls(platform, chunk);
    tally.add(fetched.readings, await storeReadings(deps, em, request, fetched.readings), startOf(items));
    answered += fetched.readings.length;
    unanswered.push(...fetched.unanswered);
    if (fetched.rateLimit) return waits(tally, fetched.rateLimit);
    const [first] = unanswered;
    if (first && fetched.readings.length + fetched.unanswered.length < chunk.length)
      return waits(tally, first.error, unanswered);
  }
  const [first] = unanswered;
  if (first) {
    const platformIsUnwell = unanswered.length > 2 && answered < unanswered.length;
    if (!platformIsUnwell) tally.tries += 1;
    if (tally.tries < TRIES_OF_A_CALL) return waits(tally, first.error, unanswered);
    const given = unanswered.map(
      ({ ref, error }): Reading => ({ ref, state: 'failed', reason: error.message, payload: null }),
    );
    tally.add(given, await storeReadings(deps, em, request, given), startOf(items));
  }
  await forgetAnnounced(
    em,
    request.agentId,
    announced.map((one) => ({ ...one, isRead: !tally.goesOn(one.ref) })),
  );
  const isLast = take !== null && items.length >= take;
  return {
    done: true,
    totals: tally.totals(),
    nextCursor: isLast ? null : listed.nextCursor,
    stalled: listed.stalled,
  };
}

/** Calls that a person parked count as kept with their reason, and are not asked for. */
async function keepParked(
  deps: ActivityDeps,
  request: PageRequest,
  tally: PageTally,
  known: Awaited<ReturnType<typeof knownRecords>>,
): Promise<void> {
  const parked = [...known.values()].flatMap(({ ref, parkedFor }): Reading[] =>
    parkedFor === null || tally.handled.has(ref) ? [] : [{ ref, state: 'failed', reason: parkedFor, payload: null }],
  );
  if (parked.length === 0) return;
  const em = deps.database.within(request.workspaceId);
  tally.add(parked, await storeReadings(deps, em, request, parked), () => null);
}

function waits(tally: PageTally, error: PlatformError, unanswered: readonly { ref: string }[] = []): PageResult {
  const wait = platformWait(error);
  if (unanswered.length === 0) return { done: false, partial: tally.partial(), wait };
  return { done: false, partial: tally.partial(), wait: { ...wait, message: naming(wait.message, unanswered, tally) } };
}

/** Says which calls are without an answer, so that a person can skip one. */
function naming(message: string, unanswered: readonly { ref: string }[], { tries }: PageTally): string {
  const named = unanswered.slice(0, CALLS_NAMED).map(({ ref }) => ref);
  const more = unanswered.length > named.length ? ` and ${unanswered.length - named.length} more` : '';
  const tried = tries > 0 ? `, try ${tries} of ${TRIES_OF_A_CALL}` : '';
  return `${message.replace(/\.$/, '')} (${named.join(', ')}${more}${tried}).`;
}

function distinct(items: readonly CallListing[]): CallListing[] {
  return [...new Map(items.map((item) => [item.providerCallId, item])).values()];
}

const listingOf = (ref: string): CallListing => ({ providerCallId: ref, over: true, startedAt: null });

const startOf = (items: readonly CallListing[]) => (ref: string) =>
  items.find((item) => item.providerCallId === ref)?.startedAt ?? null;

/** Whether a known call came to one of the ages since the poll before, which ended where this window's overlap does. */
function isDue(firstMetMs: number, plan: PageRequest['plan']): boolean {
  if (plan.from === null || plan.to === null) return true;
  const pollBeforeMs = Date.parse(plan.from) + POLL_OVERLAP_MS;
  const nowMs = Date.parse(plan.to);
  return READ_AGAIN_AT_MS.some((ageMs) => firstMetMs + ageMs > pollBeforeMs && firstMetMs + ageMs <= nowMs);
}
