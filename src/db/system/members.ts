import { sql } from 'kysely';
import type { NewWorkspaceTerms } from '../../domain/limits/plans.ts';
import type { Role } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyText, json, lockFor } from '../expressions.ts';
import { type ListPage, oldestFirst } from '../pages.ts';
import { isOpenInvitation } from './invitations.ts';
import { findInstallationWorkspace } from './setup.ts';

/** A member of a workspace, or somebody with an open invitation to it, whose id is that of the invitation. */
export interface WorkspaceMember {
  personId: string;
  email: string;
  name: string;
  role: Role;
  createdAt: string;
  /** Null for members. */
  invitedUntil: string | null;
}

const everyone = (em: EntityManager, workspaceId: string) =>
  db(em)
    .selectFrom('memberships as m')
    .innerJoin('people as p', 'p.id', 'm.personId')
    .where('m.workspaceId', '=', workspaceId)
    .select(['p.id as personId', 'p.email', 'p.name', 'm.role', 'm.createdAt'])
    .select((eb) => eb.cast<string | null>(eb.lit(null), 'timestamptz').as('invitedUntil'))
    .unionAll((eb) =>
      eb
        .selectFrom('invitations as i')
        .where('i.workspaceId', '=', workspaceId)
        .where(isOpenInvitation)
        .select(['i.id as personId', 'i.email', 'i.name', 'i.role', 'i.createdAt', 'i.expiresAt as invitedUntil']),
    );

/** Members and open invitations, oldest first. */
export async function listMembers(em: EntityManager, workspaceId: string, page: ListPage): Promise<WorkspaceMember[]> {
  const all = db(em).selectFrom(everyone(em, workspaceId).as('everyone')).selectAll();
  return oldestFirst(all, ['createdAt', 'personId'], page).execute();
}

export async function findMemberOrInvited(
  em: EntityManager,
  workspaceId: string,
  personId: string,
): Promise<WorkspaceMember | null> {
  const found = db(em)
    .selectFrom(everyone(em, workspaceId).as('everyone'))
    .selectAll()
    .where('personId', '=', personId)
    .limit(1);
  return (await found.executeTakeFirst()) ?? null;
}

/** Who is under an address in a workspace: a member before somebody who is invited. */
export async function findMemberAt(
  em: EntityManager,
  workspaceId: string,
  email: string,
): Promise<WorkspaceMember | null> {
  const found = db(em)
    .selectFrom(everyone(em, workspaceId).as('everyone'))
    .selectAll()
    .where('email', '=', email)
    .orderBy('invitedUntil', (order) => order.asc().nullsFirst())
    .limit(1);
  return (await found.executeTakeFirst()) ?? null;
}

/** Changes of members of one workspace happen one after the other, so that the last admin is known. */
export async function lockWorkspace(em: EntityManager, workspaceId: string): Promise<void> {
  await db(em).selectFrom('workspaces').where('id', '=', workspaceId).select('id').forUpdate().execute();
}

/** The role of a member; null where they are none. */
export async function findRole(
  em: EntityManager,
  { workspaceId, personId }: { workspaceId: string; personId: string },
): Promise<Role | null> {
  const member = db(em)
    .selectFrom('memberships')
    .where('workspaceId', '=', workspaceId)
    .where('personId', '=', personId)
    .select('role');
  return (await member.executeTakeFirst())?.role ?? null;
}

