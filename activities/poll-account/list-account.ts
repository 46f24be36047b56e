import type { PolledAgent } from '../../src/db/imports/account-polls.ts';
import { overlapping, type QuietPoll } from '../../src/db/imports/polls.ts';
import type { AccountListing, AccountPage } from '../../src/platforms/port.ts';
import { PageTally } from '../import-calls/page-tally.ts';
import { type AccountReading, listInGroups, namesOf, orRefused, ownedBy, PAGE_SIZE, sortOut } from './account-lists.ts';

const PAGES_OF_A_LIST = 5;
/** A list of many agents may be longer: it costs less than one request of each of them. */
const AGENTS_A_PAGE = 10;
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

/**
 * One list of all agents' calls, newest first, from the oldest of their bookmarks; of `n` agents `n` pages at most.
 * @param isWhole to the end of the window; else until everything is known and older than what may still change
 */
export async function listAccount(
  reading: AccountReading,
  agents: readonly PolledAgent[],
  isWhole: boolean,
): Promise<ListedAccount> {
  const all: ListedAccount = { news: new Set(), seen: new Map(), unread: new Set() };
  const refused = await listInGroups(reading.adapter, agents, async (group) => {
    const found = await listGroup(reading, group, isWhole);
    for (const agentId of found?.news ?? []) all.news.add(agentId);
    for (const agentId of found?.unread ?? []) all.unread.add(agentId);
    for (const [agentId, poll] of found?.seen ?? []) all.seen.set(agentId, poll);
    return found !== null;
  });
  for (const { agentId } of refused) all.unread.add(agentId);
  return all;
}

/** @returns null where the platform takes no list of these agents, although it may take one of fewer. */
async function listGroup(
  reading: AccountReading,
  agents: readonly PolledAgent[],
  isWhole: boolean,
): Promise<ListedAccount | null> {
  const { adapter, connection } = reading;
  const oldest = agents.reduce(
    (least, { bookmarkAt }) => (bookmarkAt < least ? bookmarkAt : least),
    agents[0]?.nowAt ?? '',
  );
  const query = {
    providerAgentIds: namesOf(agents),
    from: overlapping(oldest),
    to: agents[0]?.nowAt ?? '',
    pageSize: PAGE_SIZE,
  };
  const settledAt = minutesBefore(oldest);
  const pagesAtMost = Math.max(PAGES_OF_A_LIST, Math.ceil(agents.length / AGENTS_A_PAGE));
  const owned = ownedBy(agents);
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
    const found = owned(page.items);
    for (const { agent, item } of found) listed.get(agent.agentId)?.items.set(item.providerCallId, item);
    const { unknown, failed } = await sortOut(reading, found);
    for (const { agentId, ref } of failed) listed.get(agentId)?.failed.add(ref);
    for (const { agent } of unknown) news.add(agent.agentId);
    if (page.stalled) break;
    const isSettled = !isWhole && unknown.length === 0 && (page.reachedAt ?? '') < settledAt;
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
    unread: new Set(agents.filter(isUnread).map(({ agentId }) => agentId)),
  };
}

const minutesBefore = (iso: string) => new Date(Date.parse(iso) - SETTLED_MS).toISOString();

function summed(items: readonly AccountListing[], pages: number): Omit<QuietPoll, 'stillFailed'> {
  const tally = new PageTally(null);
  tally.list(items);
  const { listed, ongoing, oldestOngoingAt } = tally.totals();
  return { pages, listed, ongoing, oldestOngoingAt };
}
