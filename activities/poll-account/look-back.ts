import { noteAnnounced } from '../../src/db/imports/announced-calls.ts';
import { type FollowedAgent, followedAgents } from '../../src/db/imports/look-back.ts';
import { type AccountPage, PlatformError } from '../../src/platforms/port.ts';
import type { LookBack, LookedBack } from '../../src/temporal/account-poller.ts';
import {
  type AccountReading,
  listInGroups,
  namesOf,
  type Owned,
  orRefused,
  ownedBy,
  PAGE_SIZE,
  sortOut,
} from './account-lists.ts';
import { orderPoll } from './order-polls.ts';

/** Of all groups of agents together; where the list is longer, the next look of the account goes on. */
const PAGES_AT_ONCE = 20;
/** Of a call that a look back found: another event of the platform about it is news. */
const DIGEST = 'look back';

/**
 * Finds calls that the platform listed so late that no poll has met them: lists again what lies behind the windows of
 * the polls, as far as the agents' imports reach, and has calls that are not known read by their agents' polls.
 */
export async function lookBack(
  reading: AccountReading,
  account: { connectionId: string; workspaceId: string },
  { depth, at }: LookBack,
): Promise<LookedBack> {
  const agents = await followedAgents(reading.em, account, depth);
  const late: Owned<FollowedAgent>[] = [];
  let until: string | null = null;
  try {
    await listInGroups(reading.adapter, agents, async (group) => {
      const pagesAtMost = Math.max(1, Math.floor((PAGES_AT_ONCE * group.length) / agents.length));
      const found = await listGroup(reading, group, { at, pagesAtMost });
      late.push(...(found?.late ?? []));
      if (found?.reachedAt != null && (until === null || found.reachedAt > until)) until = found.reachedAt;
      return found !== null;
    });
  } catch (error) {
    // The next look back meets what this one left out; the polls say what the platform answers.
    if (!(error instanceof PlatformError)) throw error;
  }
  for (const { agent, item } of late)
    await noteAnnounced(reading.em, { ...agent, providerCallId: item.providerCallId, digest: DIGEST });
  for (const agent of new Set(late.map((one) => one.agent))) await orderPoll(reading.em, agent);
  return { calls: late.length, at: until };
}

/** Null where the platform takes no list of these agents; `reachedAt` where it has more. */
async function listGroup(
  reading: AccountReading,
  agents: readonly FollowedAgent[],
  { at, pagesAtMost }: { at: string | null; pagesAtMost: number },
): Promise<{ late: Owned<FollowedAgent>[]; reachedAt: string | null } | null> {
  const { adapter, connection } = reading;
  const from = agents.reduce((least, { since }) => (since < least ? since : least), agents[0]?.since ?? '');
  const before = agents.reduce((most, { until }) => (until > most ? until : most), from);
  const to = at !== null && at < before ? at : before;
  const query = { providerAgentIds: namesOf(agents), from, to, pageSize: PAGE_SIZE };
  const owned = ownedBy(agents);
  const late: Owned<FollowedAgent>[] = [];
  let [cursor, reachedAt]: [string | null, string] = [null, to];
  if (to <= from) return { late, reachedAt: null };
  for (let pages = 0; pages < pagesAtMost; pages += 1) {
    const page: AccountPage | null = await orRefused(adapter.listAccountCalls(connection, { ...query, cursor }));
    if (page === null && pages === 0) return null;
    if (page === null) break;
    reachedAt = page.reachedAt ?? reachedAt;
    // What never connected has no start: it was listed where the page is.
    const isBehind = ({ agent: { since, until }, item: { startedAt } }: Owned<FollowedAgent>) =>
      (startedAt ?? reachedAt) >= since && (startedAt ?? reachedAt) < until;
    late.push(...(await sortOut(reading, owned(page.items).filter(isBehind))).unknown);
    // Calls without a start that are listed apart are in each poll.
    if (page.stalled || page.nextCursor === null || page.nextCursor === page.nextPart || reachedAt <= from)
      return { late, reachedAt: null };
    cursor = page.nextCursor;
  }
  return { late, reachedAt: reachedAt < to ? reachedAt : null };
}
