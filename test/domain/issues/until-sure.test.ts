import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findDifferences, type ValueCount } from '../../../src/domain/issues/differences.ts';
import { untilCauseEstablished, untilConfirmed } from '../../../src/domain/issues/until-sure.ts';
import { wilson } from '../../../src/domain/statistics.ts';
import { randomFrom } from '../../support/random.ts';

describe('how many more calls', () => {
  test('a fact is confirmed by its third call', () => {
    const { moreCalls } = untilConfirmed(
      { confirmed: false, shown: 1, computable: 500 },
      { fact: true, noiseFloor: 0 },
    );
    expect(moreCalls).toBe(2);
  });

  test('a signal at its noise floor is never confirmed by more of the same', () => {
    const noise = { fact: false, noiseFloor: 0.05 };
    expect(untilConfirmed({ confirmed: false, shown: 5, computable: 100 }, noise).moreCalls).toBeNull();
    expect(untilConfirmed({ confirmed: false, shown: 1, computable: 100 }, noise).moreCalls).toBeNull();
  });

  test('the number told is what the rule needs at the same rate, and no more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 40 }), fc.integer({ min: 41, max: 400 }), (shown, computable) => {
        const noiseFloor = 0.02;
        const rate = shown / computable;
        const above = (k: number) => wilson({ k, n: k / rate }).lower > noiseFloor;
        const { moreCalls } = untilConfirmed({ confirmed: false, shown, computable }, { fact: false, noiseFloor });
        if (moreCalls === null) return;
        expect(above(shown + moreCalls + 1)).toBe(true);
        if (moreCalls > 1) expect(above(shown + moreCalls - 1)).toBe(false);
      }),
      { examples: [[6, 221]] },
    );
  });

  test('a cause is established by as many calls in a row as are told, and not by fewer', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(60), (shown, some) => {
        const calls = Math.min(some, shown);
        const holds = (more: number) => calls + more >= 3 && calls + more >= ((shown + more) * 2) / 3 - 1e-9;
        const told = untilCauseEstablished({ established: false, shown }, { label: 'x', calls }).moreCalls ?? -1;
        expect(holds(told)).toBe(true);
        if (told > 0) expect(holds(told - 1)).toBe(false);
      }),
    );
  });

  test('without evidence of any cause, more calls settle nothing', () => {
    expect(untilCauseEstablished({ established: false, shown: 9 }, null).moreCalls).toBeNull();
  });
});

describe('how far it is, in words', () => {
  const fact = { fact: true, noiseFloor: 0 };
  const noisy = { fact: false, noiseFloor: 0.05 };

  test.each<[string, Parameters<typeof untilConfirmed>, number | null, string]>([
    ['confirmed', [{ confirmed: true, shown: 1, computable: 9 }, fact], 0, 'The pattern is confirmed.'],
    ['a fact', [{ confirmed: false, shown: 2, computable: 9 }, fact], 1, '1 call more that show it would confirm it.'],
    [
      'enough of a fact',
      [{ confirmed: false, shown: 5, computable: 9 }, fact],
      0,
      '0 calls more that show it would confirm it.',
    ],
    [
      'noise',
      [{ confirmed: false, shown: 2, computable: 100 }, noisy],
      null,
      'At its present rate of 2.0 % more calls would not confirm it: this signal is noise up to 5.0 %.',
    ],
    [
      'nothing read',
      [{ confirmed: false, shown: 0, computable: 0 }, noisy],
      null,
      'At its present rate of 0 % more calls would not confirm it: this signal is noise up to 5.0 %.',
    ],
    [
      'all of few',
      [{ confirmed: false, shown: 1, computable: 1 }, noisy],
      2,
      'At its present rate of 100 %, 2 calls more that show it would confirm it.',
    ],
  ])('a pattern: %s', (_, [issue, entry], moreCalls, sentence) => {
    expect(untilConfirmed(issue, entry)).toEqual({ settled: moreCalls === 0 && issue.confirmed, moreCalls, sentence });
  });

  test('a rate that lies above the floor by a hair is confirmed by nobody’s lifetime of calls', () => {
    const close = { confirmed: false, shown: 50_001, computable: 1_000_000 };
    expect(untilConfirmed(close, noisy).moreCalls).toBeNull();
  });

  test.each<[string, Parameters<typeof untilCauseEstablished>, number | null, RegExp]>([
    ['established', [{ established: true, shown: 9 }, null], 0, /^The cause is established\.$/],
    ['without evidence', [{ established: false, shown: 9 }, null], null, /settle nothing\.$/],
    [
      'of one call',
      [
        { established: false, shown: 1 },
        { label: 'Slow', calls: 1 },
      ],
      2,
      /^2 calls more .* "Slow" would/,
    ],
    [
      'of half of the calls',
      [
        { established: false, shown: 6 },
        { label: 'Slow', calls: 3 },
      ],
      3,
      /^3 calls more/,
    ],
    [
      'of two thirds',
      [
        { established: false, shown: 6 },
        { label: 'Slow', calls: 4 },
      ],
      0,
      /^0 calls more/,
    ],
    [
      'of one of many',
      [
        { established: false, shown: 9 },
        { label: 'Slow', calls: 5 },
      ],
      3,
      /^3 calls more/,
    ],
  ])('a cause: %s', (_, [issue, top], moreCalls, sentence) => {
    const until = untilCauseEstablished(issue, top);
    expect(until).toMatchObject({ settled: issue.established, moreCalls });
    expect(until.sentence).toMatch(sentence);
  });
});

describe('what differs', () => {
  const counts = (rows: [string, number, number][]): ValueCount[] =>
    rows.map(([value, affected, others]) => ({ dimension: 'version', value, affected, others }));

  test('tells a version on which it is clearly more common, and one on which it is clearly rarer', () => {
    const { found, tests } = findDifferences(
      counts([
        ['1', 5, 500],
        ['2', 60, 440],
        ['3', 35, 460],
      ]),
      {
        affected: 100,
        others: 1400,
      },
    );
    expect(tests).toBe(3);
    expect(found.map(({ value, lift }) => [value, lift.value > 1])).toEqual([
      ['1', false],
      ['2', true],
    ]);
  });

  test('says nothing of too few calls', () => {
    expect(findDifferences(counts([['1', 4, 0]]), { affected: 4, others: 90 })).toEqual({ tests: 0, found: [] });
  });

  test('calls drawn at random differ in nothing, at the stated level', () => {
    const runs = 300;
    let wrong = 0;
    for (let start = 1; start <= runs; start += 1) {
      const random = randomFrom(start);
      const all = { affected: 0, others: 0 };
      const rows = new Map<string, ValueCount>();
      for (let call = 0; call < 600; call += 1) {
        const side = random() < 0.2 ? 'affected' : 'others';
        all[side] += 1;
        for (const dimension of ['version', 'intent', 'weekday', 'caller'] as const) {
          const value = String(Math.floor(random() ** 2 * 6));
          const row = rows.get(`${dimension} ${value}`) ?? { dimension, value, affected: 0, others: 0 };
          row[side] += 1;
          rows.set(`${dimension} ${value}`, row);
        }
      }
      if (findDifferences([...rows.values()], all).found.length > 0) wrong += 1;
    }
    expect(wrong / runs).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / runs));
  });
});
