import { expect, test } from 'vitest';
import { type JudgedFigures, type Shares, worseThan } from './judged-figures.ts';

const SHARES: Shares = { faultsFound: 0.5, healthyFlagged: 0.04, lookAlikesFlagged: 0.02, outcomesRight: 0.75 };
const version = (rich: Partial<Shares> = {}, bare: Partial<Shares> = {}): JudgedFigures => ({
  version: 2,
  figures: { rich: { ...SHARES, ...rich }, bare: { ...SHARES, ...bare } },
});

test.each([
  ['fewer faults found', { faultsFound: 0.49 }],
  ['more healthy calls flagged', { healthyFlagged: 0.05 }],
  ['more look-alikes flagged', { lookAlikesFlagged: 0.03 }],
  ['fewer outcomes right', { outcomesRight: 0.74 }],
])('a version with %s is refused, on either variant', (_, shares) => {
  expect(worseThan(version(shares), version())).toMatch(/^Version 2 does worse .* rich: /);
  expect(worseThan(version({}, shares), version())).toMatch(/bare: /);
});

test('a loss that a gain of its size pays for lands', () => {
  expect(worseThan(version({ faultsFound: 0.47, healthyFlagged: 0.01 }), version())).toBeNull();
  expect(worseThan(version({ faultsFound: 0.47, healthyFlagged: 0.02 }), version())).not.toBeNull();
});
