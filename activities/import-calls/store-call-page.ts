import { ApplicationFailure } from '@temporalio/activity';
import type { EntityManager } from '../../src/db/database.ts';
import { forgetAnnounced } from '../../src/db/imports/announced-calls.ts';
import { readStorage } from '../../src/db/system/storage.ts';
import { passesStorage, storageSentence } from '../../src/domain/limits/storage.ts';
import { type CallListing, PlatformError } from '../../src/platforms/port.ts';
import { FAILURE_TYPES } from '../../src/temporal/failures.ts';
import type { ActivityDeps } from '../deps.ts';
import { type AgentPlatform, openAgentPlatform } from '../shared/agent-platform.ts';
import { platformWait } from '../shared/failures.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import type { Reading } from './call-or-reason.ts';
import { fetchCalls } from './fetch-calls.ts';
import { type ListedPage, listPage } from './list-page.ts';
import type { PageRequest, PageResult } from './page.ts';
import { PageTally } from './page-tally.ts';
import { storeLinePage } from './store-line-page.ts';
import { storeReadings } from './store-readings.ts';

/** Stored together; what a killed worker reads again at most. A multiple of the requests in flight, so that none idles at its end. */
const CHUNK = 20;

/** A call that stays without an answer while others are answered is kept with that reason at its third try. */
const TRIES_OF_A_CALL = 3;

/** Of more calls without an answer, a wait tells the number. */
const CALLS_NAMED = 3;

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
  await refuseWhereFull(deps, em, request.workspaceId);
  const platform = await openAgentPlatform(deps, em, request.agentId, request.asking);
  const { plan, take } = request;
  const listed = await listUnlessExpired(deps, platform, request);
  if (listed instanceof PlatformError) return { ...waits(tally, listed), isExpired: true };
  const { announced } = listed;
  const items = listed.items.filter(isNotCounted(request, listed));
  tally.list(items);
  if (plan.kind !== 'poll') await keepParked(deps, request, tally, listed.known);
  const open = items.map((item) => item.providerCallId).filter((ref) => !tally.handled.has(ref));
  const sorted = Map.groupBy(open, listed.isWanted);
  const refs = sorted.get(true) ?? [];
  for (const ref of sorted.get(false) ?? []) tally.skip(ref, { failed: listed.known.get(ref)?.callId === null });
  const by = { analyser: deps.analyser, workspaceId: request.workspaceId };
  const unanswered: Awaited<ReturnType<typeof fetchCalls>>['unanswered'] = [];
  let answered = tally.handled.size;
  for (let at = 0; at < refs.length; at += CHUNK) {
    const chunk = refs.slice(at, at + CHUNK);
    const fetched = await fetchCalls(platform, by, chunk);
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

/** Calls stay at the platform; the import ends with the reason, and its retry goes on here. */
async function refuseWhereFull({ storageMib }: ActivityDeps, em: EntityManager, workspaceId: string): Promise<void> {
  const storage = await readStorage(em, workspaceId, storageMib);
  if (!passesStorage(storage, 0)) return;
  throw ApplicationFailure.nonRetryable(
    `${storageSentence(storage)} Then retry the import.`,
    FAILURE_TYPES.storageFull,
  );
}

/**
 * A cursor may live shorter than an import that waits. Whether the first page is refused too, its own try tells. A list
 * that is not there is waited for: a platform answers so when it is unwell, too.
 */
async function listUnlessExpired(
  deps: ActivityDeps,
  platform: AgentPlatform,
  request: PageRequest,
): Promise<ListedPage | PlatformError> {
  try {
    return await listPage(deps, platform, request);
  } catch (error) {
    const isExpired = error instanceof PlatformError && (error.kind === 'rejected' || error.kind === 'not_found');
    if (isExpired && request.slice && request.cursor !== null) return error;
    if (error instanceof PlatformError && error.kind === 'not_found')
      throw new PlatformError('unavailable', error.message);
    throw error;
  }
}

/** A slice that is read again meets what this import has stored, or kept with a reason, and counted. */
const isNotCounted =
  ({ importId, againSinceMs = null }: PageRequest, { known }: ListedPage) =>
  ({ providerCallId }: CallListing) => {
    const before = known.get(providerCallId);
    return againSinceMs === null || before?.importId !== importId || before.firstMetMs >= againSinceMs;
  };

/** Calls that a person parked count as kept with their reason, and are not asked for. */
async function keepParked(
  deps: ActivityDeps,
  request: PageRequest,
  tally: PageTally,
  known: ListedPage['known'],
): Promise<void> {
  const parked = [...known.values()].flatMap(({ ref, parkedFor }): Reading[] =>
    parkedFor === null || tally.handled.has(ref) ? [] : [{ ref, state: 'failed', reason: parkedFor, payload: null }],
  );
  if (parked.length === 0) return;
  const em = deps.database.within(request.workspaceId);
  tally.add(parked, await storeReadings(deps, em, request, parked), () => null);
}

function waits(
  tally: PageTally,
  error: PlatformError,
  unanswered: readonly { ref: string }[] = [],
): Extract<PageResult, { done: false }> {
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

const startOf = (items: readonly CallListing[]) => (ref: string) =>
  items.find((item) => item.providerCallId === ref)?.startedAt ?? null;
