import { type Expression, expressionBuilder } from 'kysely';
import type { Role } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { fromNow, now } from '../expressions.ts';
import type { Tables } from '../tables.ts';

export interface MemberView {
  personId: string;
  email: string;
  name: string;
  workspaceId: string;
  role: Role;
}

const members = (em: EntityManager) =>
  db(em)
    .selectFrom('people')
    .innerJoin('memberships', 'memberships.personId', 'people.id')
    .select(['people.id as personId', 'people.email', 'people.name', 'memberships.workspaceId', 'memberships.role']);

/** The person with this address, with the workspaces that they belong to, oldest membership first. */
export async function findPersonByEmail(
  em: EntityManager,
  email: string,
): Promise<{ passwordHash: string | null; memberships: MemberView[] } | null> {
  const rows = await members(em)
    .select('people.passwordHash')
    .where('people.email', '=', email)
    .orderBy('memberships.createdAt')
    .orderBy('memberships.workspaceId')
    .execute();
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
  const found = members(em)
    .where('people.id', '=', who.personId)
    .where('memberships.workspaceId', '=', who.workspaceId);
  return (await found.executeTakeFirst()) ?? null;
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
  const link = await db(em)
    .selectFrom('one_time_links as l')
    .innerJoin('people as p', 'p.id', 'l.personId')
    .innerJoin('workspaces as w', 'w.id', 'l.workspaceId')
    .where('l.secretHash', '=', secretHash)
    .where('l.usedAt', 'is', null)
    .where('l.expiresAt', '>', now)
    .select([
      'l.id',
      'l.purpose',
      'l.workspaceId',
      'w.name as workspaceName',
      'l.personId',
      'p.email',
      'p.passwordHash',
    ])
    .select(['l.role', 'l.name'])
    .select((eb) => isMember(eb.ref('p.id')).$castTo<boolean>().as('isMember'))
    .executeTakeFirst();
  return link ?? null;
}

const isMember = (personId: Expression<string>) => {
  const eb = expressionBuilder<Tables>();
  return eb.exists(eb.selectFrom('memberships').where('memberships.personId', '=', personId).select('role'));
};

export async function isEmailTaken(em: EntityManager, email: string, exceptPersonId: string): Promise<boolean> {
  const other = db(em).selectFrom('people').where('email', '=', email).where('id', '<>', exceptPersonId).select('id');
  return (await other.executeTakeFirst()) !== undefined;
}

/** @returns false when the link was used in the meantime. */
export async function takeLink(em: EntityManager, linkId: string): Promise<boolean> {
  const taken = await db(em)
    .updateTable('one_time_links')
    .where('id', '=', linkId)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .set({ usedAt: now })
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

export async function setPerson(
  em: EntityManager,
  personId: string,
  set: { name: string | null; email: string | null; passwordHash: string; isProved: boolean },
): Promise<void> {
  const { name, email, passwordHash, isProved } = set;
  await db(em)
    .updateTable('people')
    .where('id', '=', personId)
    .set({
      passwordHash,
      name: name ?? undefined,
      email: email ?? undefined,
      provedAt: isProved ? now : undefined,
    })
    .execute();
}

/** The first password of an invited person. @returns false when they have one by now, or belong to a workspace. */
export async function setFirstPassword(
  em: EntityManager,
  personId: string,
  { name, passwordHash }: { name: string | null; passwordHash: string },
): Promise<boolean> {
  const set = await db(em)
    .updateTable('people')
    .where('id', '=', personId)
    .where('passwordHash', 'is', null)
    .where((eb) => eb.not(isMember(eb.val(personId))))
    .set({ passwordHash, name: name ?? undefined })
    .returning('id')
    .executeTakeFirst();
  return set !== undefined;
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
  const { secretHash, purpose, workspaceId, personId, role = null, name = null } = link;
  return db(em)
    .insertInto('one_time_links')
    .values({
      id: newId(),
      secretHash,
      purpose,
      workspaceId,
      personId,
      role,
      name,
      expiresAt: fromNow(validDays, 'days'),
    })
    .returning('expiresAt')
    .executeTakeFirstOrThrow();
}

/** Links by which a new password could be set stop working: another took their place, or the person's reach grew. */
export async function dropPasswordLinks(em: EntityManager, personId: string): Promise<void> {
  await db(em)
    .deleteFrom('one_time_links')
    .where('personId', '=', personId)
    .where('purpose', '=', 'password')
    .where('usedAt', 'is', null)
    .execute();
}

export async function findPasswordHash(em: EntityManager, personId: string): Promise<string | null> {
  const person = await db(em).selectFrom('people').where('id', '=', personId).select('passwordHash').executeTakeFirst();
  return person?.passwordHash ?? null;
}

/** Replaces a password that is still the one that was checked. @returns false when it was changed in the meantime. */
export async function replacePassword(
  em: EntityManager,
  personId: string,
  change: { before: string; after: string },
): Promise<boolean> {
  const replaced = await db(em)
    .updateTable('people')
    .where('id', '=', personId)
    .where('passwordHash', '=', change.before)
    .set({ passwordHash: change.after })
    .returning('id')
    .executeTakeFirst();
  return replaced !== undefined;
}
