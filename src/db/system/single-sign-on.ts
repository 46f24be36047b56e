import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { now } from '../expressions.ts';

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

/** The person of an address, held until the transaction ends, so that two first sign-ins bind one after the other. */
export async function lockPersonByEmail(
  em: EntityManager,
  email: string,
): Promise<{ personId: string; isProved: boolean } | null> {
  const person = await db(em)
    .selectFrom('people')
    .where('email', '=', email)
    .select(['id as personId', 'provedAt'])
    .forUpdate()
    .executeTakeFirst();
  return person ? { personId: person.personId, isProved: person.provedAt !== null } : null;
}

/** @returns false when the person is known to the provider by another subject, or the subject is another person's. */
export async function bindIdentity(
  em: EntityManager,
  { issuer, subject }: Subject,
  personId: string,
): Promise<boolean> {
  const bound = await db(em)
    .insertInto('identities')
    .values({ issuer, subject, personId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('personId')
    .executeTakeFirst();
  if (bound) return true;
  return (await findByIdentity(em, { issuer, subject })) === personId;
}

/** The address is its owner's from now on: the password that whoever had a link chose opens nothing any more. */
export async function proveAddress(em: EntityManager, personId: string): Promise<void> {
  await db(em).updateTable('people').where('id', '=', personId).set({ passwordHash: null, provedAt: now }).execute();
}

/** An admin lets somebody in anew by a link: whom the provider knew by this address may be another person by now. */
export async function dropIdentities(em: EntityManager, personId: string): Promise<void> {
  await db(em).deleteFrom('identities').where('personId', '=', personId).execute();
}

/** Accepts the open invitations of somebody who proved to be the one that they were made for. */
export async function acceptInvitations(em: EntityManager, personId: string): Promise<void> {
  await sql`
    with accepted as (
      update one_time_links set used_at = now()
      where person_id = ${personId} and purpose = 'invitation' and used_at is null and expires_at > now()
      returning workspace_id, person_id, role
    ), joined as (
      insert into memberships (workspace_id, person_id, role)
      select workspace_id, person_id, max(role) from accepted where role is not null group by workspace_id, person_id
      on conflict do nothing returning person_id
    )
    delete from one_time_links
    where purpose = 'password' and used_at is null and person_id in (select person_id from joined)
  `.execute(db(em));
}

/** The oldest membership of a person, or null when they have none. */
export async function findOldestMembership(
  em: EntityManager,
  personId: string,
): Promise<{ personId: string; workspaceId: string } | null> {
  const oldest = await db(em)
    .selectFrom('memberships')
    .where('personId', '=', personId)
    .select(['personId', 'workspaceId'])
    .orderBy('createdAt')
    .orderBy('workspaceId')
    .limit(1)
    .executeTakeFirst();
  return oldest ?? null;
}
