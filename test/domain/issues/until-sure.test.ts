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
