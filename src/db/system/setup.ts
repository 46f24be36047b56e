import { expressionBuilder } from 'kysely';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { lockFor, now } from '../expressions.ts';
import type { Tables } from '../tables.ts';

/** Two starts at once set up one after the other. Held until the transaction ends. */
export const lockSetup = (em: EntityManager): Promise<void> => lockFor(em, 'setup');

export interface FirstPerson {
  workspaceId: string;
  personId: string;
  /** False until somebody set a password by the first link, or came in by a provider. */
  isClaimed: boolean;
}

/** The oldest admin of the oldest workspace of people. */
export async function findFirstPerson(em: EntityManager): Promise<FirstPerson | null> {
  const first = await db(em)
    .selectFrom('workspaces as w')
    .innerJoin('memberships as m', 'm.workspaceId', 'w.id')
    .innerJoin('people as p', 'p.id', 'm.personId')
    .where('m.role', '=', 'admin')
    .where('w.isSystem', '=', false)
    .select(['w.id as workspaceId', 'p.id as personId'])
    .select((eb) => eb.or([eb('p.passwordHash', 'is not', null), eb('p.provedAt', 'is not', null)]).as('isClaimed'))
    .orderBy('w.createdAt')
    .orderBy('w.id')
    .orderBy('m.createdAt')
    .orderBy('p.id')
    .limit(1)
    .executeTakeFirst();
  return first ? { ...first, isClaimed: Boolean(first.isClaimed) } : null;
}

/** The workspace of the installation itself, whose admins run it: the oldest one of people. */
export async function findInstallationWorkspace(em: EntityManager): Promise<string | null> {
  const oldest = db(em).selectFrom('workspaces').where('isSystem', '=', false).orderBy('createdAt').orderBy('id');
  return (await oldest.select('id').limit(1).executeTakeFirst())?.id ?? null;
}

/** Whether a person runs the installation, in whichever workspace they act. */
export async function runsInstallation(em: EntityManager, personId: string): Promise<boolean> {
  const workspaceId = await findInstallationWorkspace(em);
  if (workspaceId === null) return false;
  const membership = db(em).selectFrom('memberships').where('personId', '=', personId).where('role', '=', 'admin');
  return (await membership.where('workspaceId', '=', workspaceId).select('role').executeTakeFirst()) !== undefined;
}

export async function insertWorkspaceWithAdmin(
  em: EntityManager,
  made: { workspaceName: string; email: string; name: string; passwordHash: string | null },
): Promise<FirstPerson> {
  const { workspaceName, email, name, passwordHash } = made;
  const workspaceId = newId();
  const personId = newId();
  const workspace = { id: workspaceId, name: workspaceName, plan: 'enterprise', madeBy: personId } as const;
  await db(em).insertInto('workspaces').values(workspace).execute();
  await db(em)
    .insertInto('people')
    .values({ id: personId, email, name, passwordHash, provedAt: passwordHash === null ? null : now })
    .execute();
  await db(em).insertInto('memberships').values({ workspaceId, personId, role: 'admin' }).execute();
  return { workspaceId, personId, isClaimed: passwordHash !== null };
}

/** Gives a person who has never signed in the address and password of the configuration. */
export async function claimFirstPerson(
  em: EntityManager,
  personId: string,
  set: { email: string; passwordHash: string },
): Promise<void> {
  await db(em)
    .updateTable('people')
    .where('id', '=', personId)
    .where('passwordHash', 'is', null)
    .where((eb) => {
      const other = eb.selectFrom('people as o').where('o.email', '=', set.email).where('o.id', '<>', personId);
      return eb.not(eb.exists(other.where('o.provedAt', 'is not', null).select('o.id')));
    })
    .set({ email: set.email, passwordHash: set.passwordHash, provedAt: now })
    .execute();
}

/** Unused links of a person stop working, because a new one takes their place. */
export async function dropOpenLinks(em: EntityManager, personId: string): Promise<void> {
  await db(em).deleteFrom('one_time_links').where('personId', '=', personId).where('usedAt', 'is', null).execute();
}

/** The workspace that owns the shared demo agents. */
export async function ensureSystemWorkspace(em: EntityManager): Promise<string> {
  const demo = expressionBuilder<Tables>().fn<string>('demo_workspace', []);
  await db(em)
    .insertInto('workspaces')
    .values({ id: demo, name: 'Demo', isSystem: true })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const { id } = await db(em).selectNoFrom(demo.as('id')).executeTakeFirstOrThrow();
  return id;
}

export async function listPeopleWorkspaces(em: EntityManager): Promise<string[]> {
  const rows = await db(em)
    .selectFrom('workspaces')
    .where('isSystem', '=', false)
    .select('id')
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
