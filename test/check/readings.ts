import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyseCall } from '../../src/domain/signals/analyse-call.ts';
import { ANALYSER_VERSION } from '../../src/domain/signals/analyser-version.ts';
import type { CallAnalysis } from '../../src/domain/signals/call-analysis.ts';
import { EXAMPLES } from '../domain/signals/examples/all.ts';
import { readDemoCalls } from '../support/demo-calls.ts';
import type { CheckResult } from './check.ts';

export const LANDED_READINGS = 'test/check/landed-readings.json';

const NOW_MS = Date.parse('2026-06-15T13:00:00.000Z');
/** So that the check takes seconds. */
const ONE_DEMO_CALL_IN = 8;

/** What a version of the analyser reads. */
export interface Readings {
  version: number;
  /** Digest of what was read of a call, by the digest of the call. */
  readings: Record<string, string>;
}

/** Whoever changes what is read of a call raises the analyser's version, by which earlier readings are known. */
export function readings(project: string): CheckResult {
  const landed = landedReadings(project);
  const now = readingsNow();
  const details = objectionTo(now, landed) ?? (isSame(now, landed) ? '' : NOT_WRITTEN);
  return { ok: details === '', text: `${Object.keys(now.readings).length} calls`, details };
}

const NOT_WRITTEN = `${LANDED_READINGS} does not hold what the rules read by now: npm run readings writes it.`;

export const landedReadings = (project: string) =>
  JSON.parse(readFileSync(join(project, LANDED_READINGS), 'utf8')) as Readings;

/** Of the examples of all codes, which are short, and of calls of the demo, which are as long as calls are. */
export function readingsNow(): Readings {
  const examples = EXAMPLES.flatMap(({ positive, negative, lookAlike, notComputable }) =>
    [positive, negative, lookAlike, notComputable].filter((input) => input !== null),
  );
  const read = [
    ...examples.map((input) => readingOf(input, analyseCall(input, {}))),
    ...readDemoCalls(NOW_MS, ONE_DEMO_CALL_IN).map(({ analysis, ...input }) => readingOf(input, analysis)),
  ];
  return { version: ANALYSER_VERSION, readings: Object.fromEntries(read.toSorted()) };
}

const readingOf = (input: object, { analyserVersion: _, ...analysis }: CallAnalysis) => [
  digest(input),
  digest(analysis),
];

/** Why these readings can't stand as those of their version; null where they can. Calls that are new say nothing. */
export function objectionTo(now: Readings, landed: Readings): string | null {
  const changed = Object.entries(landed.readings).filter(
    ([call, reading]) => (now.readings[call] ?? reading) !== reading,
  );
  if (changed.length === 0 || now.version > landed.version) return null;
  return `The rules read ${changed.length} calls otherwise than version ${landed.version} did: raise ANALYSER_VERSION in src/domain/signals/analyser-version.ts, then npm run readings. Where that version is new and yours, take ${LANDED_READINGS} back first.`;
}

const isSame = (now: Readings, landed: Readings) => JSON.stringify(now) === JSON.stringify(landed);

const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** In words, for who reads the file of digests. */
export function differenceOf(now: Readings, landed: Readings): string {
  const calls = Object.keys(now.readings);
  const fresh = calls.filter((call) => landed.readings[call] === undefined).length;
  const changed = calls.filter((call) => (landed.readings[call] ?? now.readings[call]) !== now.readings[call]).length;
  return `${calls.length} calls read: ${fresh} are new, ${changed} are read otherwise than before. A reading also holds why codes could not be computed.`;
}
