import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReadingAnswers } from '../../../src/domain/reading/steps.ts';
import type { RecordSet } from '../records.ts';
import { VARIANTS } from '../written.ts';

/** What a reader answered about one call that it was shown in questions and nothing else. Never changed by hand. */
export interface RecordedReading extends ReadingAnswers {
  id: string;
  /** The day of the questions. */
  asked: string;
}

export const READINGS = fileURLToPath(new URL('../readings', import.meta.url));

/** `bakery (rich)` is kept as `bakery.rich.jsonl`; the agents of a set that others labelled are kept in one file. */
export const readingsName = ({ set, measuredAs }: NamedSet): string =>
  VARIANTS.includes(measuredAs) ? set.replace(/ \((\w+)\)$/, '.$1') : measuredAs;

type NamedSet = Pick<RecordSet, 'set' | 'measuredAs'>;

const fileOf = (set: NamedSet) => join(READINGS, `${readingsName(set)}.jsonl`);

/** Answers by call; empty where nobody has read the set. */
export function recordedReadings(set: NamedSet): Map<string, RecordedReading> {
  const file = fileOf(set);
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return new Map(lines.map((line) => JSON.parse(line) as RecordedReading).map((one) => [one.id, one]));
}

/** Keeps readings beside those of other calls. */
export function keepReadings(set: NamedSet, readings: ReadonlyMap<string, RecordedReading>): void {
  const all = new Map([...recordedReadings(set), ...readings]);
  mkdirSync(READINGS, { recursive: true });
  writeFileSync(fileOf(set), [...all.values()].map((one) => `${JSON.stringify(one)}\n`).join(''));
}
