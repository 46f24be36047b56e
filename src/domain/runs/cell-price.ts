import { attemptsAtMost, type CalledTest, modelNanoUsd, nanoOfUsd, type RunModels } from '../limits/run-cost.ts';
import type { Platform, RunKind } from '../vocabulary.ts';
import { simulationTerms } from './simulation-terms.ts';

export interface PricedAgent {
  provider: Platform;
  /** USD a simulated call by the agent's settings; null: the platform's usual rate. */
  simulatedCallUsd: number | null;
}

/** What a cell of a run may cost at its platform, in billionths of a US dollar: every attempt that it may take. */
export function cellPriceNanoUsd(run: { kind: RunKind; repeats: number | null }, agent: PricedAgent): number {
  const usdACall = agent.simulatedCallUsd ?? simulationTerms(agent.provider)?.usdACall ?? 0;
  return nanoOfUsd(usdACall) * attemptsAtMost(run);
}

export interface RunPrice {
  /** One cell at the platform. */
  cellNanoUsd: number;
  /** The models of each cell. */
  modelsOfCells: number[];
  platformNanoUsd: number;
  serviceNanoUsd: number;
}

/** What a whole run may cost before it is played, in billionths of a US dollar. */
export function runPrice(
  run: { kind: RunKind; repeats: number | null; cells: readonly CalledTest[] },
  agent: PricedAgent,
  models: RunModels,
): RunPrice {
  const cellNanoUsd = cellPriceNanoUsd(run, agent);
  const modelsOfCells = run.cells.map((cell) => modelNanoUsd(cell, models) * attemptsAtMost(run));
  return {
    cellNanoUsd,
    modelsOfCells,
    platformNanoUsd: cellNanoUsd * run.cells.length,
    serviceNanoUsd: modelsOfCells.reduce((sum, one) => sum + one, 0),
  };
}
