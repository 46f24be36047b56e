import { expressionBuilder } from 'kysely';
import type { KeyAccess } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, now, thisMonth } from '../expressions.ts';
import { type ListPage, newestFirst } from '../pages.ts';
import type { Tables } from '../tables.ts';
import { type Maker, makerOf } from './maker.ts';

export async function touchKey(em: EntityManager, keyId: string): Promise<void> {
  await db(em)
    .updateTable('api_keys')
    .where('id', '=', keyId)
    .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', ago(59, 'seconds'))]))
    .set({ lastUsedAt: now })
    .execute();
}

export interface KeyView {
  id: string;
  name: string;
  prefix: string;
  access: KeyAccess;
  agentId: string | null;
  monthlyBudgetUsd: number | null;
  /** What its runs hold back or have spent this UTC month, in billionths of a dollar. */
  usedNanoUsd: number;
  lastUsedAt: string | null;
  createdAt: string;
  createdBy: Maker | null;
}

/** A reservation counts what it holds back until it is settled, then what was spent. */
const ofReservation = expressionBuilder<Tables, 'budget_reservations'>();
export const countedNanoUsd = ofReservation
  .case()
  .when('settledAt', 'is', null)
  .then(ofReservation.fn<number>('greatest', ['heldNanoUsd', 'spentNanoUsd']))
  .elseRef('spentNanoUsd')
  .end();

const used = expressionBuilder<Tables, 'api_keys'>()
  .selectFrom('budget_reservations')
  .whereRef('budget_reservations.apiKeyId', '=', 'api_keys.id')
  .where('month', '=', thisMonth)
  .select(({ fn, lit }) => fn.coalesce(fn.sum<number>(countedNanoUsd), lit(0)).as('used'))
  .$asScalar()
  .$notNull();
const maker = makerOf('api_keys');
const COLUMNS = ['id', 'name', 'prefix', 'access', 'agentId', 'monthlyBudgetUsd', 'lastUsedAt', 'createdAt'] as const;

const keysInForce = (em: EntityManager, workspaceId: string) =>
  db(em)
    .selectFrom('api_keys')
    .where('workspaceId', '=', workspaceId)
    .where('revokedAt', 'is', null)
    .select(COLUMNS)
    .select([used.as('usedNanoUsd'), maker.as('createdBy')]);

/** Keys that are not revoked, newest first. */
export async function listKeys(em: EntityManager, workspaceId: string, page: ListPage): Promise<KeyView[]> {
  const keys = keysInForce(em, workspaceId);
  return newestFirst(keys, ['createdAt', 'id'], page).execute();
}

export async function findKey(em: EntityManager, workspaceId: string, keyId: string): Promise<KeyView | null> {
  return (await keysInForce(em, workspaceId).where('id', '=', keyId).executeTakeFirst()) ?? null;
}

export async function insertKey(
  em: EntityManager,
  key: {
    workspaceId: string;
    name: string;
    access: KeyAccess;
    agentId: string | null;
    monthlyBudgetUsd: number | null;
    secretHash: string;
    prefix: string;
    createdBy: string;
  },
): Promise<KeyView> {
  const { workspaceId, name, access, agentId, monthlyBudgetUsd, secretHash, prefix, createdBy } = key;
  return db(em)
    .insertInto('api_keys')
    .values({ id: newId(), workspaceId, name, access, agentId, monthlyBudgetUsd, secretHash, prefix, createdBy })
    .returning(COLUMNS)
    .returning([used.as('usedNanoUsd'), maker.as('createdBy')])
    .executeTakeFirstOrThrow();
}

/** @returns false when somebody else revoked it first. */
export async function revokeKey(em: EntityManager, workspaceId: string, keyId: string): Promise<boolean> {
  const revoked = await db(em)
    .updateTable('api_keys')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', keyId)
    .where('revokedAt', 'is', null)
    .set({ revokedAt: now })
    .returning('id')
    .executeTakeFirst();
  return revoked !== undefined;
}

/** What a person can have made that lets others in, and goes on without them. */
const MADE_BY_PEOPLE = ['api_keys', 'ingest_tokens'] as const;

/** @returns how many keys and ingest tokens of a person were in force until now. */
export async function revokeKeysOf(em: EntityManager, who: { workspaceId: string; personId: string }): Promise<number> {
  let revoked = 0;
  for (const table of MADE_BY_PEOPLE) {
    const { numUpdatedRows } = await db(em)
      .updateTable(table)
      .where('workspaceId', '=', who.workspaceId)
      .where('createdBy', '=', who.personId)
      .where('revokedAt', 'is', null)
      .set({ revokedAt: now })
      .executeTakeFirstOrThrow();
    revoked += Number(numUpdatedRows);
  }
  return revoked;
}

/** How many keys and ingest tokens of a person are in force. */
export async function countKeysOf(em: EntityManager, who: { workspaceId: string; personId: string }): Promise<number> {
  let kept = 0;
  for (const table of MADE_BY_PEOPLE) {
    const { many } = await db(em)
      .selectFrom(table)
      .where('workspaceId', '=', who.workspaceId)
      .where('createdBy', '=', who.personId)
      .where('revokedAt', 'is', null)
      .select((eb) => eb.fn.countAll<number>().as('many'))
      .executeTakeFirstOrThrow();
    kept += many;
  }
  return kept;
}
