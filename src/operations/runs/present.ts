import type { RunResource } from '../../contract/run.ts';
import type { RunView } from '../../db/runs/runs.ts';
import { usdOfNano } from '../../domain/limits/model-cost.ts';
import { EARSHOT, shownTrigger } from '../../domain/runs/shown-trigger.ts';

export function presentRun(row: RunView): RunResource {
  return {
    object: 'run',
    id: row.id,
    status: row.status,
    message: row.message,
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
