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
  const { graceDays } = agent;
  if (version === null) {
    const text = fell
      ? `No fix is recorded. No call of version ${agent.currentVersion} shows it, and that version has taken calls for ${graceDays} days or more.`
      : 'No fix is recorded for this issue.';
    return { state: 'no_change', version: null, liveDays: 0, graceDays, text };
  }
  return describeFix({
    version,
    status,
    graceDays,
    span: base.versions.get(version) ?? null,
    shows: showsOn(group, version),
  });
}

export interface FixFacts {
  version: number;
  status: IssueStatus;
  graceDays: number;
  /** First and last start of the fixing version's computable calls; null where it has none. */
  span: Pick<AgentVersionSums, 'firstStartedAt' | 'lastStartedAt'> | null;
  /** One of them shows the issue. */
  shows: boolean;
}

/** How a recorded fix is doing. */
export function describeFix({ version, status, graceDays, span, shows }: FixFacts): FixDocument {
  const liveDays = span ? Math.floor(daysTaken(span)) : 0;
  const say = (state: FixState, text: string): FixDocument => ({ state, version, liveDays, graceDays, text });
  if (status === 'resolved') return say('held', `Version ${version} fixed it, and it has not come back.`);
  if (!span) return say('waiting_for_calls', `Waits for calls of version ${version} on which this could be read.`);
  if (shows) return say('regressed', `Calls of version ${version} still show it.`);
  if (daysTaken(span) < graceDays) {
    return say('measuring', `Not seen on version ${version} for ${liveDays} of ${graceDays} days.`);
  }
  return say('fell', `Not seen on version ${version}, which has taken calls for ${liveDays} days.`);
}

function showsOn(group: GroupFacts, version: number): boolean {
  return group.versions.some((row) => row.version === version && row.calls > 0);
}

function daysTaken({ firstStartedAt, lastStartedAt }: NonNullable<FixFacts['span']>): number {
  if (firstStartedAt === null || lastStartedAt === null) return 0;
  return (Date.parse(lastStartedAt) - Date.parse(firstStartedAt)) / DAY_MS;
}
