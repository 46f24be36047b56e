import { sql } from 'kysely';
import type { NormalisedCall } from '../../domain/calls/call.ts';
import type { CallAnalysis } from '../../domain/signals/call-analysis.ts';
import type { ModelReading, ReadByRules } from '../../domain/signals/model-reading.ts';
import type { Outcome } from '../../domain/vocabulary.ts';
import { storable } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, json, now } from '../expressions.ts';
import type { Row } from '../tables.ts';

/**
 * Notes that these calls were read by rules and are a model's turn. A call whose record and model are those of the
 * reading that it has is not asked about again: that reading is laid beside the rules' new one.
 */
export async function queueModelReadings(
  em: EntityManager,
  owner: { workspaceId: string; agentId: string },
  callIds: string[],
  model: string,
): Promise<void> {
  await db(em)
    .insertInto('model_readings')
    .columns(['callId', 'workspaceId', 'agentId', 'payloadDigest', 'model'])
    .expression((eb) =>
      eb
        .selectFrom('calls')
        .where('agentId', '=', owner.agentId)
        .where('id', '=', anyId(callIds))
        .where('state', '=', 'analysed')
        .where('reanalyse', '=', false)
        .where('callerSpoke', '=', true)
        .select(['id', 'workspaceId', 'agentId', 'payloadDigest', eb.cast<string>(eb.val(model), 'text').as('model')]),
    )
    .onConflict((conflict) =>
      conflict.column('callId').doUpdateSet((eb) => {
        const isSame = eb.and([
          eb('model_readings.payloadDigest', '=', eb.ref('excluded.payloadDigest')),
          eb('model_readings.model', '=', eb.ref('excluded.model')),
        ]);
        const isDone = eb('model_readings.state', '=', 'done');
        return {
          state: eb
            .case()
            .when(eb.not(isSame))
            .then('waiting' as const)
            .when(isDone)
            .then('read' as const)
            .else(eb.ref('model_readings.state'))
            .end(),
          asks: eb.case().when(isSame).then(eb.ref('model_readings.asks')).else(0).end(),
          note: eb.case().when(isSame).then(eb.ref('model_readings.note')).end(),
          reading: eb.case().when(isSame).then(eb.ref('model_readings.reading')).end(),
          payloadDigest: eb.ref('excluded.payloadDigest'),
          model: eb.ref('excluded.model'),
          updatedAt: now,
        };
      }),
    )
    .execute();
}

/** Readings whose record is still the one that the rules read. */
const openReadings = (em: EntityManager, agentId: string) =>
  db(em)
    .selectFrom('model_readings as r')
    .innerJoin('calls as c', (join) =>
      join.onRef('c.id', '=', 'r.callId').onRef('c.payloadDigest', '=', 'r.payloadDigest'),
    )
    .where('r.agentId', '=', agentId)
    .where('c.state', '=', 'analysed')
    .where('c.reanalyse', '=', false);

/**
 * Calls whose reading by a model is open, newest first.
 * @param asks whether a model can be asked; what was answered is laid without one.
 */
export async function openModelReadings(
  em: EntityManager,
  agentId: string,
  limit: number,
  asks: boolean,
): Promise<string[]> {
  const open = await openReadings(em, agentId)
    .innerJoin('agents as g', 'g.id', 'r.agentId')
    .where((eb) => {
      const toAsk = eb.and([eb('r.state', '=', 'waiting'), eb('g.modelReading', '<>', 'off')]);
      return asks ? eb.or([eb('r.state', '=', 'read'), toAsk]) : eb('r.state', '=', 'read');
    })
    .select('r.callId')
    .orderBy('r.callId', 'desc')
    .limit(limit)
    .execute();
  return open.map(({ callId }) => callId);
}

export async function countOpenModelReadings(em: EntityManager, agentId: string): Promise<number> {
  const { calls } = await db(em)
    .selectFrom('model_readings')
    .where('agentId', '=', agentId)
    .where('state', 'in', ['waiting', 'read'])
    .select(({ fn }) => fn.countAll<number>().as('calls'))
    .executeTakeFirstOrThrow();
  return calls;
}

type OfReading = 'state' | 'asks' | 'workspaceId' | 'payloadDigest' | 'model' | 'reading';

