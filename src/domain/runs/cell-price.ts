import { attemptsAtMost, nanoOfUsd } from '../limits/run-cost.ts';
import type { Platform, RunKind } from '../vocabulary.ts';
import { simulationTerms } from './simulation-terms.ts';

/** What a cell of a run may cost at its platform, in billionths of a US dollar: every attempt that it may take. */
export function cellPriceNanoUsd(
  run: { kind: RunKind; repeats: number | null },
  agent: {
    provider: Platform;
    /** USD a simulated call by the agent's settings; null: the platform's usual rate. */
    simulatedCallUsd: number | null;
  },
): number {
  const usdACall = agent.simulatedCallUsd ?? simulationTerms(agent.provider)?.usdACall ?? 0;
  return nanoOfUsd(usdACall) * attemptsAtMost(run);
}
