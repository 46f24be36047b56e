import { sql } from 'kysely';
import type { CallState } from '../../domain/vocabulary.ts';
import { storableText } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, anyText, asId, epochMs, listed, now } from '../expressions.ts';

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
  const rows: KnownCall[] = await db(em)
    .selectFrom('import_failures')
    .where('agentId', '=', agentId)
    .where('resolvedAt', 'is', null)
    .where('ref', '=', anyText(keys))
    .select((eb) => [
      'ref',
      eb.cast<string | null>(eb.lit(null), 'uuid').as('callId'),
      eb.val<CallState>('failed').as('state'),
      eb.ref('importId').$castTo<string | null>().as('importId'),
      epochMs(eb.ref('createdAt')).as('firstMetMs'),
      eb.case().when('isSkipped', '=', true).then(eb.ref('reason')).end().as('parkedFor'),
    ])
    .unionAll((eb) =>
      eb
        .selectFrom('calls')
        .where('agentId', '=', agentId)
        .where('providerCallId', '=', anyText(keys))
        .select((of) => [
          'providerCallId as ref',
          of.ref('id').$castTo<string | null>().as('callId'),
          'state',
          'importId',
          epochMs(of.ref('createdAt')).as('firstMetMs'),
          of.cast<string | null>(of.lit(null), 'text').as('parkedFor'),
        ]),
    )
    .execute();
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
  const rows = await db(em)
    .selectFrom('calls')
    .where('id', '=', anyId(callIds))
    .select(['id', 'analysisTries as tries', 'stateReason as reason'])
    .select((eb) => {
      const analysed = eb('state', '=', 'analysed');
      return eb
        .case()
        .when(eb.and([analysed, eb('reanalyse', '=', true)]))
        .then<CallState>('waiting')
        .when(eb.and([analysed, eb('stateReason', 'is not', null)]))
        .then<CallState>('failed')
        .else(eb.ref('state'))
        .end()
        .as('state');
    })
    .execute();
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}

/** Which of these calls an import stored. */
export async function callsOfImport(em: EntityManager, importId: string, callIds: string[]): Promise<Set<string>> {
  if (callIds.length === 0) return new Set();
  const rows = await db(em)
    .selectFrom('calls')
    .where('id', '=', anyId(callIds))
    .where('importId', '=', importId)
    .select('id')
    .execute();
  return new Set(rows.map((row) => row.id));
}

/** Written before a call is analysed alone, so that one that ends the process leaves a trace. */
export async function changeAnalysisTries(em: EntityManager, callId: string, by: 1 | -1): Promise<void> {
  await db(em)
    .updateTable('calls')
    .where('id', '=', callId)
    .set((eb) => ({ analysisTries: eb('analysisTries', '+', by) }))
    .execute();
}

/**
 * Puts calls of an import whose analysis failed back among the waiting ones; an earlier reading stands until then.
 * @returns their ids in order, at most so many after one
 */
export async function requeueFailedCalls(
  em: EntityManager,
  { agentId, importId }: { agentId: string; importId: string },
  afterId: string | null,
  limit: number,
): Promise<string[]> {
  let failed = db(em)
    .selectFrom('calls')
    .where('agentId', '=', agentId)
    .where('importId', '=', importId)
    .where('wordsGone', '=', false)
    .where((eb) =>
      eb.or([eb('state', '=', 'failed'), eb.and([eb('state', '=', 'analysed'), eb('stateReason', 'is not', null)])]),
    );
  if (afterId !== null) failed = failed.where('id', '>', afterId);
  const rows = await db(em)
    .updateTable('calls')
    .where('id', 'in', failed.select('id').orderBy('id').limit(limit))
    .set((eb) => ({
      stateReason: null,
      analysisTries: 0,
      updatedAt: now,
      reanalyse: eb('state', '=', 'analysed').$castTo<boolean>(),
      state: eb.case().when('state', '=', 'analysed').then(eb.ref('state')).else<CallState>('waiting').end(),
    }))
    .returning('id')
    .execute();
  return rows.map((row) => row.id).sort();
}

export interface OpenFailure {
  id: string;
  ref: string;
  sealedPayload: string | null;
}

/** Unresolved failures of an import after one of them, in order of their making. */
export function openFailures(
  em: EntityManager,
  importId: string,
  afterId: string | null,
  limit: number,
): Promise<OpenFailure[]> {
  let failures = db(em).selectFrom('import_failures').where('importId', '=', importId).where('resolvedAt', 'is', null);
  if (afterId !== null) failures = failures.where('id', '>', afterId);
  return failures.select(['id', 'ref', 'sealedPayload']).orderBy('id').limit(limit).execute();
}

export interface UploadedLine {
  line: number;
  sealedPayload: string;
}

/** Adds uploaded lines to an import whose row exists; a line that is there stays as it is. */
export async function storeUploadedLines(em: EntityManager, importId: string, lines: UploadedLine[]): Promise<void> {
  if (lines.length === 0) return;
  // As one value: an upload has more lines than a statement may have parameters.
  const uploaded = listed(lines, { line: 'integer', sealedPayload: 'text' });
  await db(em)
    .insertInto('uploaded_records')
    .columns(['importId', 'line', 'sealedPayload'])
    .expression((eb) =>
      eb.selectFrom(uploaded).select([asId(importId).as('importId'), 'listed.line', 'listed.sealedPayload']),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Puts other content into lines that are there. */
export async function replaceUploadedLines(em: EntityManager, importId: string, lines: UploadedLine[]): Promise<void> {
  if (lines.length === 0) return;
  await db(em)
    .updateTable('uploaded_records')
    .from(listed(lines, { line: 'integer', sealedPayload: 'text' }))
    .where('uploaded_records.importId', '=', importId)
    .whereRef('uploaded_records.line', '=', 'listed.line')
    .set((eb) => ({ sealedPayload: eb.ref('listed.sealedPayload') }))
    .execute();
}

/**
 * The next lines: as many as are asked for at most, and no more than hold so many bytes together; one in any case.
 * `isCut`: their bytes kept others out, which are there.
 */
export async function readUploadedLines(
  em: EntityManager,
  importId: string,
  afterLine: number,
  most: { lines: number; bytes: number },
): Promise<{ lines: UploadedLine[]; isCut: boolean }> {
  const { rows } = await sql<UploadedLine & { next: number }>`
    with next as (
      select line, sealed_payload from uploaded_records
      where import_id = ${importId} and line > ${afterLine} order by line limit ${most.lines}
    ), counted as (
      select line, sealed_payload, row_number() over by_line as nth, sum(octet_length(sealed_payload)) over by_line as bytes
      from next window by_line as (order by line)
    )
    select line, sealed_payload as "sealedPayload", (select count(*)::int from next) as next
    from counted where nth = 1 or bytes <= ${most.bytes} order by line`.execute(db(em));
  const lines = rows.map(({ line, sealedPayload }) => ({ line, sealedPayload }));
  return { lines, isCut: (rows[0]?.next ?? 0) > lines.length };
}
