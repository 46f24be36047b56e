import type { Expression } from 'kysely';
import type { Role } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { lockFor, now } from '../expressions.ts';
import { type ListPage, oldestFirst } from '../pages.ts';
import { findInstallationWorkspace } from './setup.ts';

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

const everyone = (em: EntityManager, workspaceId: string) =>
  db(em)
    .selectFrom('memberships as m')
    .innerJoin('people as p', 'p.id', 'm.personId')
    .where('m.workspaceId', '=', workspaceId)
    .select(['p.id as personId', 'p.email', 'p.name', 'm.role', 'm.createdAt'])
    .select((eb) => eb.cast<string | null>(eb.lit(null), 'timestamptz').as('invitedUntil'))
    .unionAll((eb) =>
      eb
        .selectFrom('one_time_links as l')
        .innerJoin('people as p', 'p.id', 'l.personId')
        .where('l.workspaceId', '=', workspaceId)
        .where('l.purpose', '=', 'invitation')
        .where('l.usedAt', 'is', null)
        .where('l.expiresAt', '>', now)
        .select(['p.id as personId', 'p.email'])
        .select((of) => [of.ref('l.name').$notNull().as('name'), of.ref('l.role').$notNull().as('role')])
        .select(['l.createdAt', 'l.expiresAt as invitedUntil']),
    );

/** Members and open invitations, oldest first. */
export async function listMembers(em: EntityManager, workspaceId: string, page: ListPage): Promise<WorkspaceMember[]> {
  const all = db(em).selectFrom(everyone(em, workspaceId).as('everyone')).selectAll();
  return oldestFirst(all, ['createdAt', 'personId'], page).execute();
}

/** Whether an address is a member's, or of the domain of one. */
export async function isOfMember(em: EntityManager, workspaceId: string, address: string): Promise<boolean> {
  const member = db(em)
    .selectFrom('memberships as m')
    .innerJoin('people as p', 'p.id', 'm.personId')
    .where('m.workspaceId', '=', workspaceId)
    .where(({ eb, fn, lit, ref, val }) => {
      const domainOf = (one: Expression<string>) => fn<string>('split_part', [one, val('@'), lit(2)]);
      return eb(domainOf(ref('p.email')), '=', domainOf(fn('lower', [val(address)])));
    })
    .select('p.id');
  return (await member.executeTakeFirst()) !== undefined;
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

/** Changes of members of one workspace happen one after the other, so that the last admin is known. */
export async function lockWorkspace(em: EntityManager, workspaceId: string): Promise<void> {
  await db(em).selectFrom('workspaces').where('id', '=', workspaceId).select('id').forUpdate().execute();
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

/** The person of this address, made where there is none. Two at once find the same. */
export async function ensurePerson(
  em: EntityManager,
  person: { email: string; name: string },
): Promise<{ personId: string }> {
  const made = await db(em)
    .insertInto('people')
    .values({ id: newId(), email: person.email, name: person.name })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id as personId')
    .executeTakeFirst();
  if (made) return made;
  const there = db(em).selectFrom('people').where('email', '=', person.email).select('id as personId');
  return there.executeTakeFirstOrThrow();
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
    .updateTable('one_time_links')
    .where('purpose', '=', 'invitation')
    .where('workspaceId', '=', who.workspaceId)
    .where('personId', '=', who.personId)
    .where('usedAt', 'is', null)
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

/** An invitation that was not used stops working. */
export async function dropInvitations(
  em: EntityManager,
  who: { workspaceId: string; personId: string },
): Promise<void> {
  await db(em)
    .deleteFrom('one_time_links')
    .where('purpose', '=', 'invitation')
    .where('workspaceId', '=', who.workspaceId)
    .where('personId', '=', who.personId)
    .where('usedAt', 'is', null)
    .execute();
}

export async function isInvitedElsewhere(
  em: EntityManager,
  who: { workspaceId: string; personId: string },
): Promise<boolean> {
  const elsewhere = await db(em)
    .selectFrom('one_time_links')
    .where('purpose', '=', 'invitation')
    .where('personId', '=', who.personId)
    .where('workspaceId', '<>', who.workspaceId)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return elsewhere !== undefined;
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

/**
 * Workspaces that a person made: those whose first member they are, but for the one of the installation. Held until the
 * transaction ends, so that two that are made at once are both counted.
 */
export async function countMadeWorkspaces(em: EntityManager, personId: string): Promise<number> {
  await lockFor(em, `workspaces of ${personId}`);
  const installation = await findInstallationWorkspace(em);
  const { made } = await db(em)
    .selectFrom('memberships as m')
    .where('m.personId', '=', personId)
    .where((eb) => {
      const earlier = eb.selectFrom('memberships as o').whereRef('o.workspaceId', '=', 'm.workspaceId');
      return eb.not(eb.exists(earlier.whereRef('o.createdAt', '<', 'm.createdAt').select('o.personId')));
    })
    .where('m.workspaceId', 'is distinct from', installation)
    .select((eb) => eb.fn.countAll<number>().as('made'))
    .executeTakeFirstOrThrow();
  return made;
}

export async function insertWorkspace(em: EntityManager, name: string): Promise<string> {
  const id = newId();
  await db(em).insertInto('workspaces').values({ id, name }).execute();
  return id;
}

/** Whether one person is an admin of every workspace that another belongs to. */
export async function isAdminOfAll(em: EntityManager, adminId: string, personId: string): Promise<boolean> {
  const elsewhere = await db(em)
    .selectFrom('memberships as m')
    .where('m.personId', '=', personId)
    .where((eb) => {
      const asAdmin = eb
        .selectFrom('memberships as a')
        .where('a.personId', '=', adminId)
        .whereRef('a.workspaceId', '=', 'm.workspaceId')
        .where('a.role', '=', 'admin');
      return eb.not(eb.exists(asAdmin.select('a.role')));
    })
    .select('m.workspaceId')
    .limit(1)
    .executeTakeFirst();
  return elsewhere === undefined;
}
