import type { RunResource } from '../../contract/run.ts';
import type { RunView } from '../../db/runs/runs.ts';
import { usdOfNano } from '../../domain/limits/model-cost.ts';
import { EARSHOT, shownTrigger } from '../../domain/runs/shown-trigger.ts';
import { RUN_WAITS } from '../../domain/vocabulary.ts';

/** What it waits for now comes before what was said of it. */
function messageOf({ message, heldUntil, heldBecause }: RunView): string | null {
  if (heldUntil === null) return message;
  const until = `${heldUntil.slice(0, 16).replace('T', ' ')} UTC`;
  return [`${RUN_WAITS} until ${until}: ${heldBecause}`, message].filter(Boolean).join(' ');
}

export function presentRun(row: RunView): RunResource {
  return {
    object: 'run',
    id: row.id,
    status: row.status,
    message: messageOf(row),
    kind: row.kind,
    trigger: shownTrigger(row),
    version: row.version,
    testSetId: row.testSetId,
    testIds: row.testIds,
    personas: row.personas,
    repeats: row.repeats,
    shadowAgentId: row.shadowAgentId,
    progress: { completed: row.cellsDone, total: row.cellsRunnable },
    cells: { requested: row.cellsRequested, runnable: row.cellsRunnable },
    summary: row.summary,
    cost: { platformUsd: usdOfNano(row.platformNanoUsd), serviceUsd: usdOfNano(row.serviceNanoUsd) },
    approvedAt: row.approvedAt,
    createdBy: row.createdBy === EARSHOT ? null : row.createdBy,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
