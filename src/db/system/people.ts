import { sql } from 'kysely';
import type { AccountStanding, LinkPurpose } from '../../domain/access/accounts.ts';
import type { Role } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { fromNow, lockFor, now } from '../expressions.ts';

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

/** The members who sign in with an address, oldest membership first: several accounts may stand under it. */
export async function findMembersAt(
  em: EntityManager,
  email: string,
): Promise<(MemberView & { passwordHash: string | null; isProved: boolean })[]> {
  return members(em)
    .select('people.passwordHash')
    .select((eb) => eb('people.provedAt', 'is not', null).$castTo<boolean>().as('isProved'))
    .where('people.email', '=', email)
    .orderBy('memberships.createdAt')
    .orderBy('memberships.workspaceId')
    .execute();
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

/** An account as its own row and its identities tell of it. */
export interface Account extends AccountStanding {
  personId: string;
  name: string;
  passwordHash: string | null;
}

const accounts = (em: EntityManager) =>
  db(em)
    .selectFrom('people as p')
    .select(['p.id as personId', 'p.email', 'p.name', 'p.passwordHash', 'p.passwordGiven', 'p.provedAt'])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('identities as i').whereRef('i.personId', '=', 'p.id').select('i.subject'))
        .$castTo<boolean>()
        .as('isBound'),
    );

type AccountRow = Awaited<ReturnType<ReturnType<typeof accounts>['executeTakeFirstOrThrow']>>;

const toAccount = ({ passwordGiven, provedAt, ...row }: AccountRow): Account => ({
  ...row,
  isProved: provedAt !== null,
  password: row.passwordHash === null ? 'none' : passwordGiven ? 'given' : 'own',
});

export async function findAccount(em: EntityManager, personId: string): Promise<Account | null> {
  const row = await accounts(em).where('p.id', '=', personId).executeTakeFirst();
  return row ? toAccount(row) : null;
}

/**
 * An account, held until the transaction ends: what lets somebody in by it, and what it joins, changes one after the
 * other, so that nobody joins a workspace with an account that another is just taking.
 */
export async function lockAccount(em: EntityManager, personId: string): Promise<Account | null> {
  const row = await accounts(em).where('p.id', '=', personId).forUpdate('p').executeTakeFirst();
  return row ? toAccount(row) : null;
}

/** Every account at an address, oldest first. Who proves it waits for others who do. */
export async function lockAccountsAt(em: EntityManager, email: string): Promise<Account[]> {
  await lockFor(em, `address ${email}`);
  const rows = await accounts(em)
    .where('p.email', '=', email)
    .orderBy('p.createdAt')
    .orderBy('p.id')
    .forUpdate('p')
    .execute();
  return rows.map(toAccount);
}

export interface AccountInUse extends Account {
  createdAt: string;
  /** Where it belongs to, longest first. */
  workspaces: { id: string; name: string; role: Role }[];
}

/** Those at an address with where they belong to, oldest first; nothing is held. */
export async function findAccountsAt(em: EntityManager, email: string): Promise<AccountInUse[]> {
  const rows = await accounts(em)
    .where('p.email', '=', email)
    .select('p.createdAt')
    .select(
      sql<AccountInUse['workspaces']>`(
        select coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'role', m.role) order by m.created_at), '[]')
        from memberships m join workspaces w on w.id = m.workspace_id where m.person_id = p.id)`.as('workspaces'),
    )
    .orderBy('p.createdAt')
    .orderBy('p.id')
    .execute();
  return rows.map(({ createdAt, workspaces, ...row }) => ({ ...toAccount(row), createdAt, workspaces }));
}

export async function insertPerson(
  em: EntityManager,
  person: {
    id?: string;
    email: string;
    name: string;
    passwordHash: string | null;
    passwordGiven?: boolean;
    isProved?: boolean;
  },
): Promise<string> {
  const { id = newId(), email, name, passwordHash, passwordGiven = false, isProved = false } = person;
  await db(em)
    .insertInto('people')
    .values({ id, email, name, passwordHash, passwordGiven, provedAt: isProved ? now : null })
    .execute();
  return id;
}

