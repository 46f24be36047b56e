import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/domain/json.ts';
import { differenceOf } from '../../../src/domain/tests/same-argument.ts';

const sameness = (wanted: Json, given: Json) => differenceOf(wanted, given)?.sameness ?? 'same';

describe('the same value', () => {
  test.each<[Json, Json]>([
    [2, '2'],
    ['2', 2],
    ['two', 2],
    [2.5, '2.50'],
    ['1,250', 1250],
    [true, 'True'],
    ['false', false],
    ['09:30', '9:30'],
    ['9:30 p.m.', '21:30'],
    ['21:30:00', '9:30 p.m.'],
    ['half past nine', '09:30'],
    ['2026-11-27', 'November 27th, 2026'],
    ['November 27', '2026-11-27'],
    ['2026-11-27T09:30:00Z', '2026-11-27T10:30:00.000+01:00'],
    ['2026-11-27T09:30', '2026-11-27 09:30:00'],
    ['+1 (555) 123-4567', '+15551234567'],
    ['$40', 40],
    ['forty dollars', '$40.00'],
    ['K47-B19', 'k47b19'],
    ['José  da Silva', 'Jose da silva'],
    ['Follow-up visit', 'follow up visit.'],
    ['in two weeks', 'in 2 weeks'],
    [
      ['a', 'b'],
      ['A', 'B'],
    ],
    [{ a: 1 }, { a: '1', b: 2 }],
    [{ a: { b: 'x' } }, '{"a": {"b": "X", "c": 1}}'],
    [null, null],
    [{}, { anything: 1 }],
  ])('%j is %j', (wanted, given) => {
    expect(sameness(wanted, given)).toBe('same');
  });
});

describe('another value', () => {
  test.each<[Json, Json]>([
    [2, 3],
    [2, '20'],
    [2, '-2'],
    ['-5', '5'],
    ['5%', '5'],
    [1.5, 15],
    ['1.5', '15'],
    ['007', 7],
    ['007', '7'],
    [true, 1],
    [true, 'yes'],
    [null, ''],
    [null, 'null'],
    ['', null],
    ['09:30', '9:30 p.m.'],
    ['9:30', '9:31'],
    ['2026-11-27', '2026-11-28'],
    ['2026-11-27', '2025-11-27'],
    ['2026-11-27T09:30:00Z', '2026-11-27T09:30:00+01:00'],
    ['Friday', 'Saturday'],
    ['$40', '€40'],
    ['$40', '$14'],
    ['+15551234567', '+15551234568'],
    ['12345678901234567890', '12345678901234567891'],
    ['ana@example.com', 'an@aexample.com'],
    ['a.b@example.com', 'ab@example.com'],
    ['v1.2.3', 'v12.3'],
    ['C++', 'C'],
    ['book', 'booking'],
    ['do cancel', 'do not cancel'],
    ['5 am', '5 pm'],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [['a'], ['a', 'a']],
    [[1], 1],
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { A: 1 }],
    [{ a: null }, {}],
  ])('%j is not %j', (wanted, given) => {
    expect(sameness(wanted, given)).toBe('different');
  });
});

test.each<[Json, Json]>([
  ['2026-05-06', '05/06/2026'],
  ['2026-05-06', 'May 6'],
  ['09:30', 'half past nine'],
  ['+15551234567', '15551234567'],
])('whether %j is %j can’t be told', (wanted, given) => {
  expect(sameness(wanted, given)).toBe('unclear');
});

const name = fc.constantFrom('day', 'at', 'name', 'party_size', 'note', 'id');
const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('9:30', '2026-05-06', 'half past nine', '$5', 'K47B19', '+1 555 010 2030'),
);
const args = fc.dictionary(name, fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })));

test('further arguments never change the verdict', () => {
  fc.assert(
    fc.property(args, args, fc.dictionary(fc.string({ minLength: 1 }), scalar), (wanted, given, further) => {
      const unrelated: JsonObject = Object.fromEntries(
        Object.entries(further).map(([key, value]) => [`further ${key}`, value]),
      );
      expect(differenceOf(wanted, { ...unrelated, ...given })).toEqual(differenceOf(wanted, given));
    }),
  );
});

test('what is given as it is wanted always holds, also as a text of JSON', () => {
  fc.assert(
    fc.property(args, (wanted) => {
      const copy = JSON.parse(JSON.stringify(wanted)) as JsonObject;
      expect(differenceOf(copy, copy)).toBeNull();
      expect(differenceOf(copy, JSON.stringify(copy))).toBeNull();
    }),
  );
});

test('another number never holds, whether it stands as a number or in a text', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (wanted, given) => {
      fc.pre(wanted !== given);
      for (const [a, b] of [
        [wanted, given],
        [wanted, String(given)],
        [String(wanted), given],
        [String(wanted), String(given)],
      ] as const) {
        expect(sameness(a, b)).toBe('different');
      }
    }),
  );
});

test('another word, another minute and another day never hold', () => {
  const word = fc.stringMatching(/^[a-z]{4,10}$/);
  const minute = fc.integer({ min: 0, max: 1439 });
  const day = fc.integer({ min: 0, max: 20_000 });
  const clock = (at: number) => `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
  const date = (at: number) => new Date(at * 86_400_000).toISOString().slice(0, 10);
  const numbers = /^(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|oh|o)$/;
  fc.assert(
    fc.property(word, word, (a, b) => {
      fc.pre(a !== b && !numbers.test(a) && !numbers.test(b));
      expect(sameness(a, b)).toBe('different');
    }),
  );
  fc.assert(fc.property(minute, minute, (a, b) => a === b || sameness(clock(a), clock(b)) === 'different'));
  fc.assert(fc.property(day, day, (a, b) => a === b || sameness(date(a), date(b)) === 'different'));
});
