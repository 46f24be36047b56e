import { describe, expect, test } from 'vitest';
import { wholePrice } from '../../../src/domain/limits/model-cost.ts';
import {
  attemptsAtMost,
  coveredCells,
  modelNanoUsd,
  nanoOfUsd,
  type RunModels,
  unpricedModels,
  usdWords,
} from '../../../src/domain/limits/run-cost.ts';
import type { TestSpec } from '../../../src/domain/tests/spec.ts';
import { makeSpec } from '../../support/specs.ts';

const MODELS: RunModels = {
  simulator: 'small',
  judge: 'large',
  prices: {
    small: wholePrice({ input: 1, output: 2 }, 'openai'),
    large: wholePrice({ input: 10, output: 20 }, 'openai'),
  },
};
/** A line of the caller at these prices, and a verdict. */
const LINE = (1_500 * 1 + 120 * 2) * 1000;
const VERDICT = (3_000 * 10 + 250 * 20) * 1000;

const judged = { id: 'j', text: 'Is kind.', required: true, check: null };
const checked = { id: 'c', text: 'Books.', required: true, check: { kind: 'tool_called' as const, tool: 'book' } };
const spec = (script: string[] | null, criteria: TestSpec['criteria'], maxTurns = 10): TestSpec => {
  const made = makeSpec();
  return { ...made, caller: { ...made.caller, script }, criteria, maxTurns };
};

const own = (of: TestSpec) => ({ spec: of, persona: '@source' });

describe('what the models of one attempt cost', () => {
  test.each([
    ['a script and checks by code: nothing', spec(['Hello.'], [checked]), 0],
    ['a line for each turn that no script gives', spec(null, [checked], 7), 7 * LINE],
    ['a verdict for each criterion that no code decides', spec(['Hello.'], [judged, checked, judged]), 2 * VERDICT],
    ['both', spec(null, [judged], 3), 3 * LINE + VERDICT],
  ])('%s', (_, of, cost) => {
    expect(modelNanoUsd(own(of), MODELS)).toBe(cost);
  });

  test('a line for each of a script that a persona says in its manner', () => {
    const scripted = { spec: spec(['One.', 'Two.'], [checked]), persona: 'hurried' };
    expect(modelNanoUsd(scripted, MODELS)).toBe(3 * LINE);
    expect(unpricedModels([scripted], { simulator: 'a', judge: null, prices: {} })).toEqual(['a']);
    expect(modelNanoUsd({ ...scripted, spec: spec(null, [checked], 7) }, MODELS)).toBe(7 * LINE);
  });

  test('a model that is not configured, or has no price, costs nothing', () => {
    const of = own(spec(null, [judged], 3));
    expect(modelNanoUsd(of, { ...MODELS, simulator: null })).toBe(VERDICT);
    expect(modelNanoUsd(of, { ...MODELS, judge: 'unpriced' })).toBe(3 * LINE);
  });
});

describe('models that are asked and have no price', () => {
  const unpriced: RunModels = { simulator: 'a', judge: 'b', prices: {} };
  test.each([
    ['none where nothing asks one', [spec(['Hello.'], [checked])], unpriced, []],
    ['the caller, where one test has no script', [spec(['Hello.'], [checked]), spec(null, [checked])], unpriced, ['a']],
    ['the judge, where one criterion has no check', [spec(['Hello.'], [checked, judged])], unpriced, ['b']],
    ['each once', [spec(null, [judged])], { ...unpriced, judge: 'a' }, ['a']],
    ['none with a price', [spec(null, [judged])], MODELS, []],
    ['none that is not configured', [spec(null, [judged])], { ...unpriced, simulator: null, judge: null }, []],
  ])('%s', (_, specs, models, names) => {
    expect(unpricedModels(specs.map(own), models)).toEqual(names);
  });
});

test.each([
  ['run', null, 2],
  ['run', 3, 3],
  ['calibration', null, 3],
  ['calibration', 3, 3],
] as const)('a cell of a %s with %s repeats is played %i times at most', (kind, repeats, most) => {
  expect(attemptsAtMost({ kind, repeats })).toBe(most);
});

test.each([
  [null, 5, 8, 8],
  [39, 5, 8, 7],
  [40, 5, 8, 8],
  [400, 5, 8, 8],
  [4, 5, 8, 0],
  [0, 5, 8, 0],
  [-10, 5, 8, 0],
  [0, 0, 8, 8],
])('%s covers at a price of %i, of %i cells, %i', (left, price, cells, covered) => {
  expect(coveredCells(left, price, cells)).toBe(covered);
});

test.each([
  [0, '0.00 USD'],
  [0.84, '0.84 USD'],
  [0.01, '0.01 USD'],
  [12, '12.00 USD'],
  [0.0051, '0.0051 USD'],
  [0.005, '0.005 USD'],
  [0.00000049, '0.00 USD'],
])('%d reads %s', (usd, words) => {
  expect(usdWords(nanoOfUsd(usd))).toBe(words);
});
