import type { GroupFacts } from '../../domain/issues/facts.ts';
import { issueKey } from '../../domain/issues/identity.ts';
import type { Structure } from '../../domain/issues/structure.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { rebuildEvidence } from '../evidence/rebuild-evidence.ts';
import { given } from '../expressions.ts';

/**
 * Carries out what `planStructure` decided and that does not hold yet: makes rows for split causes, sets and clears
 * parents, and counts the evidence of exactly these issues anew.
 * @param before ids, by key, of splits that stood before and come back
 * @returns false when nothing had to change.
 */
export async function applyStructure(
  em: EntityManager,
  agentId: string,
  groups: readonly GroupFacts[],
  { splits, parents }: Structure,
  before: ReadonlyMap<string, string>,
): Promise<boolean> {
  const byId = new Map(groups.map((group) => [group.issueId, group]));
  const moved = groups.flatMap(({ issueId, memory }) => {
    const parentId = parents.get(issueId) ?? null;
    return parentId === memory.mergedIntoId ? [] : [{ id: issueId, to: parentId, from: memory.mergedIntoId }];
  });
  if (moved.length === 0 && splits.length === 0) return false;

  const made = splits.map(({ issueId, causeCode }) => {
    const base = byId.get(issueId);
    if (!base) throw new Error('A split names an issue that was not among the groups.');
    const key = issueKey({ code: base.code, place: base.place, splitCause: causeCode });
    return { id: before.get(key) ?? newId(), baseId: issueId, key, splitCause: causeCode };
  });
  await write(em, moved, made);

  const touched = new Set<string>(made.map(({ id }) => id));
  for (const { to, from } of moved) for (const id of [to, from]) if (id !== null) touched.add(id);
  for (const { issueId } of splits) {
    touched.add(issueId);
    const parentId = parents.get(issueId) ?? byId.get(issueId)?.memory.mergedIntoId;
    if (parentId) touched.add(parentId);
  }
  await rebuildEvidence(em, agentId, [...touched].sort());
  return true;
}

interface Moved {
  id: string;
  to: string | null;
  from: string | null;
}

interface Split {
  id: string;
  baseId: string;
  key: string;
  splitCause: string;
}

/** A split has everything of the issue that it came from but its cause. */
async function write(em: EntityManager, moved: readonly Moved[], made: readonly Split[]): Promise<void> {
  const parents = moved.map(({ id, to }) => ({ id, mergedIntoId: to }));
  const splits = made.map(({ id, baseId, key, splitCause }) => ({ id, mergedIntoId: baseId, key, splitCause }));
  const common = ['workspaceId', 'agentId', 'code', 'placeKind', 'placeId', 'placeLabel', 'klass', 'lane'] as const;
  const shown = ['severity', 'title', 'targetKind', 'targetId', 'targetLabel'] as const;
  await db(em)
    .with('moved', (within) =>
      within
        .updateTable('issues')
        .from(given('issues', parents))
        .whereRef('issues.id', '=', 'given.id')
        .set((eb) => ({ mergedIntoId: eb.ref('given.mergedIntoId') })),
    )
    .insertInto('issues')
    .columns(['id', 'key', 'splitCause', ...common, ...shown])
    .expression((eb) =>
      eb
        .selectFrom(given('issues', splits))
        .innerJoin('issues as base', 'base.id', 'given.mergedIntoId')
        .select(['given.id', 'given.key', 'given.splitCause'])
        .select(['base.workspaceId', 'base.agentId', 'base.code', 'base.placeKind', 'base.placeId', 'base.placeLabel'])
        .select(['base.klass', 'base.lane', 'base.severity', 'base.title', 'base.targetKind', 'base.targetId'])
        .select('base.targetLabel'),
    )
    .execute();
}
