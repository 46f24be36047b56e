import type { EntityManager } from '../../db/database.ts';
import { listSlugLabels } from '../../db/intents/read-intents.ts';
import type { GroupSums, MetricGroup } from '../../db/metrics/read-metrics.ts';
import type { ReadScope } from '../../db/read-scope.ts';
import { NO_DAY } from '../../domain/issues/ledger.ts';
import { OUTCOMES } from '../../domain/vocabulary.ts';

/** Keys and labels of groups as callers see them. */
export interface GroupNames {
  keyOf(key: string): string;
  labelOf(key: string): string;
}

/** A call without an intent or a start is in a group of its own. */
const UNKNOWN = 'unknown';

export async function groupNames(em: EntityManager, scope: ReadScope, by: MetricGroup): Promise<GroupNames> {
  const keyOf = (key: string) => (key === '' || key === NO_DAY ? UNKNOWN : key);
  if (by === 'intent' || by === 'useCase') {
    const labels = await listSlugLabels(em, scope, by === 'intent' ? 'intent' : 'use_case');
    return { keyOf, labelOf: (key) => labels.get(key) ?? inWords(keyOf(key)) };
  }
  const labelOf = (key: string) => {
    if (by === 'none') return 'All calls';
    if (by === 'version') return `Version ${key}`;
    if (by === 'outcome') return inWords(keyOf(key));
    return key === NO_DAY ? 'No start time' : key;
  };
  return { keyOf, labelOf };
}

/** Newest versions and days first, most calls first of intents and use cases, outcomes in their own order. */
export function inOrder(by: MetricGroup, groups: readonly GroupSums[]): GroupSums[] {
  const rank = (key: string) => OUTCOMES.findIndex((outcome) => outcome === key);
  return groups.toSorted((a, b) => {
    if (by === 'version') return Number(b.key) - Number(a.key);
    if (by === 'outcome') return rank(a.key) - rank(b.key);
    if (by === 'day') return a.key < b.key ? 1 : -1;
    return b.sums.calls - a.sums.calls || (a.key < b.key ? -1 : 1);
  });
}

function inWords(slug: string): string {
  const words = slug.replaceAll(/[_-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
