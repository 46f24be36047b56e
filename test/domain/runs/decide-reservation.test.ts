import { describe, expect, test } from 'vitest';
import { cellPriceNanoUsd } from '../../../src/domain/runs/cell-price.ts';
import { decideReservation, type RunToReserve } from '../../../src/domain/runs/decide-reservation.ts';

const CELL = 40_000_000;
const UNTIL = '2026-03-09T12:00:00Z';
const run = (changed: Partial<RunToReserve> = {}): RunToReserve => ({
  trigger: 'manual',
  decision: null,
  approvalMode: null,
  cellsRequested: 8,
  cellsRunnable: 8,
  cellsDone: 0,
  message: null,
  note: null,
  ...changed,
});
const left = (cells: number) => ({ of: 'agent', leftNanoUsd: cells * CELL }) as const;

describe('what a run may hold back', () => {
  test.each([
    ['all of it, where no budget has a limit', run(), 1, null, { state: 'hold', cells: 8 }],
    ['all of it, where the budget covers it to the last cell', run(), 1, left(8), { state: 'hold', cells: 8 }],
    ['what the budget covers of it', run(), 1, left(3.9), { state: 'hold', cells: 3 }],
    ['nothing, where the budget covers no cell', run(), 1, left(0.9), { state: 'refused' }],
    [
      'nothing yet, where it is automatic and not covered whole',
      run({ trigger: 'auto' }),
      1,
      left(3),
      { state: 'wait', cells: 3 },
    ],
    ['all of it, where it is automatic and covered', run({ trigger: 'auto' }), 1, left(8), { state: 'hold', cells: 8 }],
    [
      'what is covered, where a person approved that',
      run({ trigger: 'auto', decision: 'approved', approvalMode: 'covered' }),
      1,
      left(3),
      { state: 'hold', cells: 3 },
    ],
    [
      'all of it over the budget, where a person approved that',
      run({ trigger: 'auto', decision: 'approved', approvalMode: 'all' }),
      1,
      left(0),
      { state: 'hold', cells: 8 },
    ],
    ['its errors, where they are covered', run({ cellsDone: 6 }), 2, left(2), { state: 'hold', cells: 2 }],
    ['none of its errors, where one is not covered', run({ cellsDone: 6 }), 2, left(1), { state: 'refused' }],
    [
      'no wait for a person, when the errors of an automatic run are tried again',
      run({ trigger: 'auto', cellsDone: 6 }),
      2,
      left(1),
      { state: 'refused' },
    ],
  ] as const)('%s', (_what, of, play, budget, expected) => {
    expect(decideReservation(of, play, budget, CELL, UNTIL)).toMatchObject(expected);
  });

  test('is the price of its cells, and nothing where a call costs nothing', () => {
    expect(decideReservation(run(), 1, left(3), CELL, UNTIL)).toMatchObject({ nanoUsd: 3 * CELL });
    expect(decideReservation(run(), 1, left(0), 0, UNTIL)).toMatchObject({ cells: 8, nanoUsd: 0 });
  });

  test('what was said of it when it was made stays beside it, and a second try leaves its message', () => {
    const noted = run({ note: 'A model has no price.', message: 'As it was.', cellsDone: 7 });
    expect(decideReservation(noted, 1, null, CELL, UNTIL)).toMatchObject({
      message: 'The budget covers all of it: 8 cells. A model has no price.',
    });
    expect(decideReservation(noted, 2, null, CELL, UNTIL)).toMatchObject({ message: 'As it was.' });
  });
});

test.each([
  [
    'two tries at the rate of the platform',
    { kind: 'run', repeats: null },
    { provider: 'retell', simulatedCallUsd: null },
    0.1,
  ],
  [
    'three where each test is repeated',
    { kind: 'run', repeats: 3 },
    { provider: 'retell', simulatedCallUsd: null },
    0.15,
  ],
  [
    'three where tests are calibrated',
    { kind: 'calibration', repeats: null },
    { provider: 'demo', simulatedCallUsd: null },
    0.06,
  ],
  [
    'the rate of the settings before that of the platform',
    { kind: 'run', repeats: null },
    { provider: 'retell', simulatedCallUsd: 0.2 },
    0.4,
  ],
  ['nothing where the settings say so', { kind: 'run', repeats: null }, { provider: 'retell', simulatedCallUsd: 0 }, 0],
] as const)('a cell costs at most: %s', (_what, of, agent, usd) => {
  expect(cellPriceNanoUsd(of, agent)).toBe(Math.round(usd * 1e9));
});
