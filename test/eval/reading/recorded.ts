import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReadingAnswers } from '../../../src/domain/reading/steps.ts';
import type { RecordSet } from '../records.ts';

/** What a reader answered about one call that it was shown in questions and nothing else. Never changed by hand. */
export interface RecordedReading extends ReadingAnswers {
  id: string;
  /** The day of the questions. */
  asked: string;
}

export const READINGS = fileURLToPath(new URL('../readings', import.meta.url));

/** `bakery (rich)` is kept as `bakery.rich.jsonl`. */
const fileOf = (set: string) => join(READINGS, `${set.replace(/ \((\w+)\)$/, '.$1')}.jsonl`);

/** Answers by call; empty where nobody has read the set. */
export function recordedReadings({ set }: Pick<RecordSet, 'set'>): Map<string, RecordedReading> {
  const file = fileOf(set);
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return new Map(lines.map((line) => JSON.parse(line) as RecordedReading).map((one) => [one.id, one]));
}

export function keepReadings({ set }: Pick<RecordSet, 'set'>, readings: readonly RecordedReading[]): void {
  mkdirSync(READINGS, { recursive: true });
  writeFileSync(fileOf(set), readings.map((one) => `${JSON.stringify(one)}\n`).join(''));
}
