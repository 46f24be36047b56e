import type { CatalogueEntry } from '../signals/catalogue-entry.ts';
import { SEVERITIES } from '../vocabulary.ts';
import { causesToSplit, establishedCause } from './cause.ts';
import { confirmedOn, isConfirmed, isRemembered } from './confirm.ts';
import type { GroupFacts } from './facts.ts';

export interface Structure {
  /** Causes that leave a base group for one of their own. */
  splits: { issueId: string; causeCode: string }[];
  /** The issue that each merged one shows under; what is not here stands alone. */
  parents: Map<string, string>;
}

/**
 * Which groups must be cut and which show as one: decided from sums, carried out by whoever holds the links. Pure, and
 * the order of `groups` does not matter.
 */
export function planStructure(groups: readonly GroupFacts[], entryOf: (code: string) => CatalogueEntry): Structure {
  const confirmed = groups.filter((group) => isConfirmed(group, entryOf(group.code)));
  const splits = confirmed.flatMap((group) =>
    causesToSplit(group).map((causeCode) => ({ issueId: group.issueId, causeCode })),
  );
  const clusters = new Map<string, GroupFacts[]>();
  for (const group of confirmed) {
    const cause = establishedCause(group, entryOf(group.code));
    if (cause === null || entryOf(group.code).klass === 'behaviour') continue;
    const key = JSON.stringify([group.source, cause.target.kind, cause.target.id, cause.kind]);
    clusters.set(key, [...(clusters.get(key) ?? []), group]);
  }
  const parents = new Map<string, string>();
  for (const cluster of clusters.values()) {
    const [parent, ...children] = cluster.toSorted(byAge(cluster, entryOf));
    for (const child of children) if (parent) parents.set(child.issueId, parent.issueId);
  }
  splits.sort((a, b) => (a.issueId + a.causeCode < b.issueId + b.causeCode ? -1 : 1));
  return { splits, parents };
}

/**
 * A parent that somebody works on stays one; else the one whose calls made it a pattern first. Of those that became one
 * on the same day the gravest, then the one whose evidence is oldest.
 */
function byAge(
  cluster: readonly GroupFacts[],
  entryOf: (code: string) => CatalogueEntry,
): (a: GroupFacts, b: GroupFacts) => number {
  const already = new Set(cluster.map((group) => group.memory.mergedIntoId));
  const ranks = new Map(
    cluster.map((group) => {
      const entry = entryOf(group.code);
      const isKept = already.has(group.issueId) && isRemembered(group);
      const since = [confirmedOn(group, entry) ?? '', SEVERITIES.indexOf(entry.severity), group.firstSeenAt ?? '~'];
      return [group, [isKept ? 0 : 1, ...since, group.code, group.key].map(String)];
    }),
  );
  return (a, b) => {
    const [left = [], right = []] = [ranks.get(a), ranks.get(b)];
    const at = left.findIndex((part, index) => part !== right[index]);
    return at < 0 ? 0 : (left[at] ?? '') < (right[at] ?? '') ? -1 : 1;
  };
}
