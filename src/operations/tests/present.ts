import type { TestResource } from '../../contract/test.ts';
import type { TestView } from '../../db/tests/tests.ts';

export function presentTest(row: TestView): TestResource {
  return {
    object: 'test',
    id: row.id,
    title: row.title,
    source: row.source,
    lane: row.lane,
    expect: row.expect,
    guard: row.guard,
    gates: row.gates,
    gateReason: row.gateReason,
    revision: row.revision,
    spec: row.spec,
    lastResult: row.lastResult,
    sourceCallId: row.sourceCallId,
    generatedFrom: row.generatedFrom,
    createdBy: row.createdBy,
    archivedAt: row.archivedAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
