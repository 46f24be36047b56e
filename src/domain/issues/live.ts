import type { FixState, IssueStatus } from '../vocabulary.ts';
import type { AgentFacts, AgentVersionSums, Base, GroupFacts } from './facts.ts';

const DAY_MS = 86_400_000;

/**
 * True when no computable call of the live version shows the issue and that version has taken such calls for
 * `graceDays`, from first to last start. While a call of it waits for its analysis, nothing new is said to have fallen.
 */
export function fellOnLive(group: GroupFacts, agent: AgentFacts, base: Base): boolean {
  const total = group.versions.reduce((sum, version) => sum + version.calls, 0);
  if (total === 0 || showsOn(group, agent.currentVersion)) return false;
  if (agent.waitingOnLive) return group.memory.fellOnLive;
  const live = base.versions.get(agent.currentVersion);
  return live !== undefined && daysTaken(live) >= agent.graceDays;
}

export interface FixDocument {
  state: FixState;
  version: number | null;
  /** Whole days from the first to the last computable call of the fixing version. */
  liveDays: number;
  graceDays: number;
  text: string;
}

/** How the fix that a person recorded is doing, in a state and a sentence. */
export function fixDocument(group: GroupFacts, agent: AgentFacts, base: Base, fell: boolean): FixDocument {
  const { fixVersion: version, status } = group.memory;
  const { graceDays, currentVersion } = agent;
  if (version === null) {
    const none = noFix(graceDays);
    if (fell) {
      const text = `No fix is recorded. No call of version ${currentVersion} shows it, and that version has taken calls for ${graceDays} days or more.`;
      return { ...none, text };
    }
    const live = base.versions.get(currentVersion);
    if (status !== 'resolved' || !live || !showsOn(group, currentVersion)) return none;
    const shown = callsOn(group, currentVersion);
    return { ...none, text: `${none.text} ${resolvedByHand(shown, live.calls, currentVersion)}` };
  }
  const span = base.versions.get(version) ?? null;
  return describeFix({
    version,
    status,
    graceDays,
    span,
    shown: callsOn(group, version),
    resolvedEarly: isEarly(group, graceDays),
  });
}

/** Of an issue without a recorded fix. */
export function noFix(graceDays: number): FixDocument {
  return { state: 'no_change', version: null, liveDays: 0, graceDays, text: 'No fix is recorded for this issue.' };
}

/** It was resolved while calls still showed it, which only a person does. */
function isEarly({ memory, lastSeenAt }: GroupFacts, graceDays: number): boolean {
  if (memory.resolvedAt === null || lastSeenAt === null) return false;
  return Date.parse(memory.resolvedAt) - Date.parse(lastSeenAt) < graceDays * DAY_MS;
}

const resolvedByHand = (shown: number, calls: number, version: number) =>
  `A person resolved it; ${shown} of ${calls} calls of version ${version} show it.`;

export interface FixFacts {
  version: number;
  status: IssueStatus;
  graceDays: number;
  /** First and last start of the fixing version's computable calls; null where it has none. */
  span: Pick<AgentVersionSums, 'firstStartedAt' | 'lastStartedAt' | 'calls'> | null;
  /** How many of them show the issue. */
  shown: number;
  /** A person resolved it, and not the silence of its calls. */
  resolvedEarly: boolean;
}

/** How a recorded fix is doing. */
export function describeFix(facts: FixFacts): FixDocument {
  const { version, status, graceDays, span, shown, resolvedEarly } = facts;
  const liveDays = span ? Math.floor(daysTaken(span)) : 0;
  const say = (state: FixState, text: string): FixDocument => ({ state, version, liveDays, graceDays, text });
  if (status === 'resolved' && resolvedEarly && span && shown > 0) {
    return say('regressed', resolvedByHand(shown, span.calls, version));
  }
  if (status === 'resolved') return say('held', `Version ${version} fixed it, and it has not come back.`);
  if (!span) return say('waiting_for_calls', `Waits for calls of version ${version} on which this could be read.`);
  if (shown > 0) return say('regressed', `Calls of version ${version} still show it.`);
  if (daysTaken(span) < graceDays) {
    return say('measuring', `Not seen on version ${version} for ${liveDays} of ${graceDays} days.`);
  }
  return say('fell', `Not seen on version ${version}, which has taken calls for ${liveDays} days.`);
}

function showsOn(group: GroupFacts, version: number): boolean {
  return callsOn(group, version) > 0;
}

function callsOn(group: GroupFacts, version: number): number {
  return group.versions.find((row) => row.version === version)?.calls ?? 0;
}

function daysTaken({ firstStartedAt, lastStartedAt }: NonNullable<FixFacts['span']>): number {
  if (firstStartedAt === null || lastStartedAt === null) return 0;
  return (Date.parse(lastStartedAt) - Date.parse(firstStartedAt)) / DAY_MS;
}
