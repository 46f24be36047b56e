import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleSpec } from '../../src/contract/test-spec.ts';
import type { Json } from '../../src/domain/json.ts';
import { SCHEMA_NAMES, schemaOf } from '../../src/operations/schemas.ts';
import { createFileReader } from '../../src/platforms/file/reader.ts';
import { createValidator } from '../support/json-schema.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const docs = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

test.each(SCHEMA_NAMES)('the schema of a %s is served as it is kept, and made from the contract', async (name) => {
  const kept: unknown = JSON.parse(docs(`schemas/${name}.json`));
  expect(kept, 'run `npm run schemas`').toEqual(JSON.parse(JSON.stringify(schemaOf(name))));
  const answer = await world.ask('GET', `/schemas/${name}.json`);
  expect([answer.status, JSON.parse(answer.text)]).toEqual([200, kept]);
});

test('the example of a record fits its schema, and is read without a warning', () => {
  const [, text = ''] = /```json\n([\s\S]*?)```/.exec(docs('record.md')) ?? [];
  const example = JSON.parse(text) as Json;
  const fits = createValidator().compile(schemaOf('record'));
  expect([fits(example), fits.errors ?? []]).toEqual([true, []]);
  const call = createFileReader().normalise(example);
  expect(call).toMatchObject({ timing: 'exact', version: 3, durationMs: 33_200, warnings: [] });
  expect(call.turns[3]?.toolResult).toMatchObject({ ok: false, latencyMs: 2_500 });
  expect([fits({ turns: [] }), fits({ id: 'a' }), fits({ id: 'a', turns: [{ role: 'wizard' }] })]).toEqual([
    false,
    false,
    false,
  ]);
});

test('a test file fits its schema', () => {
  const fits = createValidator().compile(schemaOf('test'));
  expect([fits({ title: 'Books a visit', spec: exampleSpec }), fits.errors ?? []]).toEqual([true, []]);
  expect(fits({ title: 'Books a visit', spek: exampleSpec })).toBe(false);
});
