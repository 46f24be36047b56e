import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { GroupFacts } from '../../domain/issues/facts.ts';
import { issueKey } from '../../domain/issues/identity.ts';
import type { Structure } from '../../domain/issues/structure.ts';
import { newId } from '../../ids.ts';
import { rebuildEvidence } from '../evidence/rebuild-evidence.ts';

/**
 * Carries out what `planStructure` decided and that does not hold yet: makes rows for split causes, sets and clears
 * parents, and counts the evidence of exactly these issues anew. @returns false when nothing had to change.
 */
export async function applyStructure(
  em: EntityManager,
  agentId: string,
  groups: readonly GroupFacts[],
  { splits, parents }: Structure,
): Promise<boolean> {
  const byId = new Map(groups.map((group) => [group.issueId, group]));
  const moved = groups.flatMap(({ issueId, memory }) => {
    const parentId = parents.get(issueId) ?? null;
    return parentId === memory.mergedIntoId ? [] : [{ id: issueId, parent_id: parentId, from: memory.mergedIntoId }];
  });
  if (moved.length === 0 && splits.length === 0) return false;

  const made = splits.map(({ issueId, causeCode }) => {
    const base = byId.get(issueId);
    if (!base) throw new Error('A split names an issue that was not among the groups.');
    const key = issueKey({ code: base.code, place: base.place, splitCause: causeCode });
    return { id: newId(), base_id: issueId, key, split_cause: causeCode };
  });
  const { rows } = await sql<{ id: string }>`
    with moved as (
      update issues i set merged_into_id = m.parent_id
      from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as m(id uuid, parent_id uuid) where i.id = m.id
    )
    insert into issues (id, workspace_id, agent_id, key, code, place_kind, place_id, place_label, split_cause, klass,
      lane, severity, title, target_kind, target_id, target_label)
    select m.id, b.workspace_id, b.agent_id, m.key, b.code, b.place_kind, b.place_id, b.place_label, m.split_cause,
      b.klass, b.lane, b.severity, b.title, b.target_kind, b.target_id, b.target_label
    from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as m(id uuid, base_id uuid, key text, split_cause text)
    join issues b on b.id = m.base_id returning id`.execute(em.getKysely());

  const touched = new Set<string>(rows.map((row) => row.id));
  for (const { parent_id: to, from } of moved) for (const id of [to, from]) if (id !== null) touched.add(id);
  for (const { issueId } of splits) {
    touched.add(issueId);
    const parentId = parents.get(issueId) ?? byId.get(issueId)?.memory.mergedIntoId;
    if (parentId) touched.add(parentId);
  }
  await rebuildEvidence(em, agentId, [...touched].sort());
  return true;
}
