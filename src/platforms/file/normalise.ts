import type { Ending, NormalisedCall, Turn } from '../../domain/calls/call.ts';
import { SPOKEN_MS } from '../../domain/calls/side-record.ts';
import type { Timing } from '../../domain/vocabulary.ts';
import { CHANNELS, type Channel, DIRECTIONS, SIDES, type Side } from '../../domain/vocabulary.ts';
import type { Reading } from '../formats/format.ts';
import { instantIn } from '../formats/zone.ts';
import { idOf, metadataOf, shortText, textOf } from '../lenient.ts';
import { UnreadableCall } from '../port.ts';
import { retellEnding } from '../retell/endings.ts';
import { judgeTiming, markInterruptions } from '../spoken-times.ts';
import { clockTime } from '../start-time.ts';
import { type FileRecord, fileRecord } from './record.ts';
import { readFileTurns, readTransitions } from './turns.ts';
import { WaitingCalls } from './waiting-calls.ts';

const EARLIEST_MS = Date.UTC(2000, 0, 1);
const LONGEST_CALL_MS = 7 * 86_400_000;

/** @throws UnreadableCall with the reason in words. */
export function normaliseRecord(
  { record: ours, places, transitions = [] }: Extract<Reading, { as: 'record' }>,
  timeZone: string | null,
  nowMs: number,
): NormalisedCall {
  const record = fileRecord.parse(ours);
  const zone = record.timeZone ?? timeZone;
  const providerCallId = idOf(record.id);
  if (providerCallId === null) throw new UnreadableCall('The record has no usable `id`.', 'id');
  const warnings: string[] = [];
  const turns = readFileTurns(record.turns, places);
  const timing = judgeTiming(turns);
  if (timing === 'exact') addWhatTimesTell(turns);
  const startedAt = readTime(record.startedAt, { what: 'start', zone, nowMs, warnings });
  const endedAt = readTime(record.endedAt, { what: 'end', zone, nowMs, warnings });
  const ending = readEnding(record);
  const clockMs = startedAt === null || endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt);
  const notRecorded = notRecordedIn(record, turns, { ending, clockMs });
  return {
    providerCallId,
    version: readVersion(record.version, warnings),
    startedAt,
    endedAt,
    durationMs: readDuration(clockMs, turns),
    direction: DIRECTIONS.find((name) => name === record.direction) ?? 'inbound',
    channel: readChannel(record.channel, turns, timing),
    language: shortText(record.language, 35),
    disconnectionReason: shortText(record.disconnectionReason) ?? 'unknown',
    ending,
    callerNumber: shortText(record.callerNumber, 120),
    turns,
    transitions: transitions.length > 0 ? transitions : readTransitions(turns),
    timing,
    latency: null,
    costUsd: null,
    variables: null,
    ...metadataOf(record.metadata),
    platformAnalysis: null,
    partial: false,
    ...(notRecorded.length > 0 ? { notRecorded } : {}),
    warnings,
  };
}

interface Frame {
  ending: Ending;
  /** From the stated start to the stated end; null where one of them is not stated. */
  clockMs: number | null;
}

/**
 * A record without any turn is no proof that nobody spoke, unless it says why the call ended or that it was over
 * before a word can be said.
 */
function notRecordedIn({ notRecorded }: FileRecord, turns: readonly Turn[], { ending, clockMs }: Frame): Side[] {
  const isTooShort = clockMs !== null && clockMs >= 0 && clockMs < SPOKEN_MS;
  if (turns.length === 0 && ending.family === 'unknown' && !isTooShort) return [...SIDES];
  return SIDES.filter((side) => notRecorded?.includes(side) === true);
}

interface TimeOptions {
  what: 'start' | 'end';
  zone: string | null;
  nowMs: number;
  warnings: string[];
}

