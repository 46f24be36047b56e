import type { EntityManager } from '../../src/db/database.ts';
import { erasedRefs } from '../../src/db/erasures/tombstones.ts';
import { type AgentsCall, knownCalls, nameOf, type PolledAgent } from '../../src/db/imports/account-polls.ts';
import { overlapping, type QuietPoll } from '../../src/db/imports/polls.ts';
import type { PlatformConnection } from '../../src/platforms/platform-connection.ts';
import {
  type AccountListing,
  type AccountPage,
  type PlatformAdapter,
  PlatformError,
} from '../../src/platforms/port.ts';
import type { ActivityDeps } from '../deps.ts';
import { PageTally } from '../import-calls/page-tally.ts';

/** As many as a platform gives at most. */
const PAGE_SIZE = 1_000;
const PAGES_OF_A_LIST = 5;
/** A list of many agents may be longer: it costs less than one request of each of them. */
const AGENTS_A_PAGE = 10;
/** A platform that does not take so few agents in one list takes none but single ones. */
const FEWEST_AGENTS = 10;
/** Calls may show in the list some minutes after their start: so far the list is read behind each agent's bookmark. */
const SETTLED_MS = 10 * 60_000;

export interface ListedAccount {
  /** Agents of which there is a call that is over and not known. */
  news: Set<string>;
  /** What was seen of each agent as far as the list was read. */
  seen: Map<string, QuietPoll>;
  /** Agents for which the list was not read far enough. */
  unread: Set<string>;
}

interface Reading {
  deps: Pick<ActivityDeps, 'vault'>;
  em: EntityManager;
  adapter: PlatformAdapter;
  connection: PlatformConnection;
}

/**
 * One list of all agents' calls, newest first, from the oldest of their bookmarks. Where the platform does not take a
 * list of so many agents, half as many are asked for, and so on. Of `n` agents it takes `n` pages at most, and
 * `log2(n)` refused requests, and as many again for each few agents that are refused beside others that are not.
 * @param isWhole to the end of the window; else until everything is known and older than what may still change
 */
export async function listAccount(
  reading: Reading,
  agents: readonly PolledAgent[],
  isWhole: boolean,
): Promise<ListedAccount> {
  const all: ListedAccount = { news: new Set(), seen: new Map(), unread: new Set() };
  let [mostTaken, size, refusals]: [number, number, number] = [0, agents.length, 0];
  for (let at = 0; at < agents.length; ) {
    const group = agents.slice(at, at + size);
    const found = await listGroup(reading, group, isWhole);
    if (found === null && reading.adapter.filtersByAgents && group.length > FEWEST_AGENTS) {
      size = Math.ceil(group.length / 2);
      continue;
    }
    at += group.length;
    for (const agentId of found?.news ?? []) all.news.add(agentId);
    for (const agentId of found?.unread ?? idsOf(group)) all.unread.add(agentId);
    for (const [agentId, poll] of found?.seen ?? []) all.seen.set(agentId, poll);
    mostTaken = Math.max(mostTaken, found === null ? 0 : group.length);
    if (found !== null) continue;
    // One of these agents may be what is refused. Where none of others is taken either, nothing is.
    refusals += 1;
    if (mostTaken === 0 && refusals > 1) return { ...all, unread: idsOf(agents) };
    size = mostTaken || agents.length;
  }
  return all;
}

const idsOf = (agents: readonly PolledAgent[]) => new Set(agents.map(({ agentId }) => agentId));

