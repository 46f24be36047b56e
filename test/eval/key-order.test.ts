import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../src/domain/json.ts';
import { inStoredOrder } from '../../src/domain/json-order.ts';
import { analyseCall } from '../../src/domain/signals/analyse-call.ts';
import { toConfiguration } from '../../src/operations/agents/file-configuration.ts';
import { createFileReader } from '../../src/platforms/file/reader.ts';
import { SETS } from './evaluate.ts';
import { type RecordSet, readSet } from './records.ts';
import { OUR_OWN, readWritten, writtenFolders } from './written.ts';

const FOLDER = fileURLToPath(new URL('../../../shared/eval', import.meta.url));
/** One record in so many: each kind of business and platform is among them still. */
const EVERY = 3;
const reader = createFileReader(() => Date.UTC(2030, 0, 1));

/** The same record with the keys of all objects in another order, written and read again. */
function shuffled(value: Json, next: () => number): Json {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, next));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value)
    .map(([name, inner]) => ({ name, inner: shuffled(inner, next), at: next() }))
    .sort((a, b) => a.at - b.at);
  return JSON.parse(JSON.stringify(Object.fromEntries(entries.map(({ name, inner }) => [name, inner])))) as Json;
}

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
}

/** What the analysis says of a record, as text in which keys have one order. */
function analysisOf(set: RecordSet, record: JsonObject, next?: () => number): string {
  const given = set.configuration === null ? null : toConfiguration(set.configuration, set.set);
  const configuration =
    next === undefined ? given : (shuffled(given as unknown as Json, next) as unknown as typeof given);
  const call = reader.normalise(next === undefined ? record : shuffled(record, next));
  return JSON.stringify(inStoredOrder(analyseCall({ call, configuration }, {}) as unknown as Json));
}

function changed(sets: readonly RecordSet[]): string[] {
  const next = random(7);
  return sets.flatMap((set) =>
    set.records
      .filter((_, at) => at % EVERY === 0)
      .filter(({ record }) => analysisOf(set, record) !== analysisOf(set, record, next))
      .map(({ id }) => id),
  );
}

describe('the order of keys in a record', () => {
  test('changes nothing that the analysis says of our written calls', () => {
    expect(
      changed(
        writtenFolders(FOLDER)
          .filter(({ path }) => path === OUR_OWN)
          .flatMap(readWritten),
      ),
    ).toEqual([]);
  });

  test.runIf(existsSync(FOLDER))('changes nothing that it says of the labelled sets', () => {
    const sets = SETS.flatMap((name) => readSet(FOLDER, name) ?? []);
    expect(sets.length).toBeGreaterThan(10);
    expect(changed(sets)).toEqual([]);
  });

  test.runIf(existsSync(FOLDER))('changes nothing that it says of the calls that others wrote', () => {
    const fresh = writtenFolders(FOLDER).filter(({ path }) => path !== OUR_OWN);
    expect(changed(fresh.flatMap(readWritten))).toEqual([]);
  });
});
