import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import { UNSURE_BELOW } from '../../domain/calls/outcome-confidence.ts';
import { readingNote } from '../../domain/reading/reading-note.ts';
import type { StoredReading } from '../../domain/reading/stored-reading.ts';
import { storable } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, json, now } from '../expressions.ts';
import type { Row, Tables } from '../tables.ts';

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
    .columns(['callId', 'workspaceId', 'agentId', 'payloadDigest', 'model', 'callAt', 'suspected', 'state'])
    .expression((eb) =>
      eb
        .selectFrom('calls as c')
        .innerJoin('agents as g', 'g.id', 'c.agentId')
        .innerJoin('call_analyses as a', 'a.callId', 'c.id')
        .where('c.agentId', '=', owner.agentId)
        .where('c.id', '=', anyId(callIds))
        .where('c.state', '=', 'analysed')
        .where('c.reanalyse', '=', false)
        .where('c.callerSpoke', '=', true)
        .select(['c.id', 'c.workspaceId', 'c.agentId', 'c.payloadDigest'])
        .select([eb.cast<string>(eb.val(model), 'text').as('model'), 'c.sortAt', isSuspected.as('suspected')])
        .select(
          eb
            .case()
            .when(isInShare(isSuspected, sql.ref('c.id')))
            .then('waiting' as const)
            .else('left' as const)
            .end()
            .as('state'),
        ),
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
            .when(eb.or([eb.not(isSame), eb('model_readings.state', '=', 'left')]))
            .then(eb.ref('excluded.state'))
            .when(isDone)
            .then('read' as const)
            .else(eb.ref('model_readings.state'))
            .end(),
          asks: eb.case().when(isSame).then(eb.ref('model_readings.asks')).else(0).end(),
          note: eb.case().when(isSame).then(eb.ref('model_readings.note')).end(),
          reading: eb.case().when(isSame).then(eb.ref('model_readings.reading')).end(),
          forgiven: eb.case().when(isSame).then(eb.ref('model_readings.forgiven')).else(0).end(),
          payloadDigest: eb.ref('excluded.payloadDigest'),
          model: eb.case().when(isAnswered).then(eb.ref('model_readings.model')).else(eb.ref('excluded.model')).end(),
          callAt: eb.ref('excluded.callAt'),
          suspected: eb.ref('excluded.suspected'),
          updatedAt: now,
        };
      }),
    )
    .execute();
}

/** Rules found or suspect something on a call, or are not sure how it ended. */
const isSuspected = sql<boolean>`(cardinality(c.signal_codes) > 0 or c.outcome is null
  or coalesce(c.outcome_confidence, 0) < ${sql.lit(UNSURE_BELOW)}
  or a.analysis -> 'observations' @> '[{"kind": "candidate"}]')`;

/** Of 10,000 numbers the one that a call has for good, so that a larger share holds all calls of a smaller one. */
const lotOf = (callId: RawBuilder<unknown>) =>
  sql<number>`(('x' || substr(md5(${callId}::text), 1, 8))::bit(32)::bigint % 10000)`;

/** Whether a call is one of those that the setting of its agent, `g`, has read. */
const isInShare = (suspected: RawBuilder<unknown>, callId: RawBuilder<unknown>) =>
  sql<boolean>`(g.model_share = 'all' or ${suspected} or ${lotOf(callId)} < g.model_share_percent * 100)`;

export interface HistoryToRead {
  /** Calls that began since then. */
  from: string | null;
  /** Calls that began before that. */
  to: string | null;
  /** At most so many. */
  newest: number;
}

/** Analysed calls that no model read, or is about to read, newest first. */
const unreadCalls = (agentId: string, { from, to, newest }: HistoryToRead) => sql`
  select c.id, c.workspace_id, c.agent_id, c.payload_digest, c.sort_at, ${isSuspected} as suspected
  from calls c join call_analyses a on a.call_id = c.id left join model_readings r on r.call_id = c.id
  where c.agent_id = ${agentId} and c.state = 'analysed' and not c.reanalyse and c.caller_spoke and not c.words_gone
    and (r.call_id is null or r.state in ('left', 'dropped'))
    and c.sort_at >= coalesce(${from}::timestamptz, '-infinity') and c.sort_at < coalesce(${to}::timestamptz, 'infinity')
  order by c.sort_at desc, c.id desc limit ${newest}`;

