import type { NormalisedCall } from '../../domain/calls/call.ts';
import type { Json } from '../../domain/json.ts';
import type { StoredReading } from '../../domain/reading/stored-reading.ts';
import type { Vault } from '../../secrets.ts';
import { storable } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { json, now } from '../expressions.ts';
import { openPayload, sealPayload } from './payloads.ts';

interface CallOfWorkspace {
  workspaceId: string;
  callId: string;
}

/** A stored record; its payload is null where it is kept no longer. `redacted` says what was left out of it at import. */
export async function readRecordWithNames(
  em: EntityManager,
  vault: Pick<Vault, 'openBytes'>,
  of: CallOfWorkspace,
): Promise<{ call: NormalisedCall; payload: Json } | null> {
  const found = await db(em)
    .selectFrom('transcripts as t')
    .innerJoin('calls as c', 'c.id', 't.callId')
    .leftJoin('raw_payloads as p', 'p.callId', 't.callId')
    .where('t.callId', '=', of.callId)
    .select(['t.call', 'c.redacted', 'p.sealed'])
    .executeTakeFirst();
  if (found === undefined) return null;
  const { call, redacted, sealed } = found;
  const payload = sealed === null ? null : openPayload(vault, of, sealed);
  return { call: { ...call, ...(redacted && { redacted }) }, payload };
}

/** Puts a record without names in the place of one with them, with marks by which they are known again. */
export async function writeRecordWithoutNames(
  em: EntityManager,
  vault: Pick<Vault, 'sealBytes'>,
  of: CallOfWorkspace,
  to: { call: NormalisedCall; payload: Json; marks: string[]; reading: StoredReading },
): Promise<void> {
  const { redacted, ...call } = to.call;
  const { callId } = of;
  await db(em)
    .updateTable('calls')
    .where('id', '=', callId)
    .set({ redacted: redacted ? json(redacted) : null, redactedNames: json(to.marks), updatedAt: now })
    .execute();
  await db(em)
    .updateTable('transcripts')
    .where('callId', '=', callId)
    .set({ call: json(storable(call)) })
    .execute();
  await db(em)
    .updateTable('raw_payloads')
    .where('callId', '=', callId)
    .set({ sealed: sealPayload(vault, of, to.payload) })
    .execute();
  await db(em)
    .updateTable('model_readings')
    .where('callId', '=', callId)
    .set({ reading: json(storable(to.reading)), updatedAt: now })
    .execute();
  // What a re-analysis read with the names; the reading that is stored beside this is of the same rules.
  await db(em).updateTable('shadow_readings').where('callId', '=', callId).set({ analysis: null }).execute();
}
