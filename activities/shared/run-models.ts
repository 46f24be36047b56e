import type { RunModels } from '../../src/domain/limits/run-cost.ts';
import type { ActivityDeps } from '../deps.ts';

/** The models that runs of this installation ask, with their prices. */
export function runModels({ models }: Pick<ActivityDeps, 'models'>): RunModels {
  return { simulator: models.simulator?.model ?? null, judge: models.judge?.model ?? null, prices: models.prices };
}
