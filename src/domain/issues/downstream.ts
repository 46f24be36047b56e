import { wilson } from '../statistics.ts';
import { type GroupFacts, ownCallsOf } from './facts.ts';

/** Share of an issue's calls on which the other came first, from which it counts as its consequence. */
const SUBSET_SHARE = 0.8;

/**
 * Which issues only follow from another: at least 80 % of an issue's calls show the other's signal earlier in the call,
 * and clearly more often than calls do at large, so that a symptom that nearly every call has does not swallow the
 * board. `mayLead` says which issues can stand for others. No cycles; the order of `groups` does not matter.
 *
 * @param allCalls analysed calls of the agent.
 * @returns the leading issue by following issue.
 */
export function findConsequences(
  groups: readonly GroupFacts[],
  mayLead: (issueId: string) => boolean,
  allCalls: number,
): Map<string, string> {
  const byId = new Map(groups.map((group) => [group.issueId, group]));
  const candidates = groups.flatMap((group) => {
    const own = ownCallsOf(group);
    return group.follows.flatMap(({ issueId: firstId, calls }) => {
      // What came first may be shown under a parent: then that one leads.
      const issueId = byId.get(firstId)?.memory.mergedIntoId ?? firstId;
      const leader = byId.get(issueId);
      if (!leader || !mayLead(issueId) || issueId === group.issueId) return [];
      if (calls < own * SUBSET_SHARE || !isTelling(calls, own, ownCallsOf(leader), allCalls)) return [];
      return [{ follower: group.issueId, leader: issueId, share: calls / own, leaderCalls: ownCallsOf(leader) }];
    });
  });
  candidates.sort(
    (a, b) =>
      b.share - a.share ||
      b.leaderCalls - a.leaderCalls ||
      (a.follower < b.follower ? -1 : a.follower > b.follower ? 1 : a.leader < b.leader ? -1 : 1),
  );
  const leaders = new Map<string, string>();
  for (const { follower, leader } of candidates) {
    if (!leaders.has(follower) && !leadsTo(leaders, leader, follower)) leaders.set(follower, leader);
  }
  return leaders;
}

/** Calls of the follower show the leader clearly more often than the other calls do. */
function isTelling(both: number, own: number, leaderCalls: number, allCalls: number): boolean {
  const others = Math.max(0, allCalls - own);
  const elsewhere = others === 0 ? 0 : Math.max(0, leaderCalls - both) / others;
  return wilson({ k: both, n: own }).lower > elsewhere;
}

function leadsTo(leaders: ReadonlyMap<string, string>, from: string, to: string): boolean {
  for (let at: string | undefined = from; at !== undefined; at = leaders.get(at)) if (at === to) return true;
  return false;
}