function readTime(value: unknown, { what, zone, nowMs, warnings }: TimeOptions): string | null {
  if (value === null || value === undefined) return null;
  const text = textOf(value) ?? '';
  const [, day, rest = ''] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d.*)$/.exec(text) ?? [];
  const isTime = day !== undefined && isDay(day);
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(rest);
  const timeMs =
    isTime && hasZone ? Date.parse(`${day}T${rest}`) : isTime && zone !== null ? instantIn(zone, text) : Number.NaN;
  if (Number.isNaN(timeMs)) {
    const how = isOrderUnknown(text)
      ? ` Day and month can't be told apart in "${text}": write it as 2026-11-09 09:00.`
      : isTime && !hasZone
        ? ' Say in which zone it is: `--time-zone America/New_York`, or `timeZone` in the record.'
        : '';
    warnings.push(`The ${what} time is no ISO 8601 time with a zone and was left out.${how}`);
    return null;
  }
  return clockTime(timeMs, { what, nowMs, warnings, earliestMs: EARLIEST_MS });
}

/** 09/11 is September in some countries and November in others. */
const isOrderUnknown = (text: string) => /^\d{1,2}[/.-]\d{1,2}[/.-]\d{4}\b/.test(text);

/** `Date` takes 31 February for a day of March. */
function isDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

function readVersion(version: number | null, warnings: string[]): number {
  if (version === null) return 1;
  if (Number.isSafeInteger(version) && version >= 0 && version <= 2_147_483_647) return version;
  warnings.push(`The version ${version} is no whole number and counts as 1.`);
  return 1;
}

function readDuration(clockMs: number | null, turns: readonly Turn[]): number {
  if (clockMs !== null && clockMs > 0) return Math.min(clockMs, LONGEST_CALL_MS);
  return turns.reduce((latest, turn) => Math.max(latest, turn.endMs ?? turn.startMs ?? 0), 0);
}

/** Exact times give tool latencies and interruptions, as on a platform. */
function addWhatTimesTell(turns: Turn[]): void {
  const stated = turns.map((turn) => turn.interrupted);
  if (!stated.includes(true)) markInterruptions(turns);
  const waiting = new WaitingCalls();
  for (const turn of turns) {
    if (turn.toolCall) waiting.add(turn, turn.toolCall);
    if (!turn.toolResult) continue;
    const call = waiting.take(turn.toolResult);
    const calledMs = call === undefined ? null : whenCalled(call, turn.startMs);
    const latencyMs = turn.startMs === null || calledMs === null ? null : turn.startMs - calledMs;
    turn.toolResult.latencyMs = latencyMs !== null && latencyMs >= 0 ? latencyMs : null;
  }
}

/** A tool called on a turn with words runs from the end of these words, unless its result came while they were spoken. */
function whenCalled(call: Turn, resultMs: number | null): number | null {
  const saidMs = call.text === '' ? null : call.endMs;
  return saidMs !== null && resultMs !== null && saidMs <= resultMs ? saidMs : call.startMs;
}

/** Said so by the record, or shown by its times: speech follows speech within a few seconds. Else it stays open. */
function readChannel(stated: string | null, turns: readonly Turn[], timing: Timing): Channel {
  const known = CHANNELS.find((name) => name === stated);
  if (known) return known;
  if (turns.some((turn) => turn.words !== null)) return 'voice';
  return timing === 'exact' && hasVoiceRhythm(turns) ? 'voice' : 'unknown';
}

function hasVoiceRhythm(turns: readonly Turn[]): boolean {
  const spoken = turns.filter((turn) => (turn.role === 'caller' || turn.role === 'agent') && turn.endMs !== null);
  const gapsMs: number[] = [];
  for (const [at, turn] of spoken.entries()) {
    const before = spoken[at - 1];
    if (before && turn.startMs !== null && before.endMs !== null) gapsMs.push(turn.startMs - before.endMs);
  }
  const middleMs = gapsMs.toSorted((a, b) => a - b)[Math.floor(gapsMs.length / 2)];
  return middleMs !== undefined && middleMs > -2_000 && middleMs < 4_000;
}

function readEnding(record: FileRecord): Ending {
  const ending = retellEnding(record.disconnectionReason, null);
  const endedBy = (['caller', 'agent', 'platform'] as const).find((who) => who === record.endedBy);
  if (endedBy === undefined) return ending;
  if (ending.family !== 'unknown') return { ...ending, endedBy };
  const family = { caller: 'caller_end', agent: 'agent_end', platform: 'unknown' } as const;
  return { hint: 'unknown', family: family[endedBy], endedBy };
}
