import { type NotNull, sql } from 'kysely';
import type { CheckedReading, DropReason } from '../../domain/reading/answer.ts';
import type { ReadVerdict } from '../../domain/reading/expected-of-watches.ts';
import type { ReadingPolicy } from '../../domain/reading/merge-reading.ts';
import { isTrusted, type ModelLabels, whyBackToAssist } from '../../domain/signals/model-trust.ts';
import type { ModelReadingMode } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, json, now } from '../expressions.ts';
import { executePlanned } from '../planned.ts';

/** A code that a model may not decide for the time being, and why. */
export interface ReturnedCode extends ModelLabels {
  code: string;
  reason: string;
}

export interface StandingPolicy {
  mode: ModelReadingMode;
  /** Names are left out of what is stored of the agent's calls. */
  leavesOutNames: boolean;
  /** How the reader of the agent stands with its model. */
  reader: { troubles: number; pause: { reason: string; nextTryAt: string } | null };
  /** Labels by code, of what a model found: the newest, since a person reset the code. */
  labels: Map<string, ModelLabels>;
  returned: ReturnedCode[];
}

/** What people say now says more of the model that is asked now. */
const NEWEST_LABELS = 50;

/** What the model of an agent may do, as its setting and people's labels have it. */
export async function readModelPolicy(em: EntityManager, agentId: string): Promise<StandingPolicy> {
  const { rows } = await executePlanned(
    em,
    sql<{
      mode: ModelReadingMode;
      leavesOutNames: boolean;
      reader: StandingPolicy['reader'] | null;
      labels: (ModelLabels & { code: string })[];
    }>`
    select a.model_reading as mode, coalesce(a.settings -> 'redaction' -> 'kinds' ? 'name', false) as leaves_out_names, (
      select jsonb_build_object('troubles', r.troubles, 'pause', case when r.trouble is not null then
        jsonb_build_object('reason', r.reason, 'nextTryAt', r.next_try_at) end)
      from model_readers r where r.agent_id = a.id) as reader, coalesce((
      select jsonb_agg(jsonb_build_object('code', code, 'right', "right", 'wrong', wrong) order by code) from (
        select code, count(*) filter (where label = 'right')::int as "right",
          count(*) filter (where label = 'wrong')::int as wrong
        from (
          select l.code, l.label, row_number() over (partition by l.code order by l.updated_at desc, l.call_id) as nth
          from signal_labels l where l.agent_id = a.id and l.basis = 'model'
            and l.updated_at > coalesce((a.settings -> 'modelResets' ->> l.code)::timestamptz, '-infinity')
        ) newest where nth <= ${NEWEST_LABELS} group by code) counted), '[]') as labels
    from agents a where a.id = ${agentId}`,
  );
  const none = { mode: 'off' as const, leavesOutNames: false, labels: [], reader: null };
  const { mode, leavesOutNames, labels, reader } = rows[0] ?? none;
  const returned = labels.flatMap(({ code, right, wrong }): ReturnedCode[] => {
    const reason = whyBackToAssist({ right, wrong });
    return reason === null ? [] : [{ code, right, wrong, reason }];
  });
  return {
    mode,
    leavesOutNames,
    reader: reader ?? { troubles: 0, pause: null },
    labels: new Map(labels.map(({ code, ...counts }) => [code, counts])),
    returned,
  };
}

export const policyOf = ({ mode, returned }: StandingPolicy): ReadingPolicy => ({
  mode,
  returned: new Set(returned.map(({ code }) => code)),
});

export interface KeptReading {
  payloadDigest: string;
  reading: CheckedReading;
  verdicts: readonly ReadVerdict[];
}

/** What a model read on these calls, by call. */
export async function keptReadings(em: EntityManager, callIds: readonly string[]): Promise<Map<string, KeptReading>> {
  const kept = await db(em)
    .selectFrom('model_readings')
    .where('callId', '=', anyId(callIds))
    .where('reading', 'is not', null)
    .where('state', 'in', ['read', 'done'])
    .select(['callId', 'payloadDigest', 'reading'])
    .$narrowType<{ reading: NotNull }>()
    .execute();
  return new Map(
    kept.flatMap(({ callId, payloadDigest, reading: { checked, verdicts = [] } }) =>
      // Readings of releases that asked other questions have none.
      checked ? [[callId, { payloadDigest, reading: checked, verdicts }] as const] : [],
    ),
  );
}

