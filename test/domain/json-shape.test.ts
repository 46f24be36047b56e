import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonExceeds, nestsBeyond } from '../../src/domain/json-shape.ts';
import { embeddedJson, parseJson } from '../../src/domain/parse-json.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

function depthOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('how deep a text of JSON nests', () => {
  test.each<[rule: string, text: string, depth: number]>([
    ['a scalar not at all', '12', 0],
    ['a list once', '[]', 1],
    ['an object once', '{"a":1}', 1],
    ['side by side no deeper', '[[],[],{}]', 2],
    ['brackets in words are words', '"[[[{{{"', 0],
    ['brackets in names are names', '{"[[":"]]"}', 1],
    ['a quote that is escaped ends no word', '["\\"[[", []]', 2],
    ['a backslash that is escaped escapes nothing', '["\\\\", [[]]]', 3],
    ['a backslash at the end', '["a\\\\"]', 1],
    ['very deep', nested(10_000), 10_000],
  ])('%s', (_, text, depth) => {
    expect(nestsBeyond(text, depth)).toBe(false);
    expect(jsonExceeds(bytes(text), { depth })).toBe(false);
    if (depth === 0) return;
    expect(nestsBeyond(text, depth - 1)).toBe(true);
    expect(jsonExceeds(bytes(text), { depth: depth - 1 })).toBe(true);
  });

  test('is the depth that the parsed value has, also with spaces and signs of other scripts', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3, stringUnit: 'binary' }), fc.constantFrom(0, 2), (json, space) => {
        const text = JSON.stringify(JSON.parse(json), null, space);
        const depth = depthOf(JSON.parse(text));
        for (const limit of [depth - 1, depth, depth + 1]) {
          expect(nestsBeyond(text, limit)).toBe(depth > limit && depth > 0);
          expect(jsonExceeds(bytes(text), { depth: limit })).toBe(depth > limit && depth > 0);
        }
      }),
      { numRuns: 25 },
    );
  });

  test.each(['', '"', '"\\', '[', ']', ']]]]', '{"', '\\'])(
    'of what is no JSON it is read without harm: %j',
    (text) => {
      expect(nestsBeyond(text, 5)).toBe(false);
      expect(jsonExceeds(bytes(text), { depth: 5 })).toBe(false);
    },
  );
});

describe('how many values a text of JSON has', () => {
  const exceeds = (text: string, values: number) => jsonExceeds(bytes(text), { depth: 99, values });

  test.each([
    [1_000, 999, true],
    [1_000, 1_000, false],
  ])('a list of %i entries, where %i are let in: too many %s', (entries, most, tooMany) => {
    expect(exceeds(JSON.stringify(Array.from({ length: entries }, () => 7)), most)).toBe(tooMany);
  });

  test('fields count as entries do, and what holds them counts too', () => {
    const rows = JSON.stringify(Array.from({ length: 100 }, () => ({ a: 1, b: 2 })));
    expect(exceeds(rows, 250)).toBe(true);
    expect(exceeds(rows, 301)).toBe(false);
  });

  test('commas in words are words', () => {
    expect(exceeds('"a,b,c,d,e"', 0)).toBe(false);
  });

  test('without a bound as many as there are', () => {
    expect(jsonExceeds(bytes(JSON.stringify(Array.from({ length: 50_000 }, () => []))), { depth: 2 })).toBe(false);
  });
});

describe('parsing', () => {
  test.each([
    ['{"a":[1,null]}', { a: [1, null] }],
    [' 7 ', 7],
    ['"text"', 'text'],
    ['null', null],
    ['', undefined],
    ['{a:1}', undefined],
    ['[1', undefined],
    ['undefined', undefined],
  ])('%j gives %j', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test('what nests deeper than later code can walk is none', () => {
    expect(parseJson(nested(64))).toBeDefined();
    expect(parseJson(nested(65))).toBeUndefined();
    expect(parseJson(nested(1_000_000))).toBeUndefined();
  });
});

describe('arguments and results of tools', () => {
  test.each([
    ['a text that holds an object', '{"a":1}', { a: 1 }],
    ['a text that holds a list', ' [1]', [1]],
    ['a text that holds a text', '"a"', 'a'],
    ['an object', { a: 1 }, { a: 1 }],
    ['a text that only begins so', '{not json', '{not json'],
    ['a number in a text stays a text', '7', '7'],
    ['"true" stays a word', 'true', 'true'],
    ['"null" stays a word', 'null', 'null'],
    ['nothing', undefined, null],
    ['null', null, null],
  ])('%s', (_, given, value) => {
    expect(embeddedJson(given)).toEqual(value);
  });
});
