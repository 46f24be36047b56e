import type { RunResource } from '../../src/contract/run.ts';
import { readList } from '../lists.ts';
import type { Session } from '../session.ts';

/** What a run may cost, told from the newest complete run of the agent. */
export interface RunPrice {
  usd: number;
  usdACell: number;
  fromRunId: string;
}

/** Null where no run of the agent tells what a cell costs. @param cells one a test, played by its own caller. */
export async function priceOfRun({ client }: Session, agentId: string, cells: number): Promise<RunPrice | null> {
  const runs = await readList<RunResource>(client, `/v1/agents/${agentId}/runs?status=complete`, 10);
  const run = runs.find(({ kind, progress }) => kind === 'run' && progress.completed > 0);
  if (!run) return null;
  const usdACell = (run.cost.platformUsd + run.cost.serviceUsd) / run.progress.completed;
  return { usd: usdACell * cells, usdACell, fromRunId: run.id };
}

export function describePrice(cells: number, price: RunPrice | null): string {
  const what = cells === 1 ? 'this test' : `these ${cells} tests`;
  if (price === null) return `What a run of ${what} costs can't be told yet: no run of this agent is complete.`;
  return `A run of ${what} costs about ${price.usd.toFixed(2)} USD: ${cells} × ${price.usdACell.toFixed(3)} USD, what a cell of run ${price.fromRunId} cost.`;
}
