import { wilson } from '../statistics.ts';
import { type GroupFacts, ownCallsOf } from './facts.ts';

/** Share of an issue's calls on which the other came first, from which it counts as its consequence. */
const SUBSET_SHARE = 0.8;
/** The same for an issue that is itself the bad ending: it is a symptom of whatever went wrong on most of its calls. */
const ENDING_SHARE = 0.5;

/** What the catalogue and the board say of issues. */
export interface Standing {
  /** Whether the issue can stand for the other. */
  mayLead: (issueId: string, followerId: string) => boolean;
  /** Whether the code is itself the bad ending. */
  isEnding: (code: string) => boolean;
  /** Whether the first names a row better than the second, which came before it on the same calls. */
  isGraver: (code: string, than: string) => boolean;
}

interface Candidate {
  follower: GroupFacts;
  leader: GroupFacts;
  share: number;
  leaderCalls: number;
}

/**
 * Which issues only follow from another: at least 80 % of an issue's calls show the other's signal earlier in the call (of
 * a bad ending more than half), and clearly more often than calls do at large, so that a symptom that nearly every call
 * has does not swallow the board. Of two issues on the same calls the graver leads. No cycles; the order of `groups` does
 * not matter.
 *
 * @param allCalls analysed calls of the agent.
 * @returns the leading issue by following issue.
 */
export function findConsequences(
  groups: readonly GroupFacts[],
  standing: Standing,
  allCalls: number,
): Map<string, string> {
  const byId = new Map(groups.map((group) => [group.issueId, group]));
  const candidates = groups.flatMap((group) =>
    group.follows.flatMap(({ issueId: firstId, calls }) => {
      // What came first may be shown under a parent: then that one leads.
      const first = byId.get(byId.get(firstId)?.memory.mergedIntoId ?? firstId);
      if (!first || first.issueId === group.issueId) return [];
      return candidate(first, group, calls, standing, allCalls) ?? [];
    }),
  );
  candidates.sort(
    (a, b) =>
      b.share - a.share ||
      b.leaderCalls - a.leaderCalls ||
      compareKeys(a.follower, b.follower) ||
      compareKeys(a.leader, b.leader),
  );
  const leaders = new Map<string, string>();
  for (const { follower, leader } of candidates) {
    const [from, to] = [follower.issueId, leader.issueId];
    if (!leaders.has(from) && !leadsTo(leaders, to, from)) leaders.set(from, to);
  }
  return leaders;
}

/** @param both calls on which `first` came before `then`. */
function candidate(
  first: GroupFacts,
  then: GroupFacts,
  both: number,
  { mayLead, isEnding, isGraver }: Standing,
  allCalls: number,
): Candidate | null {
  const areSameCalls = both >= Math.max(ownCallsOf(first), ownCallsOf(then)) * SUBSET_SHARE;
  const turned = areSameCalls && mayLead(then.issueId, first.issueId) && isGraver(then.code, first.code);
  const [leader, follower] = turned ? [then, first] : [first, then];
  const [own, leaderCalls] = [ownCallsOf(follower), ownCallsOf(leader)];
  const follows = both >= own * SUBSET_SHARE || (isEnding(follower.code) && both > own * ENDING_SHARE);
  if (!mayLead(leader.issueId, follower.issueId) || !follows || !isTelling(both, own, leaderCalls, allCalls))
    return null;
  return { follower, leader, share: both / own, leaderCalls };
}

/** Keys are made of what a group is about, ids of when it was first seen. */
function compareKeys(a: GroupFacts, b: GroupFacts): number {
  return a.key === b.key ? 0 : a.key < b.key ? -1 : 1;
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
