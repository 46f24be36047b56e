import { z } from 'zod';
import { count } from './common.ts';

const usd = z.number().min(0);

/** What a run may cost, before it is started. */
export const runPriceDocument = z
  .strictObject({
    object: z.literal('run_price'),
    cells: count.describe('Tests that are played, each by its own caller.'),
    platformUsd: usd.describe('Simulated calls, at most, in US dollars.'),
    serviceUsd: usd.describe('Models that play callers and judge, an estimate in US dollars.'),
    budgetLeftUsd: usd.nullable().describe('What the budget for tests has left this month; null without a limit.'),
    coveredCells: count.describe('How many of the cells the budget covers.'),
  })
  .meta({ id: 'RunPrice' });
export type RunPriceResource = z.infer<typeof runPriceDocument>;
