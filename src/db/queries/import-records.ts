import { sql } from 'kysely';
import type { CallState } from '../../domain/vocabulary.ts';
import { storableText } from '../convert.ts';
import type { EntityManager } from '../database.ts';

export interface KnownCall {
  ref: string;
  /** Null for a record that could not become a call. */
  callId: string | null;
  state: CallState;
  importId: string | null;
  /** Milliseconds since 1970 when it was first met. */
  firstMetMs: number;
  /** Why a person parked it, or null. */
  parkedFor: string | null;
}

/** What is known of records of an agent, by the platform's call id or the line: calls, and records that were kept with a reason. */
export async function knownRecords(
  em: EntityManager,
  agentId: string,
  refs: string[],
): Promise<Map<string, KnownCall>> {
  if (refs.length === 0) return new Map();
  const asStored = new Map(refs.map((ref) => [storableText(ref), ref]));
  const keys = [...asStored.keys()];
  const { rows } = await sql<KnownCall>`
    select ref, null as "callId", 'failed' as state, import_id as "importId",
      (extract(epoch from created_at) * 1000)::float8 as "firstMetMs", case when is_skipped then reason end as "parkedFor"
    from import_failures where agent_id = ${agentId} and resolved_at is null and ref = any(${keys}::text[])
    union all
    select provider_call_id, id, state, import_id, (extract(epoch from created_at) * 1000)::float8, null
    from calls where agent_id = ${agentId} and provider_call_id = any(${keys}::text[])
  `.execute(em.getKysely());
  return new Map(rows.map((row) => [asStored.get(row.ref) ?? row.ref, row]));
}

export interface CallStanding {
  state: CallState;
  /** Attempts at an analysis that ended with the process, or with a failure. */
  tries: number;
  /** Why it failed, in words. */
  reason: string | null;
}

/** How calls stand now, for counting a window after it was analysed, whoever analysed it. A changed record waits, although its earlier reading stands. */
export async function callStates(em: EntityManager, callIds: string[]): Promise<Map<string, CallStanding>> {
  if (callIds.length === 0) return new Map();
  const { rows } = await sql<CallStanding & { id: string }>`
    select id, analysis_tries as tries, state_reason as reason,
      case when state = 'analysed' and reanalyse then 'waiting'
        when state = 'analysed' and state_reason is not null then 'failed' else state end as state
    from calls where id = any(${callIds}::uuid[])
  `.execute(em.getKysely());
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}

/** Which of these calls an import stored. */
export async function callsOfImport(em: EntityManager, importId: string, callIds: string[]): Promise<Set<string>> {
  if (callIds.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from calls where id = any(${callIds}::uuid[]) and import_id = ${importId}
  `.execute(em.getKysely());
  return new Set(rows.map((row) => row.id));
}

/** Written before a call is analysed alone, so that one that ends the process leaves a trace. */
export async function raiseAnalysisTries(em: EntityManager, callId: string): Promise<void> {
  await sql`update calls set analysis_tries = analysis_tries + 1 where id = ${callId}`.execute(em.getKysely());
}

/** Puts the calls of an import whose analysis failed back among the waiting ones; an earlier reading stands until then. */
export async function requeueFailedCalls(em: EntityManager, importId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update calls set state_reason = null, analysis_tries = 0, updated_at = now(), reanalyse = state = 'analysed',
      state = case when state = 'analysed' then state else 'waiting' end
    where import_id = ${importId} and (state = 'failed' or (state = 'analysed' and state_reason is not null))
    returning id
  `.execute(em.getKysely());
  return rows.map((row) => row.id);
}

export interface OpenFailure {
  id: string;
  ref: string;
  sealedPayload: string | null;
}

/** Unresolved failures of an import after one of them, in order of their making. */
export async function openFailures(
  em: EntityManager,
  importId: string,
  afterId: string | null,
  limit: number,
): Promise<OpenFailure[]> {
  const { rows } = await sql<OpenFailure>`
    select id, ref, sealed_payload as "sealedPayload" from import_failures
    where import_id = ${importId} and resolved_at is null and (${afterId}::uuid is null or id > ${afterId}::uuid)
    order by id limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

export interface UploadedLine {
  line: number;
  sealedPayload: string;
}

/** Adds uploaded lines to an import whose row exists; a line that is there stays as it is. */
export async function storeUploadedLines(em: EntityManager, importId: string, lines: UploadedLine[]): Promise<void> {
  if (lines.length === 0) return;
  await sql`
    insert into uploaded_records (import_id, line, sealed_payload)
    select ${importId}::uuid, (item ->> 'line')::int, item ->> 'sealedPayload'
    from jsonb_array_elements(${JSON.stringify(lines)}::jsonb) as item
    on conflict do nothing
  `.execute(em.getKysely());
}

export async function readUploadedLines(
  em: EntityManager,
  importId: string,
  afterLine: number,
  limit: number,
): Promise<UploadedLine[]> {
  const { rows } = await sql<UploadedLine>`
    select line, sealed_payload as "sealedPayload" from uploaded_records
    where import_id = ${importId} and line > ${afterLine} order by line limit ${limit}
  `.execute(em.getKysely());
  return rows;
}
