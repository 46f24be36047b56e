import { sql } from 'kysely';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';

/** Two starts at once set up one after the other. Held until the transaction ends. */
export async function lockSetup(em: EntityManager): Promise<void> {
  await sql`select pg_advisory_xact_lock(7243103)`.execute(em.getKysely());
}

export interface FirstPerson {
  workspaceId: string;
  personId: string;
  hasPassword: boolean;
}

/** The oldest admin of the oldest workspace of people. */
export async function findFirstPerson(em: EntityManager): Promise<FirstPerson | null> {
  const { rows } = await sql<FirstPerson>`
    select w.id as "workspaceId", p.id as "personId", p.password_hash is not null as "hasPassword"
    from workspaces w join memberships m on m.workspace_id = w.id and m.role = 'admin'
    join people p on p.id = m.person_id
    where not w.is_system order by w.created_at, w.id, m.created_at, p.id limit 1
  `.execute(em.getKysely());
  return rows[0] ?? null;
}

export async function insertWorkspaceWithAdmin(
  em: EntityManager,
  made: { workspaceName: string; email: string; name: string; passwordHash: string | null },
): Promise<FirstPerson> {
  const db = em.getKysely();
  const workspaceId = newId();
  const personId = newId();
  await sql`insert into workspaces (id, name) values (${workspaceId}, ${made.workspaceName})`.execute(db);
  await sql`
    insert into people (id, email, name, password_hash) values (${personId}, ${made.email}, ${made.name}, ${made.passwordHash})
  `.execute(db);
  await sql`
    insert into memberships (workspace_id, person_id, role) values (${workspaceId}, ${personId}, 'admin')
  `.execute(db);
  return { workspaceId, personId, hasPassword: made.passwordHash !== null };
}

/** Gives a person who has never signed in the address and password of the configuration. */
export async function claimFirstPerson(
  em: EntityManager,
  personId: string,
  set: { email: string; passwordHash: string },
): Promise<void> {
  await sql`
    update people set email = ${set.email}, password_hash = ${set.passwordHash}
    where id = ${personId} and password_hash is null
      and not exists (select 1 from people other where other.email = ${set.email} and other.id <> ${personId})
  `.execute(em.getKysely());
}

/** Unused links of a person stop working, because a new one takes their place. */
export async function dropOpenLinks(em: EntityManager, personId: string): Promise<void> {
  await sql`delete from one_time_links where person_id = ${personId} and used_at is null`.execute(em.getKysely());
}

/** The workspace that owns the shared demo agents. */
export async function ensureSystemWorkspace(em: EntityManager): Promise<string> {
  const db = em.getKysely();
  await sql`
    insert into workspaces (id, name, is_system) values (demo_workspace(), 'Demo', true) on conflict (id) do nothing
  `.execute(db);
  const { rows } = await sql<{ id: string }>`select demo_workspace() as id`.execute(db);
  if (!rows[0]) throw new Error('PostgreSQL named no demo workspace.');
  return rows[0].id;
}

export async function listPeopleWorkspaces(em: EntityManager): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from workspaces where not is_system order by created_at, id
  `.execute(em.getKysely());
  return rows.map((row) => row.id);
}
