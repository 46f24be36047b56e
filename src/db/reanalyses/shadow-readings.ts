import { type RawBuilder, sql } from 'kysely';
import type { CodeChange, ReanalysisReport } from '../../domain/signals/reanalysis-report.ts';
import type { CallAnalysis, Place, Signal } from '../../domain/signals/signal.ts';
import type { Outcome } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
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
export async function nextStandingReadings(
  em: EntityManager,
  of: Pick<ReanalysisView, 'id' | 'agentId' | 'cursor'>,
  limit: number,
): Promise<StandingReading[]> {
  return standingReadings(
    em,
    sql`select c.id, c.payload_digest, c.profile_id, c.visit_set_id from calls c
      where c.agent_id = ${of.agentId} and c.state = 'analysed' and not c.reanalyse
        and (${of.cursor}::uuid is null or c.id > ${of.cursor}::uuid)
        and c.created_at <= (select created_at from reanalyses where id = ${of.id})
      order by c.id limit ${limit}`,
  );
}

/** @param calls a query for the id, digest, profile and visit set of analysed calls. @returns what each says now, in the order of their ids. */
export async function standingReadings(em: EntityManager, calls: RawBuilder<unknown>): Promise<StandingReading[]> {
  const { rows } = await sql<StandingReading>`
    with calls_now as (
      ${calls}
    )
    select c.id as "callId", c.payload_digest as "payloadDigest",
      case when v.path is null then a.analysis else a.analysis || jsonb_build_object('path', v.path) end as document,
      p.not_computable as "notComputable", coalesce(v.places, '[]') as places,
      coalesce((
        select jsonb_agg(jsonb_build_object('code', code, 'klass', klass, 'lane', lane, 'severity', severity,
          'confidence', confidence, 'turnIndex', turn_index, 'quote', quote, 'detail', detail,
          'place', jsonb_build_object('kind', place_kind, 'id', place_id, 'label', place_label),
          'cause', case when cause_code is not null then jsonb_build_object('code', cause_code, 'label', cause_label,
            'detail', cause_detail, 'category', cause_category, 'party', cause_party) end)
          || case basis when 'model' then '{"basis": "model"}' else '{}' end::jsonb order by ordinal)
        from call_signals s where s.call_id = c.id), '[]') as signals
    from calls_now c
    join call_analyses a on a.call_id = c.id
    left join computability_profiles p on p.id = c.profile_id
    left join visit_sets v on v.id = c.visit_set_id
    order by c.id
  `.execute(em.getKysely());
  return rows;
}

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
    const { rows } = await sql<Pick<ReanalysisView, 'total' | 'done' | 'failed'>>`
      update reanalyses set cursor = ${window.lastCallId}, done = done + ${done}, failed = failed + ${window.failed},
        total = greatest(total, done + ${done}), updated_at = now()
      where id = ${of.id} and status = 'reading' and cursor is not distinct from ${of.cursor}::uuid
      returning total, done, failed
    `.execute(tx.getKysely());
    const [row] = rows;
    if (!row) return null;
    await sql`
      insert into shadow_readings (reanalysis_id, call_id, workspace_id, agent_id, payload_digest, codes_before,
        codes_after, outcome_before, outcome_after, analysis)
      select ${of.id}, "callId", ${of.workspaceId}, ${of.agentId}, "payloadDigest", "codesBefore", "codesAfter",
        "outcomeBefore", "outcomeAfter", analysis
      from jsonb_to_recordset(${JSON.stringify(window.shadows)}::jsonb) as r("callId" uuid, "payloadDigest" text,
        "codesBefore" text[], "codesAfter" text[], "outcomeBefore" text, "outcomeAfter" text, analysis jsonb)
      on conflict (reanalysis_id, call_id) do nothing
    `.execute(tx.getKysely());
    return row;
  });
}

/** What would change, by code and outcome. */
export async function readChanges(
  em: EntityManager,
  id: string,
): Promise<Pick<ReanalysisReport, 'codes' | 'outcomes'> & { changed: number; unchanged: number }> {
  const db = em.getKysely();
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
  `.execute(db);
  const { rows: outcomes } = await sql<{ from: Outcome | null; to: Outcome | null; calls: number }>`
    select outcome_before as "from", outcome_after as "to", count(*)::int as calls from shadow_readings
    where reanalysis_id = ${id} and outcome_before is distinct from outcome_after group by 1, 2 order by 3 desc, 1, 2
  `.execute(db);
  const { rows: counts } = await sql<{ changed: number; unchanged: number }>`
    select count(analysis)::int as changed, (count(*) - count(analysis))::int as unchanged
    from shadow_readings where reanalysis_id = ${id}
  `.execute(db);
  return { codes, outcomes, changed: counts[0]?.changed ?? 0, unchanged: counts[0]?.unchanged ?? 0 };
}

export interface ShadowReading {
  callId: string;
  payloadDigest: string;
  analysis: CallAnalysis | null;
}

/** Stored readings in the order of their calls. @param changedOnly leaves out those that say what is said now. */
export async function nextShadows(
  em: EntityManager,
  id: string,
  after: string | null,
  limit: number,
  changedOnly: boolean,
): Promise<ShadowReading[]> {
  const { rows } = await sql<ShadowReading>`
    select call_id as "callId", payload_digest as "payloadDigest", analysis from shadow_readings
    where reanalysis_id = ${id} and (${after}::uuid is null or call_id > ${after}::uuid)
      and (analysis is not null or not ${changedOnly})
    order by call_id limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

/** These are switched on: readings that say the same take the new version, and what was kept apart is no longer needed. */
export async function settleShadows(
  em: EntityManager,
  of: Pick<ReanalysisView, 'id' | 'analyserVersion'>,
  shadows: readonly ShadowReading[],
): Promise<void> {
  const callIds = shadows.map(({ callId }) => callId);
  await em.transactional(async (tx) => {
    const db = tx.getKysely();
    await sql`
      with same as (
        update calls c set analyser_version = ${of.analyserVersion}, updated_at = now()
        from shadow_readings s where s.reanalysis_id = ${of.id} and s.call_id = any(${callIds}::uuid[])
          and s.analysis is null and c.id = s.call_id and c.payload_digest = s.payload_digest and c.state = 'analysed'
        returning c.id
      )
      update call_analyses a set analyser_version = ${of.analyserVersion} from same where a.call_id = same.id
    `.execute(db);
    await sql`
      with gone as (
        delete from shadow_readings where reanalysis_id = ${of.id} and call_id = any(${callIds}::uuid[]) returning 1
      )
      update reanalyses set applied = applied + (select count(*) from gone), updated_at = now() where id = ${of.id}
    `.execute(db);
  });
}

/** Of these calls, those whose reading by a model is to be laid beside the new reading by rules. */
export async function readByModel(em: EntityManager, callIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ call_id: string }>`
    select call_id from model_readings where call_id = any(${[...callIds]}::uuid[]) and state in ('read', 'done')
  `.execute(em.getKysely());
  return rows.map((row) => row.call_id);
}
