/**
 * A day of many agents, minute by minute, from what single pieces of work were measured to cost. Each part of the
 * installation has so many processors; what it does not get done in a minute waits for the next one.
 */

export const PARTS = ['Temporal', 'PostgreSQL', 'workers'] as const;
export type Part = (typeof PARTS)[number];
/** Milliseconds of processor time. */
export type Cost = Record<Part, number>;

/** Where each comes from stands beside it: a metric of `npm run bench`. */
export const COSTS = {
  /** `many-agents`: a poll of an account of 25 agents that finds nothing. */
  poll: { Temporal: 101, PostgreSQL: 26, workers: 125 },
  /** `spans`: a call until it is listed, import and analysis included. */
  call: { Temporal: 4.4, PostgreSQL: 5, workers: 10.2 },
  /** `grouping` at 30,000 calls of an agent: its wall time, all of it counted as PostgreSQL's. */
  grouping: { Temporal: 5, PostgreSQL: 405, workers: 20 },
} as const satisfies Record<string, Cost>;
const WORK = ['poll', 'call', 'grouping'] as const;
export type Work = (typeof WORK)[number];

/** `many-agents`: the list, what shows changed versions, and the versions of agents whose turn it is. */
const REQUESTS_A_POLL = 5.6;
/** What a call of 19 turns takes on disk with its indexes, and of log, in kB: the latter by `import`, and twice that with whole pages. */
const STORED_KB = 10.6;
const LOG_KB = 25;

export interface Installation {
  agents: number;
  agentsOfAnAccount: number;
  callsADay: number;
  pollSeconds: number;
  /** The busiest minute beside the mean, from 1 (all alike) to 2 (the quietest has none). */
  peak: number;
  processors: Record<Part, number>;
}

export interface Day {
  /** Processors that each part needs in the busiest minute. */
  needed: Record<Part, number>;
  /** Minutes by which each part is behind at most. */
  behindMinutes: Record<Part, number>;
  /** The first limits: how many times this load a part takes, and which work is most of it; the nearest first. */
  limits: { part: Part; times: number; mostly: Work }[];
  requestsASecond: number;
  storedGbAYear: number;
  logMbASecond: number;
}

const MINUTES = 1_440;

export function simulateDay(installation: Installation): Day {
  const minutes = Array.from({ length: MINUTES }, (_, minute) => loadOf(installation, minute));
  const busiest = minutes.reduce((a, b) => (b.call > a.call ? b : a));
  const { processors, callsADay } = installation;
  const needed = perPart((part) => neededFor(busiest, part));
  const limits = PARTS.map((part) => ({
    part,
    times: processors[part] / needed[part],
    mostly: WORK.reduce((a, b) => (busiest[b] * COSTS[b][part] > busiest[a] * COSTS[a][part] ? b : a)),
  })).toSorted((a, b) => a.times - b.times);
  return {
    needed,
    behindMinutes: perPart((part) => longestBehind(minutes, part, processors[part])),
    limits,
    requestsASecond: (busiest.poll * REQUESTS_A_POLL + busiest.call) / 60,
    storedGbAYear: (callsADay * 365 * STORED_KB) / 1e6,
    logMbASecond: ((busiest.call / 60) * LOG_KB) / 1e3,
  };
}

/** Pieces of work of a minute: calls follow the hours of a day, and an agent of which a poll finds any has an import, which is grouped. */
function loadOf(
  { agents, agentsOfAnAccount, callsADay, pollSeconds, peak }: Installation,
  minute: number,
): Record<Work, number> {
  const byHour = 1 + (peak - 1) * Math.cos((minute / MINUTES) * 2 * Math.PI);
  const call = (callsADay / MINUTES) * byHour;
  const looked = agents * (60 / pollSeconds);
  const withNews = looked * (1 - Math.exp(-call / looked));
  return { poll: looked / agentsOfAnAccount, call, grouping: withNews };
}

function neededFor(load: Record<Work, number>, part: Part): number {
  return WORK.reduce((sum, work) => sum + load[work] * COSTS[work][part], 0) / 60_000;
}

function longestBehind(minutes: readonly Record<Work, number>[], part: Part, processors: number): number {
  let [behind, longest] = [0, 0];
  for (const load of minutes) {
    behind = Math.max(0, behind + neededFor(load, part) - processors);
    longest = Math.max(longest, behind / processors);
  }
  return longest;
}

function perPart(of: (part: Part) => number): Record<Part, number> {
  return { Temporal: of('Temporal'), PostgreSQL: of('PostgreSQL'), workers: of('workers') };
}
