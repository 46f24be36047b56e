import { keysOf } from '../keys-of.ts';
import type { Place } from '../signals/signal.ts';
import type { IssueSource, IssueStatus } from '../vocabulary.ts';
import type { VersionTotals } from './by-version.ts';

/** Sums over calls: what rollups hold. Durations in whole seconds. */
export interface OutcomeSums {
  calls: number;
  spoke: number;
  bad: number;
  resolved: number;
  unresolved: number;
  transferred: number;
  abandoned: number;
  noContact: number;
  durationS: number;
  durationSquareS: number;
}

export interface AgentVersionSums extends OutcomeSums {
  version: number;
  /** ISO 8601 of the first and last call with a start time, or null. */
  firstStartedAt: string | null;
  lastStartedAt: string | null;
}

/** All analysed calls on which the same codes could not be computed. */
export interface ProfileSums {
  notComputable: ReadonlySet<string>;
  versions: readonly AgentVersionSums[];
}

export interface AgentFacts {
  /** Analysed calls, all time. */
  callCount: number;
  graceDays: number;
  /** The version that is live. */
  currentVersion: number;
  boardSource: IssueSource;
  /** Start of the newest analysed call; recency is measured to it, never to the clock. */
  newestCallAt: string | null;
  /** A call of the live version waits to be analysed, so nothing may be said to be gone yet. */
  waitingOnLive: boolean;
  profiles: readonly ProfileSums[];
}

export interface GroupVersionSums extends OutcomeSums {
  version: number;
  /** Calls that show the group itself; the other calls show a group merged into it. */
  ownCalls: number;
  confidenceMilli: number;
}

/** Own calls of a day, and computable calls of that day that reached the place. */
export interface DayCalls {
  /** `YYYY-MM-DD`; `NO_DAY` for calls without a start. */
  day: string;
  calls: number;
  base: number;
}

/** What earlier groupings decided and this one must remember. */
export interface GroupMemory {
  confirmed: boolean;
  confirmedAt: string | null;
  withdrawn: boolean;
  causeEstablished: boolean;
  causeCode: string | null;
  status: IssueStatus;
  fellOnLive: boolean;
  mergedIntoId: string | null;
  fixVersion: number | null;
  resolvedAt: string | null;
}

/** One group of signals, from rollups: never from calls. */
export interface GroupFacts {
  issueId: string;
  key: string;
  source: IssueSource;
  code: string;
  place: Place;
  /** The cause by which it was split off, or empty. */
  splitCause: string;
  versions: readonly GroupVersionSums[];
  /** On how many of its own calls each cause's evidence is present. */
  causes: readonly { code: string; calls: number }[];
  /** The day of its third own call; null where it has fewer. */
  thirdOn: string | null;
  /** Its days, and the newest one of the agent; null where nothing asks for them. */
  days: readonly DayCalls[] | null;
  /** The commonest cause, where it was established once and never lost since, in the order of the calls. */
  heldCause: string | null;
  /** The commonest intent of its calls. */
  topIntent: { slug: string; calls: number } | null;
  /** Issues whose own signal came first, on this many of its own calls. */
  follows: readonly { issueId: string; calls: number }[];
  firstSeenAt: string | null;
  lastSeenAt: string | null;
  memory: GroupMemory;
}

const NOTHING: OutcomeSums = {
  calls: 0,
  spoke: 0,
  bad: 0,
  resolved: 0,
  unresolved: 0,
  transferred: 0,
  abandoned: 0,
  noContact: 0,
  durationS: 0,
  durationSquareS: 0,
};
const NAMES = keysOf(NOTHING);

export function sumUp(parts: readonly OutcomeSums[]): OutcomeSums {
  const total = { ...NOTHING };
  for (const part of parts) for (const name of NAMES) total[name] += part[name];
  return total;
}

/** Of how many calls it is known how they ended: the base of every share of endings. */
export function knownCalls({ resolved, unresolved, transferred, abandoned, noContact }: OutcomeSums): number {
  return resolved + unresolved + transferred + abandoned + noContact;
}

/** The calls of `all` that are not among `some`. A parent's merged calls may lie outside the base, so nothing falls below 0. */
export function without(all: OutcomeSums, some: OutcomeSums): OutcomeSums {
  const rest = { ...NOTHING };
  for (const name of NAMES) rest[name] = Math.max(0, all[name] - some[name]);
  return rest;
}

export interface Base {
  total: OutcomeSums;
  versions: ReadonlyMap<number, AgentVersionSums>;
}

/** The calls on which a code could be computed. Codes share few sets of profiles, so one reader serves a whole regroup. */
export function baseReader(agent: AgentFacts): (code: string) => Base {
  const bases = new Map<string, Base>();
  return (code) => {
    const computable = agent.profiles.map((profile) => (profile.notComputable.has(code) ? '0' : '1')).join('');
    let base = bases.get(computable);
    if (!base) {
      base = addBase(agent.profiles.filter((profile) => !profile.notComputable.has(code)));
      bases.set(computable, base);
    }
    return base;
  };
}

/** All analysed calls by version, whatever could be computed on them. */
export function versionTotals(agent: AgentFacts): VersionTotals {
  const versions = [...addBase(agent.profiles).versions.values()].filter((version) => version.calls > 0);
  return versions.map(({ version, spoke }) => [version, spoke] as const).sort(([a], [b]) => b - a);
}

function addBase(profiles: readonly ProfileSums[]): Base {
  const versions = new Map<number, AgentVersionSums>();
  for (const row of profiles.flatMap((profile) => profile.versions)) {
    const seen = versions.get(row.version);
    versions.set(row.version, {
      ...sumUp(seen ? [seen, row] : [row]),
      version: row.version,
      firstStartedAt: earliest(seen?.firstStartedAt ?? null, row.firstStartedAt),
      lastStartedAt: latest(seen?.lastStartedAt ?? null, row.lastStartedAt),
    });
  }
  return { total: sumUp([...versions.values()]), versions };
}

function earliest(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

function latest(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

export function ownCallsOf(group: GroupFacts): number {
  return group.versions.reduce((sum, version) => sum + version.ownCalls, 0);
}