export interface OpenReading extends Pick<Row<'model_readings'>, OfReading> {
  call: NormalisedCall;
  analysis: ReadByRules & { outcome: Outcome | null; outcomeConfidence: number };
}

/** A call as a model is to read it. Null where there is nothing to read any more, or its record changed and waits for the rules. */
export async function loadOpenReading(em: EntityManager, agentId: string, callId: string): Promise<OpenReading | null> {
  const open = await openReadings(em, agentId)
    .innerJoin('transcripts as t', 't.callId', 'r.callId')
    .innerJoin('call_analyses as a', 'a.callId', 'r.callId')
    .where('r.callId', '=', callId)
    .select(['r.state', 'r.asks', 'r.workspaceId', 'r.payloadDigest', 'r.model', 'r.reading', 't.call'])
    .select(readByRules.as('analysis'))
    .executeTakeFirst();
  return open ?? null;
}

const readByRules = sql<OpenReading['analysis']>`jsonb_build_object('callerSpoke', c.caller_spoke,
  'outcome', coalesce(a.analysis -> 'byRules', a.analysis) -> 'outcome',
  'outcomeConfidence', coalesce(a.analysis -> 'byRules', a.analysis) -> 'outcomeConfidence',
  'observations', a.analysis -> 'observations',
  'signals', coalesce((
    select jsonb_agg(jsonb_build_object('code', code, 'klass', klass, 'turnIndex', turn_index, 'detail', detail,
      'cause', cause_code) order by ordinal)
    from call_signals s where s.call_id = c.id and s.basis = 'rules'), '[]'))`;

const readingOf = (em: EntityManager, callId: string) =>
  db(em).updateTable('model_readings').where('callId', '=', callId);

/** Notes that a question is begun, so that no process asks a fourth time whatever happened to the three before. */
export async function beginAsk(em: EntityManager, callId: string, ask: number): Promise<void> {
  await readingOf(em, callId)
    .set((eb) => ({ asks: eb.fn<number>('greatest', ['asks', eb.val(ask)]), updatedAt: now }))
    .execute();
}

/** @param of the record that it was read from (another that came meanwhile is not closed by it), and the model that read it. */
export async function keepReading(
  em: EntityManager,
  callId: string,
  of: { payloadDigest: string; model: string },
  reading: ModelReading,
): Promise<void> {
  await readingOf(em, callId)
    .where('payloadDigest', '=', of.payloadDigest)
    .where('state', '=', 'waiting')
    .set({ state: 'read', model: of.model, reading: json(storable(reading)), note: null, updatedAt: now })
    .execute();
}

/** Given up, with the reason. What the rules said stands. */
export async function dropReading(
  em: EntityManager,
  callId: string,
  payloadDigest: string,
  note: string,
): Promise<void> {
  await readingOf(em, callId)
    .where('payloadDigest', '=', payloadDigest)
    .where('state', '=', 'waiting')
    .set({ state: 'dropped', note, updatedAt: now })
    .execute();
}

/** Given up by whoever does not know the record that it was to be read from. */
export async function dropOpenReading(em: EntityManager, callId: string, note: string): Promise<void> {
  await readingOf(em, callId)
    .where('state', 'in', ['waiting', 'read'])
    .set({ state: 'dropped', note, updatedAt: now })
    .execute();
}

export async function writeObservations(
  em: EntityManager,
  callId: string,
  observations: CallAnalysis['observations'],
): Promise<void> {
  await db(em)
    .updateTable('call_analyses')
    .where('callId', '=', callId)
    .set({ analysis: sql`jsonb_set(analysis, '{observations}', ${json(storable(observations))})` })
    .execute();
}

/** @param objective null: as the rules have it. */
export async function writeObjective(em: EntityManager, callId: string, objective: string | null): Promise<void> {
  await db(em)
    .updateTable('calls')
    .from('call_analyses as a')
    .where('calls.id', '=', callId)
    .whereRef('a.callId', '=', 'calls.id')
    .set(({ fn, ref, val }) => ({
      objective: fn.coalesce(val(objective), ref('a.analysis', '->>').key('objective')),
      updatedAt: now,
    }))
    .execute();
}

export async function markLaid(em: EntityManager, callId: string): Promise<void> {
  await readingOf(em, callId).set({ state: 'done', updatedAt: now }).execute();
}
