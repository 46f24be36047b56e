import type { TestSetResource } from '../../contract/test-set.ts';
import type { TestSetView } from '../../db/tests/test-sets.ts';

export function presentTestSet(row: TestSetView): TestSetResource {
  const { id, name, testIds, createdBy, createdAt, updatedAt } = row;
  return { object: 'test_set', id, name, testIds, createdBy, createdAt, updatedAt };
}
