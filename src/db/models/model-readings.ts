import { sql } from 'kysely';
import type { StoredReading } from '../../domain/reading/stored-reading.ts';
import { storable } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, json, now } from '../expressions.ts';
import type { Row } from '../tables.ts';

/**
 * Notes that these calls were read by rules and are a model's turn. A call whose record is that of the reading that it
 * has is not asked about again, whichever model is configured by now: that reading is laid beside the rules' new one.
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
        // A reading of a release that asked other questions has no answers and is asked about anew.
        const isAnswered = sql<boolean>`coalesce(model_readings.reading ? 'answers', false)`;
        const isSame = eb.and([
          eb('model_readings.payloadDigest', '=', eb.ref('excluded.payloadDigest')),
          eb.or([
            isAnswered,
            eb.and([
              eb('model_readings.model', '=', eb.ref('excluded.model')),
              eb('model_readings.state', '<>', 'done'),
            ]),
          ]),
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
          model: eb.case().when(isAnswered).then(eb.ref('model_readings.model')).else(eb.ref('excluded.model')).end(),
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
  callerSpoke: boolean;
}

/** How far the reading of a call is. Null where there is nothing to read any more, or its record waits for the rules. */
export async function loadOpenReading(em: EntityManager, agentId: string, callId: string): Promise<OpenReading | null> {
  const open = await openReadings(em, agentId)
    .where('r.callId', '=', callId)
    .select(['r.state', 'r.asks', 'r.workspaceId', 'r.payloadDigest', 'r.model', 'r.reading', 'c.callerSpoke'])
    .executeTakeFirst();
  return open ?? null;
}

const readingOf = (em: EntityManager, callId: string) =>
  db(em).updateTable('model_readings').where('callId', '=', callId);

/** Notes that a question is begun, so that no process asks a fourth time whatever happened to the three before. */
export async function beginAsk(em: EntityManager, callId: string, ask: number): Promise<void> {
  await readingOf(em, callId)
    .set((eb) => ({ asks: eb.fn<number>('greatest', ['asks', eb.val(ask)]), updatedAt: now }))
    .execute();
}

/**
 * Keeps what was answered: whole once nothing is open any more.
 * @param of the record that it was read from (another that came meanwhile is not closed by it), and the model that read it.
 */
export async function keepReading(
  em: EntityManager,
  callId: string,
  of: { payloadDigest: string; model: string },
  reading: StoredReading,
): Promise<void> {
  const isWhole = reading.checked !== null;
  await readingOf(em, callId)
    .where('payloadDigest', '=', of.payloadDigest)
    .where('state', 'in', ['waiting', 'read'])
    .set({
      state: isWhole ? 'read' : 'waiting',
      model: of.model,
      reading: json(storable(reading)),
      // Each question has its own three tries.
      asks: 0,
      note: null,
      updatedAt: now,
    })
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

export async function markLaid(em: EntityManager, callId: string): Promise<void> {
  await readingOf(em, callId).set({ state: 'done', updatedAt: now }).execute();
}
