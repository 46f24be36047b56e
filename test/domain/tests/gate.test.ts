import { expect, test } from 'vitest';
import { type Calibrated, gateAfterNewSpec, gateOf } from '../../../src/domain/tests/gate.ts';

const calibrated = (over: Partial<Calibrated>): Calibrated => ({
  result: 'passed',
  k: 3,
  n: 3,
  reason: null,
  version: 4,
  ...over,
});

test.each<[string, Partial<Calibrated>, boolean, string]>([
  ['three of three', {}, true, 'Stable: 3 of 3'],
  ['none of three', { result: 'failed', k: 0 }, true, 'Stable, and failing: 0 of 3'],
  ['two of three', { result: 'flaky', k: 2 }, false, 'Not stable: 2 of 3'],
  ['one of three', { result: 'flaky', k: 1 }, false, 'Not stable: 1 of 3'],
  ['fewer attempts than three', { k: 2, n: 2 }, false, 'could not decide: not all of its attempts were played.'],
  [
    'an error, with its reason',
    { result: 'error', k: 0, n: 3, reason: 'No judge is set.' },
    false,
    'could not decide: No judge is set.',
  ],
  ['drift', { result: 'drift', k: 0 }, false, 'the simulated caller did not keep to its facts and goal.'],
  ['nothing', { result: null, k: 0, n: 0 }, false, 'could not decide'],
])('a calibration that comes to %s', (_, over, gates, words) => {
  const gate = gateOf(calibrated(over));
  expect(gate.gates).toBe(gates);
  expect(gate.reason).toContain(words);
  expect(gate.reason).toContain('version 4');
});

test('a test whose spec was replaced gates no more, and says since which revision', () => {
  expect(gateAfterNewSpec(7)).toEqual({
    gates: false,
    reason: 'The spec was replaced (revision 7). Calibrate the test again.',
  });
});
