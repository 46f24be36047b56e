import { defineEntity, p } from '@mikro-orm/core';
import type { Standing } from '../../domain/comparisons/checkpoint.ts';
import type { ComparisonResult } from '../../domain/comparisons/comparison.ts';
import type { VersionChange } from '../../domain/versions/version-change.ts';
import { createdAt, id, updatedAt } from '../columns.ts';
import { fenced } from '../row-security.ts';

/** What changed between two versions that are neighbours in the list of versions. */
export const Comparison = defineEntity({
  name: 'Comparison',
  tableName: 'comparisons',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    fromVersion: p.integer(),
    toVersion: p.integer(),
    fromCaptured: p.boolean(),
    toCaptured: p.boolean(),
    changes: p.json<VersionChange[]>(),
    result: p.json<ComparisonResult>(),
    /** Where the verdict stands, so that it moves only at its checkpoints. */
    standing: p.json<Standing>(),
    /** Digest of the sums and configurations that it was made from: the same ones make the same comparison. */
    inputsDigest: p.text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'comparisons_natural_key', properties: ['agentId', 'fromVersion', 'toVersion'] }],
  indexes: [
    {
      name: 'comparisons_list',
      expression: 'create index "comparisons_list" on "comparisons" ("agent_id", "to_version" desc)',
    },
  ],
});
