import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Json } from '../../domain/json.ts';
import { newId } from '../../ids.ts';
import type { Vault } from '../../secrets.ts';
import { storableText } from '../convert.ts';

const REF_LENGTH_MAX = 400;

export interface ImportFailureInput {
  /** The platform's call id, or `line:<n>` of a file. */
  ref: string;
  reason: string;
  payload: Json | null;
}

/** Keeps records that could not become a call, one row a record however often it fails. One transaction. */
export async function storeFailures(
  em: EntityManager,
  input: { workspaceId: string; agentId: string; importId: string; vault: Vault; failures: ImportFailureInput[] },
): Promise<void> {
  const byRef = new Map(input.failures.map((failure) => [refOf(failure.ref), failure]));
  if (byRef.size === 0) return;
  const rows = [...byRef].map(([ref, { reason, payload }]) => ({
    id: newId(),
    ref,
    reason: storableText(reason),
    sealed_payload: payload === null ? null : input.vault.seal(JSON.stringify(payload)),
  }));
  rows.sort((a, b) => (a.ref < b.ref ? -1 : 1));
  await sql`
    insert into import_failures (id, workspace_id, agent_id, import_id, ref, reason, sealed_payload)
    select id, ${input.workspaceId}, ${input.agentId}, ${input.importId}, ref, reason, sealed_payload
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as f(id uuid, ref text, reason text, sealed_payload text)
    on conflict (agent_id, ref) do update set import_id = excluded.import_id, reason = excluded.reason,
      sealed_payload = coalesce(excluded.sealed_payload, import_failures.sealed_payload), resolved_at = null,
      is_skipped = import_failures.is_skipped and excluded.reason = import_failures.reason,
      updated_at = now()`.execute(em.getKysely());
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
    const db = within.getKysely();
    const { rows: known } = await sql<{ state: string }>`
      update calls set state_reason = case when state = 'waiting' then ${reason} else state_reason end,
        state = case when state = 'waiting' then 'failed' else state end, updated_at = now()
      where agent_id = ${parked.agentId} and provider_call_id = ${ref} returning state
    `.execute(db);
    if (known.length > 0) return;
    await sql`
      insert into import_failures (id, workspace_id, agent_id, import_id, ref, reason, is_skipped)
      values (${newId()}, ${parked.workspaceId}, ${parked.agentId}, ${parked.importId}, ${ref}, ${reason}, true)
      on conflict (agent_id, ref) do update set import_id = excluded.import_id, reason = excluded.reason,
        is_skipped = true, resolved_at = null, updated_at = now()
    `.execute(db);
  });
}

/** The records became calls after all. */
export async function resolveFailures(em: EntityManager, agentId: string, refs: string[]): Promise<void> {
  if (refs.length === 0) return;
  await sql`
    update import_failures set resolved_at = now(), updated_at = now()
    where agent_id = ${agentId} and ref = any(${refs.map(refOf)}::text[]) and resolved_at is null`.execute(
    em.getKysely(),
  );
}

function refOf(ref: string): string {
  return storableText(ref).slice(0, REF_LENGTH_MAX).toWellFormed();
}
