import { describe, expect, test } from 'vitest';
import { wholePrice } from '../../../src/domain/limits/model-cost.ts';
import {
  attemptsAtMost,
  coveredCells,
  modelNanoUsd,
  unpricedModels,
  usdWords,
} from '../../../src/domain/limits/run-cost.ts';
import {
  approvedMessage,
  type Coverage,
  cancelledMessage,
  coverageMessage,
  failedMessage,
  noTestCallsMessage,
  overBudgetMessage,
  uncoveredMessage,
} from '../../../src/domain/runs/run-messages.ts';
import type { TestSpec } from '../../../src/domain/tests/spec.ts';
import { makeSpec } from '../../support/specs.ts';

const own = (spec: TestSpec) => ({ spec, persona: '@source' });
const coverage = (changed: Partial<Coverage>): Coverage => ({
  wanted: 8,
  fits: 8,
  cellNanoUsd: 40_000_000,
  leftNanoUsd: 0,
  of: 'agent',
  ...changed,
});

describe('what a run says of its budget', () => {
  test.each([
    [coverageMessage(coverage({})), 'The budget covers all of it: 8 cells.'],
    [coverageMessage(coverage({ wanted: 1, fits: 1 })), 'The budget covers all of it: 1 cell.'],
    [coverageMessage(coverage({ fits: 5 })), "The agent's test budget covers 5 of 8 cells; the other 3 are not run."],
    [
      coverageMessage(coverage({ fits: 7, of: 'key' })),
      "The key's budget covers 7 of 8 cells; the other one is not run.",
    ],
    [
      uncoveredMessage(coverage({ fits: 0, leftNanoUsd: 30_000_000 })),
      "The agent's test budget has 0.03 USD left this month, and the run needs up to 0.04 USD a cell: nothing was played.",
    ],
    [
      overBudgetMessage(coverage({ fits: 2, leftNanoUsd: 80_000_000 }), '2026-11-28T14:05:00.000Z'),
      'Waits for a person to approve 0.24 USD over the budget until 28 November, 14:05 UTC.',
    ],
    [
      noTestCallsMessage(12, { limit: 50, used: 45 }),
      'The run needs 12 simulated calls, and the plan has 5 left: nothing was played.',
    ],
    [approvedMessage(coverage({ leftNanoUsd: 320_000_000 })), 'The budget covers all of it: 8 cells.'],
    [
      approvedMessage(coverage({ fits: 2, leftNanoUsd: 80_000_000 })),
      'A person approved all of it: 8 cells, up to 0.24 USD over the budget.',
    ],
    [
      uncoveredMessage(coverage({ wanted: 1, fits: 0, leftNanoUsd: 30_000_000, of: 'key' })),
      "The key's budget has 0.03 USD left this month, and the run needs up to 0.04 USD: nothing was played.",
    ],
    [
      noTestCallsMessage(1, { limit: 50, used: 60 }),
      'The run needs 1 simulated call, and the plan has 0 left: nothing was played.',
    ],
    [
      noTestCallsMessage(2, { limit: null, used: 0 }),
      'The run needs 2 simulated calls, and the plan has 0 left: nothing was played.',
    ],
    [
      cancelledMessage({ message: null, completed: 0, runnable: 8, reason: null }),
      'Cancelled by a person before a cell was complete.',
    ],
    [failedMessage({ message: null, completed: 0, runnable: 8, reason: null }, 'It broke.'), 'It broke.'],
    [
      failedMessage({ message: null, completed: 3, runnable: 8, reason: null }, 'It broke.'),
      'It broke. 3 of 8 cells were complete.',
    ],
    [
      cancelledMessage({ message: null, completed: 3, runnable: 8, reason: 'Wrong version.' }),
      'Cancelled by a person (Wrong version): 3 of 8 cells were complete, the others were not run.',
    ],
  ])('%s', (said, expected) => {
    expect(said).toBe(expected);
  });
});

describe('what a run may cost', () => {
  test('a cell is played twice at most, and three times where it is repeated', () => {
    expect(attemptsAtMost({ kind: 'run', repeats: null })).toBe(2);
    expect(attemptsAtMost({ kind: 'run', repeats: 3 })).toBe(3);
    expect(attemptsAtMost({ kind: 'calibration', repeats: null })).toBe(3);
  });

  test.each([
    [null, 5],
    [0, 0],
    [39_999_999, 0],
    [40_000_000, 1],
    [1_000_000_000, 5],
  ])('%s billionths of a dollar cover %s of five cells at 0.04', (left, cells) => {
    expect(coveredCells(left, 40_000_000, 5)).toBe(cells);
  });

  test('cells that cost nothing are all covered', () => {
    expect(coveredCells(0, 0, 5)).toBe(5);
  });

  test('a model is counted for lines without a script and criteria without a check, and one without a price is named', () => {
    const models = {
      simulator: 'caller-1',
      judge: 'judge-1',
      prices: { 'judge-1': wholePrice({ input: 1, output: 10 }, 'openai') },
    };
    const scripted = makeSpec({ criteria: makeSpec().criteria.filter(({ check }) => check !== null) });
    expect(modelNanoUsd(own(scripted), models)).toBe(0);
    expect(unpricedModels([own(scripted)], models)).toEqual([]);
    const judged = makeSpec();
    expect(modelNanoUsd(own(judged), models)).toBe(3_000_000 + 2_500_000);
    const spoken = { ...judged, caller: { ...judged.caller, script: null } };
    expect(unpricedModels([judged, spoken].map(own), models)).toEqual(['caller-1']);
    expect(modelNanoUsd(own(spoken), { simulator: null, judge: null, prices: {} })).toBe(0);
  });

  test.each([
    [0, '0.00 USD'],
    [840_000_000, '0.84 USD'],
    [1_500_000_000, '1.50 USD'],
    [400_000, '0.0004 USD'],
  ])('%s is said as %s', (nanoUsd, words) => {
    expect(usdWords(nanoUsd)).toBe(words);
  });
});
