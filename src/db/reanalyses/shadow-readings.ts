import { sql } from 'kysely';
import type { CallAnalysis } from '../../domain/signals/call-analysis.ts';
import type { CodeChange, ReanalysisReport } from '../../domain/signals/reanalysis-report.ts';
import type { Place, Signal } from '../../domain/signals/signal.ts';
import type { Outcome } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, given, json, now } from '../expressions.ts';
import type { ReanalysisView } from './reanalyses.ts';

/** What a call says now, in the parts by which two readings are compared. */
export interface StandingReading {
  callId: string;
  payloadDigest: string;
  /** As stored: without signals, what is not computable and the places reached, which stand apart. */
  document: Omit<CallAnalysis, 'signals' | 'notComputable' | 'visits'>;
  signals: Signal[];
  notComputable: CallAnalysis['notComputable'];
  places: Place[];
}

/** The next calls to read again, in the order of their ids. Those that came after the re-analysis was ordered are new enough. */
export function nextStandingReadings(
  em: EntityManager,
  { id, agentId, cursor }: Pick<ReanalysisView, 'id' | 'agentId' | 'cursor'>,
  limit: number,
): Promise<StandingReading[]> {
  let calls = callsToRead(em)
    .where('agentId', '=', agentId)
    .where('state', '=', 'analysed')
    .where('reanalyse', '=', false)
    .where('createdAt', '<=', (eb) => eb.selectFrom('reanalyses').where('id', '=', id).select('createdAt'));
  if (cursor !== null) calls = calls.where('id', '>', cursor);
  return readStanding(em, calls.orderBy('id').limit(limit));
}

/** What each of these calls says now, in the order of their ids. */
export const standingReadings = (em: EntityManager, callIds: readonly string[]): Promise<StandingReading[]> =>
  readStanding(em, callsToRead(em).where('id', '=', anyId(callIds)));

const callsToRead = (em: EntityManager) =>
  db(em).selectFrom('calls').select(['id', 'payloadDigest', 'profileId', 'visitSetId']);

function readStanding(em: EntityManager, calls: ReturnType<typeof callsToRead>): Promise<StandingReading[]> {
  return db(em)
    .with('standing', () => calls)
    .selectFrom('standing as c')
    .innerJoin('call_analyses as a', 'a.callId', 'c.id')
    .leftJoin('computability_profiles as p', 'p.id', 'c.profileId')
    .leftJoin('visit_sets as v', 'v.id', 'c.visitSetId')
    .select((eb) => [
      'c.id as callId',
      'c.payloadDigest',
      documentWithPath.as('document'),
      eb.ref('p.notComputable').$castTo<CallAnalysis['notComputable']>().as('notComputable'),
      eb.fn.coalesce('v.places', json<Place[]>([])).as('places'),
      eb.fn
        .coalesce(
          eb.selectFrom('call_signals as s').whereRef('s.callId', '=', 'c.id').select(signals.as('signals')),
          json<Signal[]>([]),
        )
        .as('signals'),
    ])
    .orderBy('c.id')
    .execute();
}

/** The path is interned with the places. */
const documentWithPath = sql<StandingReading['document']>`
  case when v.path is null then a.analysis else a.analysis || jsonb_build_object('path', v.path) end`;

const signals = sql<Signal[]>`jsonb_agg(jsonb_build_object('code', code, 'klass', klass, 'lane', lane,
    'severity', severity, 'confidence', confidence, 'turnIndex', turn_index, 'quote', quote, 'detail', detail,
    'place', jsonb_build_object('kind', place_kind, 'id', place_id, 'label', place_label),
    'cause', case when cause_code is not null then jsonb_build_object('code', cause_code, 'label', cause_label,
      'detail', cause_detail, 'category', cause_category, 'party', cause_party) end)
  || case basis when 'model' then '{"basis": "model"}' else '{}' end::jsonb
  || case when proof is null then '{}' else jsonb_build_object('proof', proof) end order by ordinal)`;

/** The turns at which places were reached first are not kept apart; nothing that is stored reads them. */
export function asAnalysis({ document, signals, notComputable, places }: StandingReading): CallAnalysis {
  return { ...document, signals, notComputable, visits: places.map((place) => ({ place, firstTurn: 0 })) };
}

export interface ShadowToStore {
  callId: string;
  payloadDigest: string;
  codesBefore: string[];
  codesAfter: string[];
  outcomeBefore: Outcome | null;
  outcomeAfter: Outcome | null;
  analysis: CallAnalysis | null;
}

/**
 * Stores a window and moves the re-analysis on, in one transaction. A window that another attempt stored already is left
 * as it is. @returns how far it is, or null when it was discarded meanwhile.
 */
export async function storeShadows(
  em: EntityManager,
  of: ReanalysisView,
  window: { shadows: ShadowToStore[]; failed: number; lastCallId: string },
): Promise<Pick<ReanalysisView, 'total' | 'done' | 'failed'> | null> {
  const done = window.shadows.length + window.failed;
  return em.transactional(async (tx) => {
    const moved = await db(tx)
      .updateTable('reanalyses')
      .where('id', '=', of.id)
      .where('status', '=', 'reading')
      .where('cursor', 'is not distinct from', of.cursor)
      .set((eb) => ({
        cursor: window.lastCallId,
        done: eb('done', '+', done),
        failed: eb('failed', '+', window.failed),
        total: eb.fn<number>('greatest', ['total', eb('done', '+', done)]),
        updatedAt: now,
      }))
      .returning(['total', 'done', 'failed'])
      .executeTakeFirst();
    if (moved === undefined) return null;
    await insertShadows(tx, of, window.shadows);
    return moved;
  });
}

