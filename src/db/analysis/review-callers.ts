import { sql } from 'kysely';
import { repeatVerdict } from '../../domain/calls/caller-history.ts';
import { repeatCallSameIntent } from '../../domain/signals/detectors/repeat-call-same-intent.ts';
import { renewHistory } from '../../domain/signals/renew-history.ts';
import type { Thresholds } from '../../domain/signals/signal.ts';
import { loadAgentSource } from '../agents/agent-source.ts';
import { lockAgent } from '../agents/lock-agent.ts';
import { type CallOfCaller, loadHistories } from '../calls/caller-histories.ts';
import { callsWithIntents } from '../calls/conditions.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyText, json } from '../expressions.ts';
import { renewStanding } from './renew-standing.ts';

interface Owner {
  workspaceId: string;
  agentId: string;
}

const CALLERS_AT_ONCE = 100;
const READINGS_AT_ONCE = 100;
const { code, thresholds: usual } = repeatCallSameIntent.entry;

/**
 * Brings the readings of callers' calls to what is known now of their other calls. Because it compares what should be
 * with what is, neither the order of imports nor of discoveries, renames and merges makes a difference. A page is one
 * transaction under the agent's lock and ends with its callers off the list, so storing it lists nobody anew.
 * @returns calls whose reading changed.
 */
export async function reviewCallers(em: EntityManager, owner: Owner): Promise<number> {
  let changed = 0;
  for (;;) {
    const page = await em.transactional((tx) => reviewPage(tx, owner));
    changed += page.changed;
    if (page.callers < CALLERS_AT_ONCE) return changed;
  }
}

async function reviewPage(em: EntityManager, owner: Owner): Promise<{ callers: number; changed: number }> {
  const { agentId } = owner;
  await lockAgent(em, agentId);
  const callers = await db(em)
    .selectFrom('callers_to_review')
    .where('agentId', '=', agentId)
    .select('callerKey')
    .orderBy('callerKey')
    .limit(CALLERS_AT_ONCE)
    .execute();
  if (callers.length === 0) return { callers: 0, changed: 0 };
  const callerKeys = callers.map(({ callerKey }) => callerKey);
  const thresholds = (await loadAgentSource(em, agentId))?.thresholds ?? {};
  const doubtful = await callsInDoubt(em, agentId, callerKeys, thresholds);
  let changed = 0;
  for (let at = 0; at < doubtful.length; at += READINGS_AT_ONCE) {
    const histories = new Map(doubtful.slice(at, at + READINGS_AT_ONCE).map(({ id, history }) => [id, history]));
    changed += await renewStanding(em, owner, [...histories.keys()], (reading, callId) => {
      const history = histories.get(callId);
      return history ? renewHistory(reading, history, thresholds) : null;
    });
  }
  await db(em)
    .deleteFrom('callers_to_review')
    .where('agentId', '=', agentId)
    .where('callerKey', '=', anyText(callerKeys))
    .execute();
  return { callers: callers.length, changed };
}

type CallInDoubt = CallOfCaller & { id: string; marked: boolean; history: NonNullable<Histories[number]> };
type Histories = Awaited<ReturnType<typeof loadHistories>>;

const isMarked = sql<boolean>`(${code} = any(c.signal_codes) or coalesce(p.not_computable @> ${json([{ code }])}, false))`;

/** Calls whose reading says something of the caller's other calls, or might have to. A call that waits to be read again will be read with its history. */
async function callsInDoubt(
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
