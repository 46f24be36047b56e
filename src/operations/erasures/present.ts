import type { ErasureResource } from '../../contract/erasure.ts';
import type { ErasureView } from '../../db/erasures/erasures.ts';

export function presentErasure(row: ErasureView): ErasureResource {
  return {
    object: 'erasure',
    id: row.id,
    agentId: row.agentId,
    scope: row.scope,
    status: row.status,
    message: messageOf(row),
    total: row.total,
    done: row.done,
    removed: row.removed,
    reason: row.reason,
    requestedBy: row.requestedBy,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
  };
}

function messageOf({ status, message, total, done }: ErasureView): string {
  switch (status) {
    case 'queued':
      return 'Waits for a worker to begin. Nothing of it can come in again from now on.';
    case 'running':
      return `Erases: ${done} of ${total} calls.`;
    case 'complete':
      return `Erased: ${done} calls and all that was derived of them. Backups made before still hold them. ${message ?? ''}`.trimEnd();
    case 'failed':
      return `Ended early after ${done} of ${total} calls: ${message ?? 'no reason was given.'} What was erased stays erased.`;
    default:
      return status satisfies never;
  }
}
