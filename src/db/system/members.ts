import { sql } from 'kysely';
import type { Role } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import { toIso, toIsoOrNull } from '../convert.ts';
import type { EntityManager } from '../database.ts';

/** A member of a workspace, or a person with an open invitation to it. */
export interface WorkspaceMember {
  personId: string;
  email: string;
  name: string;
  role: Role;
  createdAt: string;
  /** Null for members. */
  invitedUntil: string | null;
}

const everyone = (workspaceId: string) => sql`
  select p.id as "personId", p.email, p.name, m.role, m.created_at as "createdAt",
    null::timestamptz as "invitedUntil"
  from memberships m join people p on p.id = m.person_id where m.workspace_id = ${workspaceId}
  union all
  select p.id, p.email, l.name, l.role, l.created_at, l.expires_at
  from one_time_links l join people p on p.id = l.person_id
  where l.workspace_id = ${workspaceId} and l.purpose = 'invitation' and l.used_at is null and l.expires_at > now()
`;

const toMember = (row: WorkspaceMember): WorkspaceMember => ({
  ...row,
  createdAt: toIso(row.createdAt),
  invitedUntil: toIsoOrNull(row.invitedUntil),
});

/** Members and open invitations, oldest first. */
export async function listMembers(
  em: EntityManager,
  workspaceId: string,
  page: { after: readonly [createdAt: string, personId: string] | null; limit: number },
): Promise<WorkspaceMember[]> {
  const after = page.after
    ? sql`where ("createdAt", "personId") > (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : sql``;
  const { rows } = await sql<WorkspaceMember>`
    select * from (${everyone(workspaceId)}) everyone ${after}
    order by "createdAt", "personId" limit ${page.limit + 1}
  `.execute(em.getKysely());
  return rows.map(toMember);
}

export async function findMemberOrInvited(
  em: EntityManager,
  workspaceId: string,
  personId: string,
): Promise<WorkspaceMember | null> {
  const { rows } = await sql<WorkspaceMember>`
    select * from (${everyone(workspaceId)}) everyone where "personId" = ${personId} limit 1
  `.execute(em.getKysely());
  return rows[0] ? toMember(rows[0]) : null;
}

/** Changes of members of one workspace happen one after the other, so that the last admin is known. */
export async function lockWorkspace(em: EntityManager, workspaceId: string): Promise<void> {
  await sql`select 1 from workspaces where id = ${workspaceId} for update`.execute(em.getKysely());
}

export async function hasOtherAdmin(em: EntityManager, workspaceId: string, personId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from memberships where workspace_id = ${workspaceId} and role = 'admin' and person_id <> ${personId} limit 1
  `.execute(em.getKysely());
  return rows.length > 0;
}

/** The person of this address, made where there is none. Two at once find the same. */
export async function ensurePerson(
  em: EntityManager,
  person: { email: string; name: string },
): Promise<{ personId: string }> {
  const db = em.getKysely();
  const made = await sql<{ id: string }>`
    insert into people (id, email, name) values (${newId()}, ${person.email}, ${person.name})
    on conflict (email) do nothing returning id
  `.execute(db);
  if (made.rows[0]) return { personId: made.rows[0].id };
  const { rows } = await sql<{ id: string }>`select id from people where email = ${person.email}`.execute(db);
  if (!rows[0]) throw new Error('A person is neither new nor there.');
  return { personId: rows[0].id };
}

/** @returns false when the person is a member already. */
export async function insertMembership(
  em: EntityManager,
  membership: { workspaceId: string; personId: string; role: Role },
): Promise<boolean> {
  const { rows } = await sql`
    insert into memberships (workspace_id, person_id, role)
    values (${membership.workspaceId}, ${membership.personId}, ${membership.role})
    on conflict do nothing returning person_id
  `.execute(em.getKysely());
  return rows.length > 0;
}

/** Changes the role of a member, and of an invitation that is still open. */
export async function setRole(
  em: EntityManager,
  who: { workspaceId: string; personId: string },
  role: Role,
): Promise<void> {
  const db = em.getKysely();
  await sql`
    update memberships set role = ${role} where workspace_id = ${who.workspaceId} and person_id = ${who.personId}
  `.execute(db);
  await sql`
    update one_time_links set role = ${role}
    where workspace_id = ${who.workspaceId} and person_id = ${who.personId} and purpose = 'invitation' and used_at is null
  `.execute(db);
}

export async function deleteMembership(
  em: EntityManager,
  who: { workspaceId: string; personId: string },
): Promise<void> {
  await sql`
    delete from memberships where workspace_id = ${who.workspaceId} and person_id = ${who.personId}
  `.execute(em.getKysely());
}

/** An invitation that was not used stops working. */
export async function dropInvitations(
  em: EntityManager,
  who: { workspaceId: string; personId: string },
): Promise<void> {
  await sql`
    delete from one_time_links
    where workspace_id = ${who.workspaceId} and person_id = ${who.personId} and purpose = 'invitation' and used_at is null
  `.execute(em.getKysely());
}

export interface OwnWorkspace {
  id: string;
  name: string;
  role: Role;
}

/** The workspaces that a person belongs to, oldest membership first. */
export async function listOwnWorkspaces(em: EntityManager, personId: string): Promise<OwnWorkspace[]> {
  const { rows } = await sql<OwnWorkspace>`
    select w.id, w.name, m.role from memberships m join workspaces w on w.id = m.workspace_id
    where m.person_id = ${personId} order by m.created_at, w.id
  `.execute(em.getKysely());
  return rows;
}

export async function insertWorkspace(em: EntityManager, name: string): Promise<string> {
  const id = newId();
  await sql`insert into workspaces (id, name) values (${id}, ${name})`.execute(em.getKysely());
  return id;
}

/** Whether one person is an admin of every workspace that another belongs to. */
export async function isAdminOfAll(em: EntityManager, adminId: string, personId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from memberships m where m.person_id = ${personId} and not exists (
      select 1 from memberships a
      where a.person_id = ${adminId} and a.workspace_id = m.workspace_id and a.role = 'admin')
    limit 1
  `.execute(em.getKysely());
  return rows.length === 0;
}
