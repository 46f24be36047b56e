import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import type { NormalisedCall } from '../../domain/calls/call.ts';
import type { Json } from '../../domain/json.ts';
import { openNameRedactor } from '../../domain/personal/redact.ts';
import { namesByMarks } from '../../domain/personal/told-names.ts';
import { newId } from '../../ids.ts';
import type { Vault } from '../../secrets.ts';
import { lockAgent } from '../agents/lock-agent.ts';
import { storable } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { type ArrivingCall, askErased, markErased } from '../erasures/tombstones.ts';
import { anyText, given } from '../expressions.ts';
import { resolveVersions } from '../versions/resolve-versions.ts';
import { callerKeyOf } from './caller-key.ts';
import { sealPayload } from './payloads.ts';

export interface StoreCallsInput {
  workspaceId: string;
  agentId: string;
  importId: string | null;
  vault: Vault;
  calls: { payload: Json; call: NormalisedCall }[];
  /** Names are left out of what is stored of the agent: what was found on a call before is left out of it again. */
  leavesOutNames?: boolean;
}

export interface StoredCalls {
  /** Calls of this page that wait to be analysed: new, changed, or stored by an earlier try that did not get further. */
  callIds: string[];
  /** Calls whose content was already there, or that were erased and stay away, as do words that are kept no longer. */
  unchanged: number;
}

interface Prepared {
  id: string;
  call: NormalisedCall;
  /** The call as JSON, without the caller's number. */
  text: string;
  callerKey: string | null;
  digest: string;
  sealed: Buffer;
  /** `analysed`: it has a reading already, which stands until the changed record is read. */
  standing: 'new' | 'unread' | 'analysed';
}

/**
 * Stores a page of calls once each, in one transaction: the digest of a call's content decides whether it is new,
 * changed or unchanged. The caller's number is kept as a keyed hash only. At most a few hundred calls at a time.
 */
export async function storeCalls(em: EntityManager, input: StoreCallsInput): Promise<StoredCalls> {
  if (input.calls.length === 0) return { callIds: [], unchanged: 0 };
  const incoming = readPage(input);
  return em.transactional(async (tx) => {
    await lockAgent(tx, input.agentId);
    const { known, erased } = await findStanding(tx, input, [...incoming.values()].map(arrivalOf));
    const changed: Prepared[] = [];
    const stillWaiting: string[] = [];
    // Of records of one id the last counts, and the others change nothing.
    let unchanged = input.calls.length - incoming.size;
    for (const [providerCallId, item] of incoming) {
      if (erased.has(providerCallId)) {
        unchanged += 1;
        continue;
      }
      const existing = known.get(providerCallId);
      if (existing?.wordsGone) {
        unchanged += 1;
        continue;
      }
      if (existing?.payloadDigest === item.digest) {
        if (existing.state === 'waiting' || existing.reanalyse) stillWaiting.push(existing.id);
        else unchanged += 1;
        continue;
      }
      const id = existing?.id ?? newId();
      const { call, payload } = withoutNames(input, item, existing?.redactedNames ?? null);
      changed.push({
        ...item,
        call,
        text: call === item.call ? item.text : withoutNumber(call),
        id,
        sealed: sealPayload(input.vault, { workspaceId: input.workspaceId, callId: id }, payload),
        standing: existing === undefined ? 'new' : existing.state === 'analysed' ? 'analysed' : 'unread',
      });
    }
    const unnumbered = changed.filter(({ call }) => call.versionBy !== undefined);
    await resolveVersions(
      tx,
      input,
      unnumbered.map(({ call }) => call),
    );
    for (const item of unnumbered) item.text = withoutNumber(item.call);
    if (changed.length > 0) await writeCalls(tx, input, changed);
    // One that was erased with its caller is known by itself from now on, so that nobody asks for it again.
    await markErased(tx, input.vault, input, [...erased]);
    return { callIds: [...stillWaiting, ...changed.map((item) => item.id)], unchanged };
  });
}

const arrivalOf = ({ call: { providerCallId, startedAt }, callerKey }: Pick<Prepared, 'call' | 'callerKey'>) => ({
  providerCallId,
  startedAt,
  callerKey,
});