export async function countHistory(em: EntityManager, agentId: string, selection: HistoryToRead): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select count(*)::int as calls from (${unreadCalls(agentId, selection)}) unread`.execute(db(em));
  return rows[0]?.calls ?? 0;
}

/** Has earlier calls read by the model, whatever the share says. What waits, was read or is being read stays as it is. */
export async function queueHistory(
  em: EntityManager,
  owner: { agentId: string },
  selection: HistoryToRead,
  model: string,
): Promise<void> {
  await sql`
    insert into model_readings as r
      (call_id, workspace_id, agent_id, payload_digest, model, call_at, suspected, ordered)
    select id, workspace_id, agent_id, payload_digest, ${model}, sort_at, suspected, true
    from (${unreadCalls(owner.agentId, selection)}) unread
    on conflict (call_id) do update set state = 'waiting', asks = 0, forgiven = 0, note = null, gave_nothing = false,
      payload_digest = excluded.payload_digest, model = excluded.model, call_at = excluded.call_at,
      suspected = excluded.suspected, ordered = true, updated_at = now()
    where r.state in ('left', 'dropped')`.execute(db(em));
}

/** Calls that wait, or were left, as the agent's share has it now. What was read stays read. */
export async function fitToShare(em: EntityManager, agentId: string): Promise<void> {
  const isIn = isInShare(sql.ref('r.suspected'), sql.ref('r.call_id'));
  await sql`
    update model_readings r set state = case when ${isIn} then 'waiting' else 'left' end, updated_at = now()
    from agents g where g.id = r.agent_id and r.agent_id = ${agentId} and r.state in ('waiting', 'left')
      and not r.ordered and (r.state = 'waiting') <> ${isIn}`.execute(db(em));
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
 * Calls whose reading by a model is open: those that something points at before others, newer ones before older.
 * @param asks whether a model can be asked; what was answered is laid without one.
 */
export async function openModelReadings(
  em: EntityManager,
  agentId: string,
  limit: number,
  asks: boolean,
): Promise<OpenCall[]> {
  return openReadings(em, agentId)
    .innerJoin('agents as g', 'g.id', 'r.agentId')
    .where((eb) => {
      const toAsk = eb.and([
        eb('r.state', '=', 'waiting'),
        eb('r.batchId', 'is', null),
        eb('g.modelReading', '<>', 'off'),
      ]);
      return asks ? eb.or([eb('r.state', '=', 'read'), toAsk]) : eb('r.state', '=', 'read');
    })
    .select(['r.callId', 'c.version'])
    .orderBy('r.suspected', 'desc')
    .orderBy('r.callAt', 'desc')
    .orderBy('r.callId', 'desc')
    .limit(limit)
    .execute();
}

export interface OpenCall {
  callId: string;
  /** Of the agent. */
  version: number;
}

/** The call on which it is tried whether the model answers again: another one each time, as one may be the trouble itself. */
export async function callToTry(em: EntityManager, agentId: string): Promise<OpenCall | null> {
  const call = await openReadings(em, agentId)
    .where('r.state', '=', 'waiting')
    .where('r.batchId', 'is', null)
    .select(['r.callId', 'c.version'])
    .orderBy('r.asks')
    .orderBy('r.callAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return call ?? null;
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

type OfReading = 'state' | 'asks' | 'forgiven' | 'workspaceId' | 'payloadDigest' | 'model' | 'reading';

export interface OpenReading extends Pick<Row<'model_readings'>, OfReading> {
  callerSpoke: boolean;
}

/** How far the reading of a call is. Null where there is nothing to read any more, or its record waits for the rules. */
export async function loadOpenReading(em: EntityManager, agentId: string, callId: string): Promise<OpenReading | null> {
  const open = await openReadings(em, agentId)
    .where('r.callId', '=', callId)
    .select([
      'r.state',
      'r.asks',
      'r.forgiven',
      'r.workspaceId',
      'r.payloadDigest',
      'r.model',
      'r.reading',
      'c.callerSpoke',
    ])
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

/** The last question leaves the call its tries: it was the model's trouble. */
export async function forgiveAsk(em: EntityManager, callId: string): Promise<void> {
  await readingOf(em, callId)
    .set((eb) => ({ forgiven: eb('forgiven', '+', 1), updatedAt: now }))
    .execute();
}

/** What questions took and cost, in billionths of a US dollar. */
export type Spent = Pick<
  Row<'model_readings'>,
  'chargedNanoUsd' | 'inputTokens' | 'cachedInputTokens' | 'outputTokens'
>;

export const NOTHING_SPENT: Spent = { chargedNanoUsd: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

/** What questions cost that brought nothing. */
export async function addSpent(em: EntityManager, callId: string, spent: Spent): Promise<void> {
  await readingOf(em, callId)
    .set((eb) => more(eb, spent))
    .execute();
}

const more = (eb: ExpressionBuilder<Tables, 'model_readings'>, spent: Spent) => ({
  chargedNanoUsd: eb('chargedNanoUsd', '+', spent.chargedNanoUsd),
  inputTokens: eb('inputTokens', '+', spent.inputTokens),
  cachedInputTokens: eb('cachedInputTokens', '+', spent.cachedInputTokens),
  outputTokens: eb('outputTokens', '+', spent.outputTokens),
});

/**
 * Keeps what was answered: whole once nothing is open any more.
 * @param of the record that it was read from (another that came meanwhile is not closed by it), and the model that read it.
 */
export async function keepReading(
  em: EntityManager,
  callId: string,
  of: { payloadDigest: string; model: string; spent: Spent },
  reading: StoredReading,
): Promise<void> {
  const { checked } = reading;
  await readingOf(em, callId)
    .where('payloadDigest', '=', of.payloadDigest)
    .where('state', 'in', ['waiting', 'read'])
    .set((eb) => ({
      ...more(eb, of.spent),
      state: checked ? 'read' : 'waiting',
      model: of.model,
      reading: json(storable(reading)),
      // Each question has its own three tries.
      asks: 0,
      forgiven: 0,
      note: checked && readingNote(checked),
      updatedAt: now,
    }))
    .execute();
}

/** Given up, with the reason. What the rules said stands. @param gaveNothing over what the model answered. */
export async function dropReading(
  em: EntityManager,
  callId: string,
  of: { payloadDigest: string; note: string; gaveNothing: boolean },
): Promise<void> {
  await readingOf(em, callId)
    .where('payloadDigest', '=', of.payloadDigest)
    .where('state', '=', 'waiting')
    .set({ state: 'dropped', note: of.note, gaveNothing: of.gaveNothing, updatedAt: now })
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
