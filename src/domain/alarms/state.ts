import type { AlarmLevel, AlarmState } from '../vocabulary.ts';
import { type AlarmRule, lateSteps, stepMs } from './alarm.ts';
import type { Reading } from './read-window.ts';

/** A level, and for how many windows in a row each limit was broken, or, below 0, was not; no more are counted than it takes. */
export interface Folded {
  level: AlarmLevel;
  warning: number;
  critical: number;
}

export const QUIET: Folded = { level: 'ok', warning: 0, critical: 0 };

export const rankOf = (level: AlarmLevel) => RANKS[level];
const RANKS: Readonly<Record<AlarmLevel, number>> = { ok: 0, warning: 1, critical: 2 };

type Folding = Pick<AlarmRule, 'breaches' | 'noData'>;

/** The state after one more window. */
export function fold(before: Folded, reading: Pick<Reading, 'level'>, rule: Folding): Folded {
  const found = reading.level ?? (rule.noData === 'keep' ? null : rule.noData);
  if (found === null) return before;
  const run = (count: number, isBroken: boolean) =>
    isBroken ? Math.min(Math.max(count, 0) + 1, rule.breaches) : Math.max(Math.min(count, 0) - 1, -rule.breaches);
  const warning = run(before.warning, rankOf(found) >= 1);
  const critical = run(before.critical, rankOf(found) >= 2);
  return { level: levelAfter(before.level, { warning, critical }, rule.breaches), warning, critical };
}

function levelAfter(before: AlarmLevel, { warning, critical }: Omit<Folded, 'level'>, enough: number): AlarmLevel {
  if (critical >= enough) return 'critical';
  if (warning <= -enough) return 'ok';
  if (before === 'critical') return critical <= -enough ? 'warning' : 'critical';
  return warning >= enough ? 'warning' : before;
}

/** From its first ring until it recovers. */
export interface Episode {
  /** ISO 8601. */
  since: string;
  /** What people were told of it; null while nothing was, because it is silenced. */
  told: { level: AlarmLevel; atMs: number } | null;
  acknowledged: { by: string; at: string } | null;
}

/** How an alarm stands, by the windows up to a tick. */
export interface Standing {
  /** The state so many steps ago that no call is expected for it any more: later windows are read anew each time. */
  base: Folded & { tick: number };
  level: AlarmLevel;
  /** What the newest window says. */
  newest: Reading;
  episode: Episode | null;
}

export const stateOf = ({ level, newest }: Pick<Standing, 'level' | 'newest'>): AlarmState =>
  newest.level === null ? 'no_data' : level;

/** More windows than this are not read at once: after a long stop it goes on with the newest. */
const WINDOWS_AT_MOST = 200;

/** The first window that a look has to read. */
export function firstTick(standing: Standing | null, rule: AlarmRule, newest: number): number {
  if (standing === null) return newest - Math.max(lateSteps(rule), rule.breaches) + 1;
  return Math.max(standing.base.tick + 1, newest - WINDOWS_AT_MOST + 1);
}

/** What people are told of an alarm. */
export interface Telling {
  event: 'alarm.raised' | 'alarm.continues' | 'alarm.recovered';
  /** Of the episode. */
  since: string;
  /** The level that it rings at; of one that recovered, the highest that was told. */
  level: AlarmLevel;
}

/** @param readings of all windows from `firstTick` to the newest, which is the last. */
export function look(
  before: Standing | null,
  rule: AlarmRule,
  readings: readonly [Reading, ...Reading[]],
  nowMs: number,
  silencedUntilMs: number | null,
): { standing: Standing; telling: Telling | null } {
  const newest = readings.at(-1) ?? readings[0];
  let base = before?.base ?? { ...QUIET, tick: readings[0].tick - 1 };
  let folded: Folded = base;
  for (const reading of readings) {
    folded = fold(folded, reading, rule);
    if (reading.tick <= newest.tick - lateSteps(rule)) base = { ...folded, tick: reading.tick };
  }
  const { level } = folded;
  const begins = level !== 'ok' && !before?.episode;
  const since = new Date(newest.tick * stepMs(rule)).toISOString();
  const episode = begins ? { since, told: null, acknowledged: null } : (before?.episode ?? null);
  const told = tell(episode, level, rule, nowMs, silencedUntilMs);
  return { standing: { base, level, newest, episode: told.episode }, telling: told.telling };
}

/** One ring, then what became worse and reminders, then one recovery; silence holds back all but the recovery of what was told. */
function tell(
  episode: Episode | null,
  level: AlarmLevel,
  { remindAfterMinutes }: AlarmRule,
  nowMs: number,
  silencedUntilMs: number | null,
): { episode: Episode | null; telling: Telling | null } {
  if (episode === null) return { episode, telling: null };
  const { told } = episode;
  if (level === 'ok') return { episode: null, telling: recovery(episode) };
  if (silencedUntilMs !== null && nowMs < silencedUntilMs) return { episode, telling: null };
  const isWorse = told !== null && rankOf(level) > rankOf(told.level);
  const isDue =
    told !== null &&
    episode.acknowledged === null &&
    remindAfterMinutes !== null &&
    nowMs - told.atMs >= remindAfterMinutes * 60_000;
  if (told !== null && !isWorse && !isDue) return { episode, telling: null };
  const highest = told !== null && !isWorse ? told.level : level;
  const acknowledged = isWorse ? null : episode.acknowledged;
  return {
    episode: { ...episode, acknowledged, told: { level: highest, atMs: nowMs } },
    telling: { event: told === null ? 'alarm.raised' : 'alarm.continues', since: episode.since, level },
  };
}

/** What is told where an episode ends, also because its alarm was changed, turned off or removed. */
export const recovery = ({ since, told }: Episode): Telling | null =>
  told && { event: 'alarm.recovered', since, level: told.level };

/** When the alarm would have rung and recovered, had it been there. */
export function ringsIn(
  rule: AlarmRule,
  readings: readonly Reading[],
): { from: Reading; to: Reading | null; level: AlarmLevel }[] {
  const rings: { from: Reading; to: Reading | null; level: AlarmLevel }[] = [];
  let folded = QUIET;
  for (const reading of readings) {
    const before = folded.level;
    folded = fold(folded, reading, rule);
    const last = rings.at(-1);
    if (before === 'ok' && folded.level !== 'ok') rings.push({ from: reading, to: null, level: folded.level });
    else if (last && before !== 'ok' && folded.level === 'ok') last.to = reading;
    else if (last && rankOf(folded.level) > rankOf(last.level)) last.level = folded.level;
  }
  return rings;
}
