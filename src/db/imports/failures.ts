import type { EntityManager } from '@mikro-orm/postgresql';
import type { ExpressionBuilder } from 'kysely';
import type { Json } from '../../domain/json.ts';
import type { CallState } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { Vault } from '../../secrets.ts';
import { storableText } from '../convert.ts';
import { db } from '../db.ts';
import { anyText, asId, listed, now } from '../expressions.ts';
import { failurePlace } from '../secrets/sealed-places.ts';
import type { Tables } from '../tables.ts';

const REF_LENGTH_MAX = 400;

export interface ImportFailureInput {
  /** The platform's call id, or `line:<n>` of a file. */
  ref: string;
  reason: string;
  payload: Json | null;
}

/** Keeps records that could not become a call, one row per record however often it fails. One transaction. */
export async function storeFailures(
  em: EntityManager,
  input: { workspaceId: string; agentId: string; importId: string; vault: Vault; failures: ImportFailureInput[] },
): Promise<void> {
  const byRef = new Map(input.failures.map((failure) => [refOf(failure.ref), failure]));
  if (byRef.size === 0) return;
  const { workspaceId, agentId, importId, vault } = input;
  const rows = [...byRef].map(([ref, { reason, payload }]) => ({
    id: newId(),
    ref,
    reason: storableText(reason),
    sealedPayload:
      payload === null ? null : vault.seal(JSON.stringify(payload), failurePlace(workspaceId, agentId, ref)),
  }));
  rows.sort((a, b) => (a.ref < b.ref ? -1 : 1));
  await db(em)
    .insertInto('import_failures')
    .columns(['id', 'ref', 'reason', 'sealedPayload', 'workspaceId', 'agentId', 'importId'])
    .expression((eb) =>
      eb
        .selectFrom(listed(rows, { id: 'uuid', ref: 'text', reason: 'text', sealedPayload: 'text' }))
        .select(['id', 'ref', 'reason', 'sealedPayload'])
        .select([asId(workspaceId).as('workspaceId'), asId(agentId).as('agentId'), asId(importId).as('importId')]),
    )
    .onConflict((conflict) =>
      conflict.columns(['agentId', 'ref']).doUpdateSet((eb) => ({
        importId: eb.ref('excluded.importId'),
        reason: eb.ref('excluded.reason'),
        sealedPayload: eb.fn.coalesce('excluded.sealedPayload', 'import_failures.sealedPayload'),
        resolvedAt: null,
        isSkipped: eb
          .and([eb.ref('import_failures.isSkipped'), eb('excluded.reason', '=', eb.ref('import_failures.reason'))])
          .$castTo<boolean>(),
        updatedAt: now,
      })),
    )
    .execute();
}

/**
 * Parks one call of an import: it is neither asked for nor analysed until somebody retries what failed. One that is
 * analysed already stays as it is.
 */
export async function parkCall(
  em: EntityManager,
  parked: { workspaceId: string; agentId: string; importId: string; ref: string; reason: string },
): Promise<void> {
  const ref = refOf(parked.ref);
  const reason = storableText(parked.reason);
  await em.transactional(async (within) => {
    const isWaiting = (eb: ExpressionBuilder<Tables, 'calls'>) => eb.case().when('state', '=', 'waiting');
    const known = await db(within)
      .updateTable('calls')
      .where('agentId', '=', parked.agentId)
      .where('providerCallId', '=', ref)
      .set((eb) => ({
        stateReason: isWaiting(eb).then<string | null>(reason).else(eb.ref('stateReason')).end(),
        state: isWaiting(eb).then<CallState>('failed').else(eb.ref('state')).end(),
        updatedAt: now,
      }))
      .returning('id')
      .executeTakeFirst();
    if (known) return;
    const { workspaceId, agentId, importId } = parked;
    await db(within)
      .insertInto('import_failures')
      .values({ id: newId(), workspaceId, agentId, importId, ref, reason, isSkipped: true })
      .onConflict((conflict) =>
        conflict
          .columns(['agentId', 'ref'])
          .doUpdateSet({ importId, reason, isSkipped: true, resolvedAt: null, updatedAt: now }),
      )
      .execute();
  });
}

/** The records became calls after all. */
export async function resolveFailures(em: EntityManager, agentId: string, refs: string[]): Promise<void> {
  if (refs.length === 0) return;
  await db(em)
    .updateTable('import_failures')
    .where('agentId', '=', agentId)
    .where('ref', '=', anyText(refs.map(refOf)))
    .where('resolvedAt', 'is', null)
    .set({ resolvedAt: now, updatedAt: now })
    .execute();
}

function refOf(ref: string): string {
  return storableText(ref).slice(0, REF_LENGTH_MAX).toWellFormed();
}
