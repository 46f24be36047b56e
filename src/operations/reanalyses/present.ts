import type { ReanalysisResource } from '../../contract/reanalysis.ts';
import type { ReanalysisView } from '../../db/reanalyses/reanalyses.ts';

export function presentReanalysis(row: ReanalysisView): ReanalysisResource {
  return {
    object: 'reanalysis',
    id: row.id,
    agentId: row.agentId,
    status: row.status,
    analyserVersion: row.analyserVersion,
    thresholds: row.thresholds,
    total: row.total,
    done: row.done,
    failed: row.failed,
    applied: row.applied,
    message: messageOf(row),
    report: row.report,
    createdAt: row.createdAt,
    reportedAt: row.reportedAt,
    finishedAt: row.finishedAt,
  };
}

function messageOf({ status, reason, total, done, applied }: ReanalysisView): string {
  switch (status) {
    case 'queued':
      return 'Waits for a worker to begin.';
    case 'reading':
      return done < total
        ? `Reads again: ${done} of ${total} calls. What is shown stays as it is.`
        : 'Works out what would change. What is shown stays as it is.';
    case 'reported':
      return reason === null
        ? 'The report says what would change. Apply it, or discard it; what is shown stays as it is until then.'
        : `Switching on ended early: ${reason} Apply it again to go on, or discard it to keep the rest as it is.`;
    case 'applying':
      return `Switches on: ${applied} of ${done} calls.`;
    case 'applied':
      return 'The new readings are switched on.';
    case 'discarded':
      return 'Discarded.';
    case 'failed':
      return `Failed: ${reason ?? 'no reason was given.'} Nothing was changed; start another.`;
    default:
      return status satisfies never;
  }
}