/** @returns null where the platform takes no list of these agents, although it may take one of fewer. */
async function listGroup(
  { deps, em, adapter, connection }: Reading,
  agents: readonly PolledAgent[],
  isWhole: boolean,
): Promise<ListedAccount | null> {
  const oldest = agents.reduce(
    (least, { bookmarkAt }) => (bookmarkAt < least ? bookmarkAt : least),
    agents[0]?.nowAt ?? '',
  );
  const query = {
    providerAgentIds: [...new Set(agents.map(({ providerAgentId }) => providerAgentId))],
    from: overlapping(oldest),
    to: agents[0]?.nowAt ?? '',
    pageSize: PAGE_SIZE,
  };
  const settledAt = minutesBefore(oldest);
  const pagesAtMost = Math.max(PAGES_OF_A_LIST, Math.ceil(agents.length / AGENTS_A_PAGE));
  const byProvider = Map.groupBy(agents, ({ providerAgentId }) => providerAgentId);
  const news = new Set<string>();
  const listed = new Map(
    agents.map(({ agentId }) => [agentId, { items: new Map<string, AccountListing>(), failed: new Set<string>() }]),
  );
  let [readFrom, cursor, pages]: [string, string | null, number] = [query.to, null, 0];
  do {
    const page: AccountPage | null = await orRefused(adapter.listAccountCalls(connection, { ...query, cursor }));
    if (page === null && pages === 0) return null;
    if (page === null) break;
    pages += 1;
    const found = page.items.flatMap((item) => ownersOf(item, byProvider).map((agent) => ({ agent, item })));
    for (const { agent, item } of found) listed.get(agent.agentId)?.items.set(item.providerCallId, item);
    const { unknown, failed } = await sortOut({ deps, em }, found);
    for (const { agentId, ref } of failed) listed.get(agentId)?.failed.add(ref);
    for (const agentId of unknown) news.add(agentId);
    if (page.stalled) break;
    const isSettled = !isWhole && unknown.size === 0 && (page.reachedAt ?? '') < settledAt;
    if (page.reachedAt !== null && page.reachedAt < readFrom) readFrom = page.reachedAt;
    if (isSettled || page.nextCursor === null || page.nextCursor === page.nextPart) readFrom = query.from;
    cursor = isSettled ? page.nextPart : page.nextCursor;
  } while (cursor !== null && pages < pagesAtMost);
  const needs = ({ bookmarkAt }: PolledAgent) => (isWhole ? overlapping(bookmarkAt) : minutesBefore(bookmarkAt));
  const isUnread = (agent: PolledAgent) => readFrom > query.from && needs(agent) < readFrom;
  return {
    news,
    seen: new Map(
      [...listed].map(([agentId, { items, failed }]) => [
        agentId,
        { ...summed([...items.values()], pages), stillFailed: failed.size },
      ]),
    ),
    unread: idsOf(agents.filter(isUnread)),
  };
}

/** Null where the platform does not take what is asked, or a cursor of its own. */
async function orRefused(asked: Promise<AccountPage>): Promise<AccountPage | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof PlatformError && ['rejected', 'not_found'].includes(error.kind)) return null;
    throw error;
  }
}

const minutesBefore = (iso: string) => new Date(Date.parse(iso) - SETTLED_MS).toISOString();

const ownersOf = (item: AccountListing, byProvider: ReadonlyMap<string, PolledAgent[]>) =>
  item.providerAgentIds.flatMap((id) => byProvider.get(id) ?? []);

/** Agents with calls that are over, not known, and not erased; and records that are known as ones that were kept with a reason. */
async function sortOut(
  { deps, em }: Pick<Reading, 'deps' | 'em'>,
  found: readonly { agent: PolledAgent; item: AccountListing }[],
): Promise<{ unknown: Set<string>; failed: AgentsCall[] }> {
  const calls = found
    .filter(({ item }) => item.over)
    .map(({ agent, item }) => ({ agent, agentId: agent.agentId, ref: item.providerCallId }));
  const known = await knownCalls(em, calls);
  const byAgent = Map.groupBy(
    calls.filter((call) => !known.has(nameOf(call))),
    ({ agent }) => agent,
  );
  const unknown = new Set<string>();
  for (const [agent, own] of byAgent) {
    const refs = own.map(({ ref }) => ref);
    const erased = await erasedRefs(em, deps.vault, agent, refs);
    if (refs.some((ref) => !erased.has(ref))) unknown.add(agent.agentId);
  }
  return { unknown, failed: calls.filter((call) => known.get(nameOf(call))?.failed) };
}

function summed(items: readonly AccountListing[], pages: number): Omit<QuietPoll, 'stillFailed'> {
  const tally = new PageTally(null);
  tally.list(items);
  const { listed, ongoing, oldestOngoingAt } = tally.totals();
  return { pages, listed, ongoing, oldestOngoingAt };
}