/** In the order of the platform's ids; where a page holds a call twice, its last form counts. */
function readPage(input: StoreCallsInput) {
  const page = new Map<string, Omit<Prepared, 'id' | 'sealed' | 'standing'> & { payload: Json }>();
  for (const { payload, call: raw } of input.calls) {
    const call = fitForTables(storable(raw));
    const callerKey = callerKeyOf(input.vault, input.workspaceId, call.callerNumber);
    const text = withoutNumber(call);
    const content = `${callerKey ?? ''} ${text}`;
    // It stays once names are left out, and must not tell them to whoever tries names.
    const digest = input.leavesOutNames
      ? input.vault.keyedHash(input.workspaceId, `record of a call\n${content}`)
      : createHash('sha256').update(content).digest('base64url');
    page.set(call.providerCallId, { call, text, callerKey, digest, payload });
  }
  return new Map([...page].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Without names that a reader found on an earlier record of the call. */
function withoutNames<Read extends { call: NormalisedCall; payload: Json }>(
  { vault, workspaceId, agentId, leavesOutNames = false }: StoreCallsInput,
  item: Read,
  marks: readonly string[] | null,
): Read {
  if (!leavesOutNames || marks === null || marks.length === 0) return item;
  const hash = nameHash(vault, { workspaceId, agentId, providerCallId: item.call.providerCallId });
  const record = [item.call as unknown as Json, item.payload];
  return openNameRedactor(namesByMarks(record, marks, hash)).call(item);
}

/** Tells the names of one call apart, and of no other. */
export const nameHash =
  (
    vault: Pick<Vault, 'keyedHash'>,
    { workspaceId, agentId, providerCallId }: { workspaceId: string; agentId: string; providerCallId: string },
  ) =>
  (form: string) =>
    vault.keyedHash(workspaceId, `name on a call\n${agentId}\n${providerCallId}\n${form}`);

/** The call as JSON, without the caller's number, and without what a column of its own holds. */
function withoutNumber({ redacted: _, ...call }: NormalisedCall): string {
  return JSON.stringify({ ...call, callerNumber: null });
}

const INT_MAX = 2_147_483_647;
const ID_LENGTH_MAX = 400;

/** Keeps a record whose figures no table or calendar can hold, with the oddity said beside the call. */
function fitForTables(call: NormalisedCall): NormalisedCall {
  const warnings = [...call.warnings];
  const time = (value: string | null, what: string) => {
    if (value === null) return null;
    const date = new Date(value);
    if (!Number.isNaN(date.getTime()) && date.getUTCFullYear() >= 1900 && date.getUTCFullYear() <= 9999) {
      return date.toISOString();
    }
    warnings.push(`The ${what} time that the platform gave is outside the calendar and was left out.`);
    return null;
  };
  const integer = (value: number) => Math.min(INT_MAX, Math.max(0, Math.round(Number.isFinite(value) ? value : 0)));
  return {
    ...call,
    providerCallId: shortId(call.providerCallId),
    version: integer(call.version),
    startedAt: time(call.startedAt, 'start'),
    endedAt: time(call.endedAt, 'end'),
    durationMs: integer(call.durationMs),
    warnings,
  };
}

/** A unique index holds 2.7 kB at most: a longer id is cut and made distinct by its digest. */
function shortId(id: string): string {
  if (id.length <= ID_LENGTH_MAX) return id;
  return `${id.slice(0, 300).toWellFormed()}~${createHash('sha256').update(id).digest('hex')}`;
}

/** What is there of these calls already, by the platform's ids, and which of them are to stay away. */
async function findStanding(em: EntityManager, input: StoreCallsInput, arriving: readonly ArrivingCall[]) {
  const asked = askErased(input.vault, input, arriving);
  const found = await db(em)
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('calls')
        .where('agentId', '=', input.agentId)
        .where('providerCallId', '=', anyText(arriving.map(({ providerCallId }) => providerCallId)))
        .select(({ fn, ref }) =>
          fn
            .jsonAgg(
              jsonBuildObject({
                id: ref('id'),
                providerCallId: ref('providerCallId'),
                payloadDigest: ref('payloadDigest'),
                state: ref('state'),
                reanalyse: ref('reanalyse'),
                wordsGone: ref('wordsGone'),
                redactedNames: ref('redactedNames'),
              }),
            )
            .as('rows'),
        )
        .as('known'),
      asked.refs.as('hashes'),
      asked.callers.as('callers'),
    ])
    .executeTakeFirstOrThrow();
  return {
    known: new Map((found.known ?? []).map((call) => [call.providerCallId, call])),
    erased: asked.read(found.hashes, found.callers),
  };
}

async function writeCalls(em: EntityManager, input: StoreCallsInput, calls: Prepared[]): Promise<void> {
  const added = calls.filter(({ standing }) => standing === 'new');
  const changed = calls.filter(({ standing }) => standing !== 'new');
  if (added.length > 0) await addCalls(em, input, added);
  if (changed.length > 0) await changeCalls(em, input, changed);
}