export async function hasOtherAdmin(em: EntityManager, workspaceId: string, personId: string): Promise<boolean> {
  const other = await db(em)
    .selectFrom('memberships')
    .where('workspaceId', '=', workspaceId)
    .where('role', '=', 'admin')
    .where('personId', '<>', personId)
    .select('personId')
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** @returns false when the person is a member already. */
export async function insertMembership(
  em: EntityManager,
  { workspaceId, personId, role }: { workspaceId: string; personId: string; role: Role },
): Promise<boolean> {
  const made = await db(em)
    .insertInto('memberships')
    .values({ workspaceId, personId, role })
    .onConflict((conflict) => conflict.doNothing())
    .returning('personId')
    .executeTakeFirst();
  return made !== undefined;
}

/** Changes the role of a member, and of an invitation that is still open. */
export async function setRole(
  em: EntityManager,
  who: { workspaceId: string; personId: string },
  role: Role,
): Promise<void> {
  await db(em)
    .updateTable('memberships')
    .where('workspaceId', '=', who.workspaceId)
    .where('personId', '=', who.personId)
    .set({ role })
    .execute();
  await db(em)
    .updateTable('invitations')
    .where('workspaceId', '=', who.workspaceId)
    .where('id', '=', who.personId)
    .set({ role })
    .execute();
}

export async function deleteMembership(
  em: EntityManager,
  who: { workspaceId: string; personId: string },
): Promise<void> {
  await db(em)
    .deleteFrom('memberships')
    .where('workspaceId', '=', who.workspaceId)
    .where('personId', '=', who.personId)
    .execute();
}

export interface OwnWorkspace {
  id: string;
  name: string;
  role: Role;
}

/** The workspaces that a person belongs to, oldest membership first. */
export async function listOwnWorkspaces(em: EntityManager, personId: string): Promise<OwnWorkspace[]> {
  return db(em)
    .selectFrom('memberships as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspaceId')
    .where('m.personId', '=', personId)
    .select(['w.id', 'w.name', 'm.role'])
    .orderBy('m.createdAt')
    .orderBy('w.id')
    .execute();
}

/** Whom a workspace counts for. */
export async function findMaker(em: EntityManager, workspaceId: string): Promise<string | null> {
  const made = db(em).selectFrom('workspaces').where('id', '=', workspaceId).select('madeBy');
  return (await made.executeTakeFirst())?.madeBy ?? null;
}

const INVITED_IN_A_ROW = 100;

/**
 * Whom a workspace counts for that a person makes: themselves, where a provider vouched for who they are or the
 * installation's own workspace took them in. Anybody else is an account that an admin let in, who can let in as many as
 * they like: it counts for the maker of the workspace that took the person in first.
 */
export async function findAnswerable(em: EntityManager, personId: string): Promise<string> {
  const installation = await findInstallationWorkspace(em);
  const { rows } = await sql<{ id: string }>`
    with recursive up (id, nth) as (
      select ${personId}::uuid, 0
      union all
      select w.made_by, up.nth + 1
      from up
      join people p on p.id = up.id and p.proved_at is null
      cross join lateral (
        select m.workspace_id from memberships m where m.person_id = up.id order by m.created_at, m.workspace_id limit 1
      ) entered
      join workspaces w on w.id = entered.workspace_id and w.made_by <> up.id and w.id <> ${installation}::uuid
      where up.nth < ${INVITED_IN_A_ROW}
    )
    select id from up order by nth desc limit 1
  `.execute(db(em));
  return rows[0]?.id ?? personId;
}

/**
 * Workspaces that count for a person and that are still there, but for the one of the installation. Held until the
 * transaction ends, so that two that are made at once are both counted.
 * @param makers by whom those are known that are being deleted, with the account that made them
 */
export async function countMadeWorkspaces(
  em: EntityManager,
  personId: string,
  makers: readonly [string, ...string[]],
): Promise<number> {
  await lockFor(em, `workspaces of ${makers[0]}`);
  const installation = await findInstallationWorkspace(em);
  const { made } = await db(em)
    .selectFrom('workspaces as w')
    .leftJoin('left_usage as l', 'l.workspaceId', 'w.id')
    .where((eb) => eb.or([eb('w.madeBy', '=', personId), eb('l.maker', '=', anyText(makers))]))
    .where('w.id', 'is distinct from', installation)
    .select((eb) => eb.fn.countAll<number>().as('made'))
    .executeTakeFirstOrThrow();
  return made;
}

/** @param admin the person who makes it. @param madeBy whom it counts for. @returns its id. */
export async function insertWorkspace(
  em: EntityManager,
  { name, admin, madeBy, terms }: { name: string; admin: string; madeBy: string; terms: NewWorkspaceTerms },
): Promise<string> {
  const id = newId();
  const { plan, aiAllowanceUsd, storageMib } = terms;
  const allowances = json(aiAllowanceUsd === null ? {} : { aiAllowanceUsd });
  await db(em)
    .insertInto('workspaces')
    .values({ id, name, madeBy, plan, allowances, storageLimitMib: storageMib })
    .execute();
  await insertMembership(em, { workspaceId: id, personId: admin, role: 'admin' });
  return id;
}

/** The workspaces that a person belongs to, and those in which another is an admin. */
export async function listReach(
  em: EntityManager,
  { personId, adminId }: { personId: string; adminId: string },
): Promise<{ ofPerson: string[]; administered: string[] }> {
  const rows = await db(em)
    .selectFrom('memberships')
    .where('personId', 'in', [personId, adminId])
    .select(['personId', 'workspaceId', 'role'])
    .execute();
  return {
    ofPerson: rows.filter((row) => row.personId === personId).map(({ workspaceId }) => workspaceId),
    administered: rows
      .filter((row) => row.personId === adminId && row.role === 'admin')
      .map(({ workspaceId }) => workspaceId),
  };
}

/** Whether a workspace has a member under an address. */
export async function isMemberAt(em: EntityManager, workspaceId: string, email: string): Promise<boolean> {
  const found = await findMemberAt(em, workspaceId, email);
  return found !== null && found.invitedUntil === null;
}

/** Whether a member of a workspace proved that an address is theirs. */
export async function isProvedMemberAt(em: EntityManager, workspaceId: string, email: string): Promise<boolean> {
  const member = db(em)
    .selectFrom('memberships as m')
    .innerJoin('people as p', 'p.id', 'm.personId')
    .where('m.workspaceId', '=', workspaceId)
    .where('p.email', '=', email)
    .where('p.provedAt', 'is not', null)
    .select('p.id');
  return (await member.executeTakeFirst()) !== undefined;
}
