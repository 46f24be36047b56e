import { sql } from 'kysely';
import { builtInPersona, type PersonaSpec } from '../../domain/tests/personas.ts';
import { newId } from '../../ids.ts';
import { toIso } from '../convert.ts';
import type { EntityManager } from '../database.ts';

/** A persona of a workspace's own. */
export interface PersonaView extends PersonaSpec {
  createdBy: string;
  createdAt: string;
}

const columns = sql`id, name, style, created_by as "createdBy", created_at as "createdAt"`;
const toView = (row: PersonaView): PersonaView => ({ ...row, createdAt: toIso(row.createdAt) });
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Built-in ones by slug, the workspace's own by id, in the order of `ids`. What names none is left out, so that a
 * difference in number tells.
 */
export async function findPersonas(
  em: EntityManager,
  workspaceId: string,
  ids: readonly string[],
): Promise<PersonaSpec[]> {
  const own = ids.filter((id) => UUID.test(id)).map((id) => id.toLowerCase());
  const { rows } =
    own.length === 0
      ? { rows: [] }
      : await sql<PersonaView>`
          select ${columns} from personas where workspace_id = ${workspaceId} and id = any(${own}::uuid[])`.execute(
          em.getKysely(),
        );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => builtInPersona(id) ?? byId.get(id.toLowerCase()) ?? []);
}

/** Oldest first. */
export async function listOwnPersonas(
  em: EntityManager,
  workspaceId: string,
  page: { after: readonly [createdAt: string, id: string] | null; limit: number },
): Promise<PersonaView[]> {
  const after = page.after
    ? sql`and (created_at, id) > (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : sql``;
  const { rows } = await sql<PersonaView>`
    select ${columns} from personas where workspace_id = ${workspaceId} ${after}
    order by created_at, id limit ${page.limit + 1}`.execute(em.getKysely());
  return rows.map(toView);
}

export async function findOwnPersona(
  em: EntityManager,
  workspaceId: string,
  personaId: string,
): Promise<PersonaView | null> {
  const { rows } = await sql<PersonaView>`
    select ${columns} from personas where workspace_id = ${workspaceId} and id = ${personaId}`.execute(em.getKysely());
  return rows[0] ? toView(rows[0]) : null;
}

export async function insertPersona(
  em: EntityManager,
  made: { workspaceId: string; name: string; style: string; createdBy: string },
): Promise<PersonaView> {
  const { rows } = await sql<PersonaView>`
    insert into personas (id, workspace_id, name, style, created_by)
    values (${newId()}, ${made.workspaceId}, ${made.name}, ${made.style}, ${made.createdBy}) returning ${columns}`.execute(
    em.getKysely(),
  );
  const [row] = rows;
  if (!row) throw new Error('A persona that was just made is not there.');
  return toView(row);
}

/** Results keep its id. */
export async function deletePersona(em: EntityManager, workspaceId: string, personaId: string): Promise<void> {
  await sql`delete from personas where workspace_id = ${workspaceId} and id = ${personaId}`.execute(em.getKysely());
}
