import { sql } from 'kysely';
import type { Role } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';

export interface MemberView {
  personId: string;
  email: string;
  name: string;
  workspaceId: string;
  role: Role;
}

const member = sql`
  people.id as "personId", people.email, people.name, memberships.workspace_id as "workspaceId", memberships.role
`;

/** The person with this address, with the workspaces that they belong to, oldest membership first. */
export async function findPersonByEmail(
  em: EntityManager,
  email: string,
): Promise<{ passwordHash: string | null; memberships: MemberView[] } | null> {
  const { rows } = await sql<MemberView & { passwordHash: string | null }>`
    select ${member}, people.password_hash as "passwordHash" from people
    join memberships on memberships.person_id = people.id
    where people.email = ${email} order by memberships.created_at, memberships.workspace_id
  `.execute(em.getKysely());
  const [first] = rows;
  if (!first) return null;
  return {
    passwordHash: first.passwordHash,
    memberships: rows.map(({ passwordHash: _hash, ...membership }) => membership),
  };
}

export async function findMembership(
  em: EntityManager,
  who: { personId: string; workspaceId: string },
): Promise<MemberView | null> {
  const { rows } = await sql<MemberView>`
    select ${member} from people join memberships on memberships.person_id = people.id
    where people.id = ${who.personId} and memberships.workspace_id = ${who.workspaceId}
  `.execute(em.getKysely());
  return rows[0] ?? null;
}

export interface LinkView {
  id: string;
  purpose: 'first_admin' | 'invitation' | 'password';
  workspaceId: string;
  personId: string;
}

export async function findOpenLink(em: EntityManager, secretHash: string): Promise<LinkView | null> {
  const { rows } = await sql<LinkView>`
    select id, purpose, workspace_id as "workspaceId", person_id as "personId" from one_time_links
    where secret_hash = ${secretHash} and used_at is null and expires_at > now()
  `.execute(em.getKysely());
  return rows[0] ?? null;
}

export async function isEmailTaken(em: EntityManager, email: string, exceptPersonId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from people where email = ${email} and id <> ${exceptPersonId}
  `.execute(em.getKysely());
  return rows.length > 0;
}

/** @returns false when the link was used in the meantime. */
export async function useLink(
  em: EntityManager,
  link: LinkView,
  set: { name: string | null; email: string | null; passwordHash: string },
): Promise<boolean> {
  const db = em.getKysely();
  const { rows } = await sql`
    update one_time_links set used_at = now() where id = ${link.id} and used_at is null returning id
  `.execute(db);
  if (rows.length === 0) return false;
  await sql`
    update people set password_hash = ${set.passwordHash}, name = coalesce(${set.name}, name),
      email = coalesce(${set.email}, email)
    where id = ${link.personId}
  `.execute(db);
  return true;
}

export async function insertLink(
  em: EntityManager,
  link: {
    secretHash: string;
    purpose: 'first_admin' | 'invitation' | 'password';
    workspaceId: string;
    personId: string;
  },
  validDays: number,
): Promise<void> {
  await sql`
    insert into one_time_links (id, secret_hash, purpose, workspace_id, person_id, expires_at)
    values (${newId()}, ${link.secretHash}, ${link.purpose}, ${link.workspaceId}, ${link.personId},
      now() + ${`${validDays} days`}::interval)
  `.execute(em.getKysely());
}
