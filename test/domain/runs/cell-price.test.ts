import { expect, test } from 'vitest';
import { wholePrice } from '../../../src/domain/limits/model-cost.ts';
import { cellPriceNanoUsd, runPrice } from '../../../src/domain/runs/cell-price.ts';
import { makeSpec } from '../../support/specs.ts';

const CENT = 10_000_000;
const once = { kind: 'run', repeats: null } as const;

test.each([
  ['the rate of the platform', { provider: 'demo', simulatedCallUsd: null }, 2 * 2 * CENT],
  ['the rate of the agent before it', { provider: 'demo', simulatedCallUsd: 0.05 }, 2 * 5 * CENT],
  ['a rate of nothing is one', { provider: 'demo', simulatedCallUsd: 0 }, 0],
  ['nothing where nothing can be played', { provider: 'file', simulatedCallUsd: null }, 0],
] as const)('a cell may cost each attempt that it may take, at %s', (_, agent, nanoUsd) => {
  expect(cellPriceNanoUsd(once, agent)).toBe(nanoUsd);
});

test('a cell that is played three times may cost three calls', () => {
  const agent = { provider: 'demo', simulatedCallUsd: 0.01 } as const;
  expect(cellPriceNanoUsd({ kind: 'calibration', repeats: null }, agent)).toBe(3 * CENT);
});

test('a run may cost each test by each caller, and its models as often as they are asked', () => {
  const models = { simulator: null, judge: 'judge', prices: { judge: wholePrice({ input: 10, output: 0 }, 'openai') } };
  const judged = makeSpec();
  const checked = makeSpec({ criteria: judged.criteria.slice(0, 1) });
  const price = runPrice(
    { ...once, cells: ['@source', 'plain'].flatMap((persona) => [judged, checked].map((spec) => ({ spec, persona }))) },
    { provider: 'demo', simulatedCallUsd: 0.01 },
    models,
  );
  const verdict = 3_000 * 10 * 1000;
  expect(price).toEqual({
    cellNanoUsd: 2 * CENT,
    modelsOfCells: [2 * verdict, 0, 2 * verdict, 0],
    platformNanoUsd: 2 * CENT * 4,
    serviceNanoUsd: 2 * verdict * 2,
  });
});
