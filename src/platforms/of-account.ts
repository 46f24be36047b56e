import type { AccountPage, CallListing, CallPage, ListAccountQuery } from './port.ts';

/** The agent whose calls alone are asked for; null where they are those of several. */
export function onlyAgentOf({ providerAgentIds }: Pick<ListAccountQuery, 'providerAgentIds'>): string | null {
  const [only = null, second] = providerAgentIds;
  return second === undefined ? only : null;
}

/** A page of one agent's calls, which need not say whose they are. */
export function pageOfAgent({ items, stalled, nextCursor }: AccountPage): CallPage {
  return {
    items: items.map(({ providerCallId, startedAt, over }) => ({ providerCallId, startedAt, over })),
    stalled,
    nextCursor,
  };
}

/** How far down a page in the order of starts has read. A start that can't be right tells nothing of it. */
export const reachedBy = (listed: readonly CallListing[], to: string | null): string | null =>
  listed.findLast(({ startedAt }) => startedAt !== null)?.startedAt ?? to;
