import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** Who somebody is at a provider. */
export interface Subject {
  issuer: string;
  subject: string;
}

/** The person whom a provider knows by this subject. */
export async function findByIdentity(em: EntityManager, { issuer, subject }: Subject): Promise<string | null> {
  const bound = db(em).selectFrom('identities').where('issuer', '=', issuer).where('subject', '=', subject);
  return (await bound.select('personId').executeTakeFirst())?.personId ?? null;
}

/** Whether a provider knows a person, by whatever subject. */
export async function isBoundAt(em: EntityManager, personId: string, issuer: string): Promise<boolean> {
  const bound = db(em).selectFrom('identities').where('personId', '=', personId).where('issuer', '=', issuer);
  return (await bound.select('subject').executeTakeFirst()) !== undefined;
}

export async function bindIdentity(em: EntityManager, { issuer, subject }: Subject, personId: string): Promise<void> {
  await db(em).insertInto('identities').values({ issuer, subject, personId }).execute();
}

/** What a provider knows one account by leads to another from now on. */
export async function moveIdentities(em: EntityManager, from: string, to: string): Promise<void> {
  await db(em).updateTable('identities').where('personId', '=', from).set({ personId: to }).execute();
}

export async function dropIdentities(em: EntityManager, personId: string): Promise<void> {
  await db(em).deleteFrom('identities').where('personId', '=', personId).execute();
}
