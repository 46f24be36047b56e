import type { Random } from './random.ts';
import type { Script } from './script.ts';

/** So many calls of one kind, and on which versions they run. */
export interface PlannedKind {
  /** Names the kind in `planted.ts`; never part of any payload. */
  kind: string;
  count: number;
  versions: readonly number[];
  write(call: Script): void;
  direction?: 'inbound' | 'outbound';
  /** Seconds until the agent answers, where this kind differs from the agent's usual. */
  answerSeconds?: [number, number];
  state?: 'ended' | 'ongoing' | 'deleted';
  /** The only days on which these calls come, where they are not those of the version. */
  window?: Days;
  /** The line that they come in on, where it is not the agent's own. */
  line?: string;
}

/** A stretch of days, counted back from the end of the record. */
export interface Days {
  fromDaysAgo: number;
  toDaysAgo: number;
}

/** So many calls on each version. */
export function on(counts: Readonly<Record<number, number>>): { count: number; versions: readonly number[] } {
  const versions = Object.entries(counts).flatMap(([version, count]) =>
    Array.from({ length: count }, () => Number(version)),
  );
  return { count: versions.length, versions };
}

/** The days on which a version was live. */
export interface VersionPeriod extends Days {
  version: number;
}

/** A call that never came about. */
export interface Unconnected {
  reason: string;
  count: number;
  version: number;
  /** False where the platform gives no start either. */
  hasStart: boolean;
}

export interface AgentPlan {
  providerAgentId: string;
  kinds: readonly PlannedKind[];
  unconnected: readonly Unconnected[];
  periods: readonly VersionPeriod[];
  /** Share of calls that come over the web instead of a phone line. */
  webShare: number;
  lineNumber: string;
  /** A line that was left on an older version. */
  olderLine?: { number: string; version: number };
  /** Facts that every call of the agent needs before its first word. */
  prepare(call: Script): void;
  variables(random: Random): Record<string, string>;
}
