import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { issueKey } from '../../domain/issues/identity.ts';
import type { PlaceKind } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';

interface Group {
  code: string;
  klass: string;
  lane: string | null;
  severity: string;
  place_kind: PlaceKind;
  place_id: string;
  place_label: string;
}

/** Rows for groups of signals that have none: only signals that came in by another way than a batch lack one. */
export async function insertMissingIssues(em: EntityManager, agentId: string): Promise<void> {
  const { rows } = await sql<Group>`
    select g.* from (
      select code, place_kind, place_id, min(place_label) as place_label, min(klass) as klass, min(lane) as lane,
        min(severity) as severity
      from call_signals where agent_id = ${agentId} group by code, place_kind, place_id
    ) g
    where not exists (
      select 1 from issues i where i.agent_id = ${agentId} and i.source = 'detector' and i.code = g.code
        and i.place_kind = g.place_kind and md5(i.place_id) = md5(g.place_id) and i.split_cause = '')
    order by g.code, g.place_kind, g.place_id`.execute(em.getKysely());
  if (rows.length === 0) return;
  const made = rows.map((row) => {
    const place = { kind: row.place_kind, id: row.place_id };
    return { ...row, id: newId(), key: issueKey({ code: row.code, place, splitCause: '' }) };
  });
  await sql`
    insert into issues (id, workspace_id, agent_id, key, code, place_kind, place_id, place_label, split_cause, klass,
      lane, severity, title, target_kind, target_id, target_label)
    select r.id, a.workspace_id, a.id, r.key, r.code, r.place_kind, r.place_id, r.place_label, '', r.klass, r.lane,
      r.severity, r.code, r.place_kind, r.place_id, r.place_label
    from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as r(id uuid, key text, code text, place_kind text,
      place_id text, place_label text, klass text, lane text, severity text)
    cross join agents a where a.id = ${agentId}`.execute(em.getKysely());
}
