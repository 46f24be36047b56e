import { sql } from 'kysely';
import type { Role } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { fromNow } from '../expressions.ts';

/** An invitation that can be accepted. */
export interface InvitationView {
  id: string;
  workspaceId: string;
  workspaceName: string;
  email: string;
  name: string;
  role: Role;
  /** Null: a group of the provider of sign-in does. */
  invitedBy: { name: string; email: string; emailVerified: boolean } | null;
  createdAt: string;
  expiresAt: string;
}

/** Of a row `i`: it is not over, and who made it is an admin still. */
export const isOpenInvitation = sql<boolean>`(i.expires_at > now() and (i.invited_by is null or exists (
  select from memberships a where a.workspace_id = i.workspace_id and a.person_id = i.invited_by and a.role = 'admin')))`;

const open = (em: EntityManager) =>
  db(em)
    .selectFrom('invitations as i')
    .innerJoin('workspaces as w', 'w.id', 'i.workspaceId')
    .leftJoin('people as p', 'p.id', 'i.invitedBy')
    .where(isOpenInvitation)
    .select(['i.id', 'i.workspaceId', 'w.name as workspaceName', 'i.email', 'i.name', 'i.role'])
    .select(['i.createdAt', 'i.expiresAt'])
    .select(
      sql<InvitationView['invitedBy']>`case when p.id is not null then
        jsonb_build_object('name', p.name, 'email', p.email, 'emailVerified', p.proved_at is not null) end`.as(
        'invitedBy',
      ),
    );

/** @param hold until the transaction ends: who answers it answers what it says then. */
export async function findInvitationBySecret(
  em: EntityManager,
  secretHash: string,
  hold?: 'held',
): Promise<InvitationView | null> {
  const found = open(em).where('i.secretHash', '=', secretHash);
  return (await found.$if(hold === 'held', (held) => held.forUpdate('i')).executeTakeFirst()) ?? null;
}

/** Held until the transaction ends. */
export async function holdInvitation(em: EntityManager, id: string): Promise<InvitationView | null> {
  return (await open(em).where('i.id', '=', id).forUpdate('i').executeTakeFirst()) ?? null;
}

/** Those to an address, oldest first. */
export async function listInvitationsTo(em: EntityManager, email: string): Promise<InvitationView[]> {
  return open(em).where('i.email', '=', email).orderBy('i.createdAt').orderBy('i.id').execute();
}

/** Invites an address, or anew: then the one before ends, and keeps its id. */
export async function saveInvitation(
  em: EntityManager,
  invitation: {
    workspaceId: string;
    email: string;
    name: string;
    role: Role;
    invitedBy: string | null;
    secretHash: string | null;
  },
  validDays: number,
): Promise<void> {
  const { workspaceId, email, ...set } = invitation;
  const expiresAt = fromNow(validDays, 'days');
  await db(em)
    .insertInto('invitations')
    .values({ id: newId(), workspaceId, email, ...set, expiresAt })
    .onConflict((conflict) => conflict.columns(['workspaceId', 'email']).doUpdateSet({ ...set, expiresAt }))
    .execute();
}

/** @returns false when it was accepted, declined or taken back in the meantime. */
export async function dropInvitation(em: EntityManager, id: string): Promise<boolean> {
  const dropped = db(em).deleteFrom('invitations').where('id', '=', id).returning('id');
  return (await dropped.executeTakeFirst()) !== undefined;
}

/** A group that invited somebody is no group of theirs any more. */
export async function dropInvitationOfGroup(
  em: EntityManager,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<void> {
  await db(em)
    .deleteFrom('invitations')
    .where('workspaceId', '=', workspaceId)
    .where('email', '=', email)
    .where('invitedBy', 'is', null)
    .execute();
}