async function insertShadows(
  em: EntityManager,
  { id: reanalysisId, workspaceId, agentId }: ReanalysisView,
  shadows: readonly ShadowToStore[],
): Promise<void> {
  const rows = shadows.map((shadow) => ({ ...shadow, reanalysisId, workspaceId, agentId }));
  const names = ['callId', 'payloadDigest', 'codesBefore', 'codesAfter', 'outcomeBefore', 'outcomeAfter'] as const;
  const columns = [...names, 'analysis', 'reanalysisId', 'workspaceId', 'agentId'] as const;
  await db(em)
    .insertInto('shadow_readings')
    .columns(columns)
    .expression((eb) => eb.selectFrom(given('shadow_readings', rows)).select(columns))
    .onConflict((conflict) => conflict.columns(['reanalysisId', 'callId']).doNothing())
    .execute();
}

/** What would change, by code and outcome. */
export async function readChanges(
  em: EntityManager,
  id: string,
): Promise<Pick<ReanalysisReport, 'codes' | 'outcomes'> & { changed: number; unchanged: number }> {
  const { rows: codes } = await sql<CodeChange>`
    with sides as (
      select s.call_id, x.code, bool_or(x.was) as was, bool_or(x.will) as will
      from shadow_readings s cross join lateral (
        select unnest(s.codes_before) as code, true as was, false as will
        union all select unnest(s.codes_after), false, true) x
      where s.reanalysis_id = ${id} group by 1, 2
    ), counted as (
      select code, count(*) filter (where was and not will)::int as removed,
        count(*) filter (where will and not was)::int as added, count(*) filter (where was and will)::int as kept,
        (array_agg(call_id order by call_id) filter (where will and not was))[1:3] as more,
        (array_agg(call_id order by call_id) filter (where was and not will))[1:3] as fewer
      from sides group by 1
    )
    select code, removed, added, kept,
      jsonb_build_object('added', coalesce(to_jsonb(more), '[]'), 'removed', coalesce(to_jsonb(fewer), '[]')) as examples
    from counted where added + removed > 0 order by added + removed desc, code
  `.execute(db(em));
  const outcomes = await shadows(em, id)
    .whereRef('outcomeBefore', 'is distinct from', 'outcomeAfter')
    .select(({ fn }) => ['outcomeBefore as from', 'outcomeAfter as to', fn.countAll<number>().as('calls')])
    .groupBy(['outcomeBefore', 'outcomeAfter'])
    .orderBy('calls', 'desc')
    .orderBy('outcomeBefore')
    .orderBy('outcomeAfter')
    .execute();
  const { changed, all } = await shadows(em, id)
    .select(({ fn }) => [fn.count<number>('analysis').as('changed'), fn.countAll<number>().as('all')])
    .executeTakeFirstOrThrow();
  return { codes, outcomes, changed, unchanged: all - changed };
}

const shadows = (em: EntityManager, id: string) => db(em).selectFrom('shadow_readings').where('reanalysisId', '=', id);

export interface ShadowReading {
  callId: string;
  payloadDigest: string;
  analysis: CallAnalysis | null;
}

/** Stored readings in the order of their calls. @param changedOnly leaves out those that say what is said now. */
export function nextShadows(
  em: EntityManager,
  id: string,
  after: string | null,
  limit: number,
  changedOnly: boolean,
): Promise<ShadowReading[]> {
  let page = shadows(em, id).select(['callId', 'payloadDigest', 'analysis']);
  if (after !== null) page = page.where('callId', '>', after);
  if (changedOnly) page = page.where('analysis', 'is not', null);
  return page.orderBy('callId').limit(limit).execute();
}

/** These are switched on: readings that say the same take the new version, and what was kept apart is no longer needed. */
export async function settleShadows(
  em: EntityManager,
  { id, analyserVersion }: Pick<ReanalysisView, 'id' | 'analyserVersion'>,
  settled: readonly ShadowReading[],
): Promise<void> {
  const callIds = settled.map(({ callId }) => callId);
  await em.transactional(async (tx) => {
    await db(tx)
      .with('same', (within) =>
        within
          .updateTable('calls')
          .from('shadow_readings as s')
          .where('s.reanalysisId', '=', id)
          .where('s.callId', '=', anyId(callIds))
          .where('s.analysis', 'is', null)
          .whereRef('calls.id', '=', 's.callId')
          .whereRef('calls.payloadDigest', '=', 's.payloadDigest')
          .where('calls.state', '=', 'analysed')
          .set({ analyserVersion, updatedAt: now })
          .returning('calls.id'),
      )
      .updateTable('call_analyses')
      .from('same')
      .whereRef('call_analyses.callId', '=', 'same.id')
      .set({ analyserVersion })
      .execute();
    await db(tx)
      .with('gone', (within) =>
        within
          .deleteFrom('shadow_readings')
          .where('reanalysisId', '=', id)
          .where('callId', '=', anyId(callIds))
          .returning('callId'),
      )
      .updateTable('reanalyses')
      .where('id', '=', id)
      .set((eb) => ({
        applied: eb(
          'applied',
          '+',
          eb
            .selectFrom('gone')
            .select(({ fn }) => fn.countAll<number>().as('calls'))
            .$asScalar()
            .$notNull(),
        ),
        updatedAt: now,
      }))
      .execute();
  });
}
