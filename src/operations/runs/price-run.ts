import type { RunPriceResource } from '../../contract/run-price.ts';
import { budgetsLeft, leastLeft } from '../../db/runs/budgets.ts';
import { loadPlayTerms } from '../../db/runs/run-terms.ts';
import { usdOfNano } from '../../domain/limits/model-cost.ts';
import { type CalledTest, coveredCells, type RunModels } from '../../domain/limits/run-cost.ts';
import { type RunPrice, runPrice } from '../../domain/runs/cell-price.ts';
import type { Context } from '../operation.ts';

/** What a run of these cells may cost at most, and what the agent's budget for tests has left; null: no limit. */
export async function priceRun(
  { em, agent }: Pick<Context, 'em' | 'agent'>,
  { cells, repeats }: { cells: readonly CalledTest[]; repeats: number | null },
  models: RunModels,
): Promise<RunPrice & { leftNanoUsd: number | null }> {
  const simulatedCallUsd = (await loadPlayTerms(em, agent.id, null))?.simulatedCallUsd ?? null;
  const payer = { workspaceId: agent.workspaceId, agentId: agent.id, apiKeyId: null };
  const leftNanoUsd = leastLeft(await budgetsLeft(em, payer))?.leftNanoUsd ?? null;
  return { ...runPrice({ kind: 'run', repeats, cells }, { ...agent, simulatedCallUsd }, models), leftNanoUsd };
}

export function presentPrice(
  { platformNanoUsd, serviceNanoUsd, cellNanoUsd, leftNanoUsd }: Awaited<ReturnType<typeof priceRun>>,
  cells: number,
): RunPriceResource {
  return {
    object: 'run_price',
    cells,
    platformUsd: usdOfNano(platformNanoUsd),
    serviceUsd: usdOfNano(serviceNanoUsd),
    budgetLeftUsd: leftNanoUsd === null ? null : usdOfNano(leftNanoUsd),
    coveredCells: coveredCells(leftNanoUsd, cellNanoUsd, cells),
  };
}