const idsOf = (calls: readonly Prepared[]) => sql`${calls.map(({ id }) => id)}::uuid[]`;
const textsOf = (calls: readonly Prepared[]) => sql`${calls.map(({ text }) => text)}::text[]`;
const sealedOf = (calls: readonly Prepared[]) => sql`${calls.map(({ sealed }) => sealed)}::bytea[]`;

const factsOf = ({ id, call, callerKey, digest }: Prepared) => ({
  id,
  providerCallId: call.providerCallId,
  payloadDigest: digest,
  version: call.version,
  startedAt: call.startedAt,
  endedAt: call.endedAt,
  durationMs: call.durationMs,
  direction: call.direction,
  disconnectionReason: call.disconnectionReason,
  costUsd: call.costUsd,
  callerKey,
  redacted: call.redacted ?? null,
});

/** Rows are inserted without a look at conflicts: whoever stores calls of this agent waits for the lock. */
async function addCalls(em: EntityManager, input: StoreCallsInput, calls: Prepared[]): Promise<void> {
  const { workspaceId, agentId, importId } = input;
  await sql`
    with stored as (
      insert into calls (id, workspace_id, agent_id, import_id, provider_call_id, payload_digest, state, version,
        started_at, ended_at, duration_ms, direction, disconnection_reason, cost_usd, caller_key, redacted)
      select id, ${workspaceId}, ${agentId}, ${importId}::uuid, provider_call_id, payload_digest,
        'waiting', version, started_at, ended_at, duration_ms, direction, disconnection_reason, cost_usd, caller_key, redacted
      from ${given('calls', calls.map(factsOf))}
    ), texts as (
      insert into transcripts (call_id, workspace_id, agent_id, call)
      select d.id, ${workspaceId}, ${agentId}, d.call::jsonb
      from unnest(${idsOf(calls)}, ${textsOf(calls)}) as d(id, call)
    )
    insert into raw_payloads (call_id, workspace_id, agent_id, sealed)
    select d.id, ${workspaceId}, ${agentId}, d.sealed
    from unnest(${idsOf(calls)}, ${sealedOf(calls)}) as d(id, sealed)`.execute(db(em));
}

/** What is analysed keeps its reading, and the changed record waits beside it. A payload may be gone after its retention. */
async function changeCalls(em: EntityManager, input: StoreCallsInput, calls: Prepared[]): Promise<void> {
  await sql`
    with facts as materialized (
      select id, provider_call_id, payload_digest, version, started_at, ended_at, duration_ms, direction,
        disconnection_reason, cost_usd, caller_key, redacted, standing
      from ${given('calls', calls.map(factsOf))} join unnest(${idsOf(calls)},
        ${calls.map((item) => item.standing)}::text[]) as s(id, standing) using (id)
    ), documents as materialized (
      select d.id, d.call::jsonb as call, d.sealed, f.standing, f.caller_key
      from unnest(${idsOf(calls)}, ${textsOf(calls)}, ${sealedOf(calls)}) as d(id, call, sealed)
      join facts f using (id)
    ), replaced as (
      update calls c set import_id = ${input.importId}::uuid, payload_digest = f.payload_digest, state = 'waiting',
        state_reason = null, analysis_tries = 0, version = f.version, started_at = f.started_at,
        ended_at = f.ended_at, duration_ms = f.duration_ms, direction = f.direction,
        disconnection_reason = f.disconnection_reason, cost_usd = f.cost_usd, caller_key = f.caller_key,
        redacted = f.redacted, updated_at = now()
      from facts f where f.standing = 'unread' and c.id = f.id
    ), marked as (
      update calls c set import_id = ${input.importId}::uuid, payload_digest = f.payload_digest, reanalyse = true,
        redacted = f.redacted, state_reason = null, analysis_tries = 0, updated_at = now()
      from facts f where f.standing = 'analysed' and c.id = f.id
    ), changed_texts as (
      update transcripts t set call = case when d.standing = 'unread' then d.call else t.call end,
        pending = case when d.standing = 'analysed' then jsonb_build_object('call', d.call, 'callerKey', d.caller_key) end
      from documents d where t.call_id = d.id
    ), changed_payloads as (
      update raw_payloads r set sealed = d.sealed, stored_at = now()
      from documents d where r.call_id = d.id returning r.call_id
    )
    insert into raw_payloads (call_id, workspace_id, agent_id, sealed)
    select id, ${input.workspaceId}, ${input.agentId}, sealed from documents d
    where not exists (select 1 from changed_payloads p where p.call_id = d.id)`.execute(db(em));
}
