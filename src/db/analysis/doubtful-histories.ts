import { sql } from 'kysely';
import { repeatVerdict } from '../../domain/calls/repeat-calls.ts';
import type { Thresholds } from '../../domain/signals/detector-input.ts';
import { REPEAT_CALL_SAME_INTENT } from '../../domain/signals/entries/callers.ts';
import { type CallOfCaller, loadHistories } from '../calls/caller-histories.ts';
import { callsWithIntents } from '../calls/conditions.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyText, json } from '../expressions.ts';

const { code, thresholds: usual } = REPEAT_CALL_SAME_INTENT;

type CallInDoubt = CallOfCaller & { id: string; marked: boolean; history: NonNullable<Histories[number]> };
type Histories = Awaited<ReturnType<typeof loadHistories>>;

const isMarked = sql<boolean>`(${code} = any(c.signal_codes) or coalesce(p.not_computable @> ${json([{ code }])}, false))`;

/** Those whose callers' other calls are to be looked at anew, in the order of their keys. */
export async function callersToReview(em: EntityManager, agentId: string, limit: number): Promise<string[]> {
  const callers = await db(em)
    .selectFrom('callers_to_review')
    .where('agentId', '=', agentId)
    .select('callerKey')
    .orderBy('callerKey')
    .limit(limit)
    .execute();
  return callers.map(({ callerKey }) => callerKey);
}

export async function dropReviewed(em: EntityManager, agentId: string, callerKeys: readonly string[]): Promise<void> {
  await db(em)
    .deleteFrom('callers_to_review')
    .where('agentId', '=', agentId)
    .where('callerKey', '=', anyText(callerKeys))
    .execute();
}

/** Calls whose reading says something of the caller's other calls, or might have to. A call that waits to be read again will be read with its history. */
export async function callsOfDoubtfulHistory(
  em: EntityManager,
  agentId: string,
  callerKeys: readonly string[],
  thresholds: Thresholds,
): Promise<CallInDoubt[]> {
  const rows = await callsWithIntents(em)
    .leftJoin('computability_profiles as p', 'p.id', 'c.profileId')
    .where('c.agentId', '=', agentId)
    .where('c.callerKey', '=', anyText(callerKeys))
    .where('c.state', '=', 'analysed')
    .where('c.reanalyse', '=', false)
    .select(['c.id', 'c.callerKey', 'c.startedAt', 'c.direction', 'c.objective as request'])
    .select(({ fn }) => [fn.coalesce('m.slug', 'c.intentSlug').as('intent'), isMarked.as('marked')])
    .orderBy('c.id')
    .execute();
  const histories = await loadHistories(em, agentId, rows);
  const withinDays = thresholds[code]?.['withinDays'] ?? usual['withinDays'] ?? 0;
  return rows.flatMap((call, at) => {
    const history = histories[at];
    if (!history) return [];
    const { startedAt } = history;
    const says = startedAt !== null && repeatVerdict({ ...history, startedAt }, withinDays).verdict !== 'none';
    return call.marked || says ? [{ ...call, history }] : [];
  });
}