export interface NamesGiven {
  /** Names that readers gave intents, the commonest first. */
  intents: string[];
  /** The agent's intents, those of most calls first. */
  standing: { slug: string; label: string; kept: boolean }[];
  /** Codes outside the catalogue. */
  others: string[];
}

/** What readers have named on the agent's newest calls, and the intents that it has. */
export async function readNamesGiven(em: EntityManager, agentId: string): Promise<NamesGiven> {
  const { rows } = await sql<NamesGiven>`
    with newest as (
      select reading -> 'checked' as checked from model_readings
      where agent_id = ${agentId} and reading -> 'checked' ? 'findings'
      order by call_id desc limit ${NAMED_BY_CALLS}
    ), named as (
      select checked ->> 'intent' as name, count(*) as calls from newest where checked ->> 'intent' is not null
      group by 1 order by 2 desc, 1 limit ${NAMES_READ}
    ), standing as (
      select slug, label, calls, kept_at is not null as kept from intents
      where agent_id = ${agentId} and kind = 'intent' and merged_into_id is null and (calls > 0 or kept_at is not null)
      order by calls desc, slug limit ${NAMES_READ}
    ), others as (
      select distinct f ->> 'code' as code from newest cross join lateral jsonb_array_elements(checked -> 'findings') f
      where f ->> 'code' like 'other.%' order by 1 limit ${NAMES_AT_MOST}
    )
    select coalesce((select jsonb_agg(name order by calls desc, name) from named), '[]') as intents,
      coalesce((select jsonb_agg(jsonb_build_object('slug', slug, 'label', label, 'kept', kept) order by calls desc, slug)
        from standing), '[]') as standing,
      coalesce((select jsonb_agg(code order by code) from others), '[]') as others
  `.execute(db(em));
  return rows[0] ?? { intents: [], standing: [], others: [] };
}

export interface DroppedCount {
  code: string;
  reason: DropReason;
  findings: number;
}

/** Findings of an agent's reader that code could not prove, by code and reason. */
export async function countDropped(em: EntityManager, agentId: string): Promise<DroppedCount[]> {
  const { rows } = await sql<DroppedCount>`
    select d ->> 'code' as code, d ->> 'reason' as reason, count(*)::int as findings
    from model_readings r cross join lateral jsonb_array_elements(r.reading -> 'checked' -> 'dropped') d
    where r.agent_id = ${agentId} and r.reading -> 'checked' ? 'dropped'
    group by 1, 2 order by 1, 3 desc, 2`.execute(db(em));
  return rows;
}

const NAMED_BY_CALLS = 1_000;
const NAMES_AT_MOST = 40;
const NAMES_READ = 100;

/** Codes that people have found right often enough that their findings need no second look. */
export const trustedCodes = ({ labels }: StandingPolicy): Set<string> =>
  new Set([...labels].flatMap(([code, counts]) => (isTrusted(counts) ? [code] : [])));

/**
 * Has the kept readings of an agent derived again by its reader, which asks nothing for it.
 * @param code only those that found it; null: all.
 * @returns how many.
 */
export async function reopenReadings(em: EntityManager, agentId: string, code: string | null): Promise<number> {
  let readings = db(em).updateTable('model_readings').where('agentId', '=', agentId).where('state', '=', 'done');
  if (code !== null) {
    readings = readings.where(sql<boolean>`reading -> 'checked' -> 'findings' @> ${json([{ code }])}`);
  }
  const { numUpdatedRows } = await readings.set({ state: 'read', updatedAt: now }).executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Whether a model's signals stand on calls, or did, that no grouping has seen: others are grouped by whoever stored them. */
export async function isToBeGrouped(em: EntityManager, agentId: string): Promise<boolean> {
  const changed = await db(em)
    .selectFrom('agents')
    .where('id', '=', agentId)
    .whereRef('evidenceRevision', '<>', 'groupedRevision')
    .where((eb) =>
      eb.exists(
        eb.selectFrom('model_readings').where('agentId', '=', agentId).where('state', '=', 'done').select('callId'),
      ),
    )
    .select('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** From now on only what people say after this counts. */
export async function resetModelCodes(em: EntityManager, agentId: string, codes: readonly string[]): Promise<void> {
  await db(em)
    .updateTable('agents')
    .where('id', '=', agentId)
    .set({
      settings: sql`settings || jsonb_build_object('modelResets', coalesce(settings -> 'modelResets', '{}') || (
        select coalesce(jsonb_object_agg(code, clock_timestamp()), '{}') from unnest(${[...codes]}::text[]) as c(code)))`,
      updatedAt: now,
    })
    .execute();
}
