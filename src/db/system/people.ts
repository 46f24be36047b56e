import { sql } from 'kysely';
import type { Role } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import { toIso } from '../convert.ts';
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
  workspaceName: string;
  personId: string;
  email: string;
  passwordHash: string | null;
  /** Whether the person belongs to any workspace. */
  isMember: boolean;
  /** What an invitation makes of the person; null for other links. */
  role: Role | null;
  name: string | null;
}

export async function findOpenLink(em: EntityManager, secretHash: string): Promise<LinkView | null> {
  const { rows } = await sql<LinkView>`
    select l.id, l.purpose, l.workspace_id as "workspaceId", w.name as "workspaceName", l.person_id as "personId",
      p.email, p.password_hash as "passwordHash", l.role, l.name,
      exists (select 1 from memberships m where m.person_id = p.id) as "isMember"
    from one_time_links l join people p on p.id = l.person_id join workspaces w on w.id = l.workspace_id
    where l.secret_hash = ${secretHash} and l.used_at is null and l.expires_at > now()
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
export async function takeLink(em: EntityManager, linkId: string): Promise<boolean> {
  const { rows } = await sql`
    update one_time_links set used_at = now() where id = ${linkId} and used_at is null returning id
  `.execute(em.getKysely());
  return rows.length > 0;
}

export async function setPerson(
  em: EntityManager,
  personId: string,
  set: { name: string | null; email: string | null; passwordHash: string },
): Promise<void> {
  await sql`
    update people set password_hash = ${set.passwordHash}, name = coalesce(${set.name}, name),
      email = coalesce(${set.email}, email)
    where id = ${personId}
  `.execute(em.getKysely());
}

/** The first password of an invited person. @returns false when they have one by now, or belong to a workspace. */
export async function setFirstPassword(
  em: EntityManager,
  personId: string,
  set: { name: string | null; passwordHash: string },
): Promise<boolean> {
  const { rows } = await sql`
    update people set password_hash = ${set.passwordHash}, name = coalesce(${set.name}, name)
    where id = ${personId} and password_hash is null
      and not exists (select 1 from memberships where person_id = ${personId})
    returning id
  `.execute(em.getKysely());
  return rows.length > 0;
}

export async function insertLink(
  em: EntityManager,
  link: {
    secretHash: string;
    purpose: LinkView['purpose'];
    workspaceId: string;
    personId: string;
    role?: Role;
    name?: string;
  },
  validDays: number,
): Promise<{ expiresAt: string }> {
  const { rows } = await sql<{ expiresAt: string }>`
    insert into one_time_links (id, secret_hash, purpose, workspace_id, person_id, role, name, expires_at)
    values (${newId()}, ${link.secretHash}, ${link.purpose}, ${link.workspaceId}, ${link.personId},
      ${link.role ?? null}, ${link.name ?? null}, now() + ${`${validDays} days`}::interval)
    returning expires_at as "expiresAt"
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL returned no row for a new link.');
  return { expiresAt: toIso(row.expiresAt) };
}

/** Links by which a new password could be set stop working: another took their place, or the person's reach grew. */
export async function dropPasswordLinks(em: EntityManager, personId: string): Promise<void> {
  await sql`
    delete from one_time_links where person_id = ${personId} and purpose = 'password' and used_at is null
  `.execute(em.getKysely());
}

export async function findPasswordHash(em: EntityManager, personId: string): Promise<string | null> {
  const { rows } = await sql<{ passwordHash: string | null }>`
    select password_hash as "passwordHash" from people where id = ${personId}
  `.execute(em.getKysely());
  return rows[0]?.passwordHash ?? null;
}

/** Replaces a password that is still the one that was checked. @returns false when it was changed in the meantime. */
export async function replacePassword(
  em: EntityManager,
  personId: string,
  change: { before: string; after: string },
): Promise<boolean> {
  const { rows } = await sql`
    update people set password_hash = ${change.after}
    where id = ${personId} and password_hash = ${change.before} returning id
  `.execute(em.getKysely());
  return rows.length > 0;
}