export async function deletePerson(em: EntityManager, personId: string): Promise<void> {
  await db(em).deleteFrom('people').where('id', '=', personId).execute();
}

/** Of an account that stays as it is otherwise; what is left out stays too. Another password ends the links that could set one. */
export async function updatePerson(
  em: EntityManager,
  personId: string,
  set: {
    name?: string | undefined;
    email?: string | undefined;
    passwordHash?: string | null;
    passwordGiven?: boolean;
    isProved?: boolean;
  },
): Promise<void> {
  const { isProved, ...rest } = set;
  if (set.passwordHash !== undefined) await dropPasswordLinks(em, personId);
  await db(em)
    .updateTable('people')
    .where('id', '=', personId)
    .set({ ...rest, provedAt: isProved === undefined ? undefined : isProved ? now : null })
    .execute();
}

export interface LinkView {
  id: string;
  purpose: LinkPurpose;
  workspaceId: string;
  workspaceName: string;
  personId: string;
  email: string;
  /** The admin who made it; null for the first admin's, which the server prints. */
  madeBy: { id: string; name: string; email: string; emailVerified: boolean } | null;
}

/** A link that sets a password; one of a maker who is gone is none, nor the first admin's once they came in otherwise. */
export async function findOpenLink(em: EntityManager, secretHash: string): Promise<LinkView | null> {
  const link = await db(em)
    .selectFrom('one_time_links as l')
    .innerJoin('people as p', 'p.id', 'l.personId')
    .innerJoin('workspaces as w', 'w.id', 'l.workspaceId')
    .leftJoin('people as maker', 'maker.id', 'l.madeBy')
    .where('l.secretHash', '=', secretHash)
    .where('l.usedAt', 'is', null)
    .where('l.expiresAt', '>', now)
    .where((eb) => {
      const isUnused = [eb('p.passwordHash', 'is', null), eb('p.provedAt', 'is', null)];
      return eb.or([eb.and([eb('l.purpose', '=', 'first_admin'), ...isUnused]), eb('maker.id', 'is not', null)]);
    })
    .select(['l.id', 'l.purpose', 'l.workspaceId', 'w.name as workspaceName', 'l.personId', 'p.email'])
    .select(
      sql<LinkView['madeBy']>`case when maker.id is not null then
        jsonb_build_object('id', maker.id, 'name', maker.name, 'email', maker.email, 'emailVerified',
          maker.proved_at is not null) end`.as('madeBy'),
    )
    .executeTakeFirst();
  return link ?? null;
}

/** Whether somebody else has proved an address. */
export async function isEmailProved(em: EntityManager, email: string, exceptPersonId: string): Promise<boolean> {
  const other = db(em).selectFrom('people').where('email', '=', email).where('id', '<>', exceptPersonId);
  return (await other.where('provedAt', 'is not', null).select('id').executeTakeFirst()) !== undefined;
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

export async function insertLink(
  em: EntityManager,
  link: { secretHash: string; purpose: LinkPurpose; workspaceId: string; personId: string; madeBy: string | null },
  validDays: number,
): Promise<{ expiresAt: string }> {
  return db(em)
    .insertInto('one_time_links')
    .values({ id: newId(), ...link, expiresAt: fromNow(validDays, 'days') })
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

/**
 * Replaces a password that is still the one that was checked, and ends the links that could set another.
 * @returns false when it was changed in the meantime.
 */
export async function replacePassword(
  em: EntityManager,
  personId: string,
  change: { before: string; after: string },
): Promise<boolean> {
  const replaced = await db(em)
    .updateTable('people')
    .where('id', '=', personId)
    .where('passwordHash', '=', change.before)
    .set({ passwordHash: change.after, passwordGiven: false })
    .returning('id')
    .executeTakeFirst();
  if (replaced !== undefined) await dropPasswordLinks(em, personId);
  return replaced !== undefined;
}
