import type { ImportResource } from '../../contract/import.ts';
import type { ImportView } from '../../db/imports/read-imports.ts';

export function presentImport(row: ImportView): ImportResource {
  return {
    object: 'import',
    id: row.id,
    agentId: row.agentId,
    kind: row.kind,
    status: row.status,
    attempt: row.attempt,
    limit: row.limit,
    since: row.since,
    readBackTo: row.readBackTo,
    listed: row.listed,
    stored: row.stored,
    unchanged: row.unchanged,
    stillFailed: row.stillFailed,
    analysed: row.analysed,
    waiting: row.waiting,
    failed: row.failed,
    ongoing: row.ongoing,
    gone: row.gone,
    waitsFor: row.waitsFor,
    reason: row.reason,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    updatedAt: row.updatedAt,
  };
}
