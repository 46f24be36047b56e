import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { numberOf, textOf } from '../values.ts';
import { clockMs, lengthMs, wallMs } from './clock.ts';

const STARTS = ['start', 'start_time', 'startTime', 'begin', 'timestamp', 'created_at', 'createdAt', 'time'] as const;
const ENDS = ['end', 'end_time', 'endTime'] as const;

/** When a call began, by the clock that its entries go by. */
export interface Origin {
  ms: number;
  /** The same as ISO 8601; without a zone where the clock has none. */
  time: string;
  readClock(value: Json | undefined): number | null;
}

export interface TimesOptions {
  /** Null where nobody knows. */
  origin: Origin | null;
  inMilliseconds: boolean;
}

/** Our own names hold milliseconds; under others a record says so, else they are seconds. Clock times are laid from the start. */
export function timesOf(entry: JsonObject, { origin, inMilliseconds }: TimesOptions): JsonObject {
  if ('startMs' in entry || 'endMs' in entry) return {};
  const lay = (value: Json | undefined) => laidFrom(origin, value, inMilliseconds ? 1 : 1000);
  return { startMs: lay(startOf(entry)), endMs: lay(endOf(entry)) };
}

/** The stated start of a call, else the earliest clock time that an entry has; null where there is none. */
export function originOf(stated: Json | undefined, entries: readonly Json[]): Origin | null {
  const zoned = clockMs(stated) ?? (wallMs(stated) === null ? earliest(entries, clockMs) : null);
  if (zoned !== null) return { ms: zoned, time: isoOf(zoned), readClock: clockMs };
  const wall = wallMs(stated) ?? earliest(entries, wallMs);
  return wall === null ? null : { ms: wall, time: isoOf(wall).slice(0, -1), readClock: wallMs };
}

/** The earliest clock time that an entry has; null where none has one. */
export const firstClock = (entries: readonly Json[]): number | null => earliest(entries, clockMs);

function earliest(entries: readonly Json[], readClock: Origin['readClock']): number | null {
  const clocks = entries.filter(isJsonObject).flatMap((entry) => {
    const metrics = isJsonObject(entry.metrics) ? entry.metrics : {};
    const all = [startOf(entry), metrics.started_speaking_at, entry.created_at, entry.timestamp];
    return all.map(readClock).filter((ms) => ms !== null);
  });
  return clocks.length === 0 ? null : clocks.reduce((first, ms) => Math.min(first, ms));
}

const isoOf = (ms: number) => new Date(ms).toISOString();

function startOf(entry: JsonObject): Json | undefined {
  const metrics = isJsonObject(entry.metrics) ? entry.metrics : null;
  // What LiveKit writes of a message is when it was stored, which is after it was said.
  if (metrics !== null && textOf(entry.type) === 'message') return metrics.started_speaking_at;
  return valueOf(entry, ['startSeconds', ...STARTS]);
}

function endOf(entry: JsonObject): Json | undefined {
  const metrics = isJsonObject(entry.metrics) ? entry.metrics : null;
  if (metrics !== null && textOf(entry.type) === 'message') return metrics.stopped_speaking_at;
  return valueOf(entry, ['endSeconds', ...ENDS]) ?? (isTool(entry) ? startOf(entry) : undefined);
}

const isTool = (entry: JsonObject) => textOf(entry.type)?.startsWith('function_call') === true;

const valueOf = (entry: JsonObject, names: readonly string[]): Json | undefined =>
  names.map((name) => entry[name]).find((value) => value !== undefined && value !== null);

function laidFrom(origin: Origin | null, value: Json | undefined, unit: number): number | null {
  const atMs = (origin?.readClock ?? clockMs)(value);
  if (atMs !== null) return origin === null || atMs < origin.ms ? null : atMs - origin.ms;
  if (clockMs(value) !== null) return null;
  const time = numberOf(value);
  return time === null ? lengthMs(value) : time * unit;
}
