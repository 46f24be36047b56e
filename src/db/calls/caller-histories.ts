import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type CallerHistory, HISTORY_DAYS } from '../../domain/calls/caller-history.ts';
import type { Outcome } from '../../domain/vocabulary.ts';
import { toIso, toIsoOrNull } from '../convert.ts';

export interface CallOfCaller extends Omit<CallerHistory, 'earlier'> {
  callerKey: string | null;
}

interface EarlierRow {
  caller_key: string;
  started_at: string;
  intent: string | null;
  kept: boolean;
  request: string | null;
  outcome: Outcome;
}

/**
 * What the record knows now of the other calls of these calls' callers, in the order asked for; null where no caller is
 * known. Read in one statement over the time that the calls span, and shared by the calls of one caller.
 */
export async function loadHistories(
  em: EntityManager,
  agentId: string,
  calls: readonly CallOfCaller[],
): Promise<(CallerHistory | null)[]> {
  const dated = calls.filter(({ callerKey, startedAt }) => callerKey !== null && startedAt !== null);
  const keys = [...new Set(dated.map(({ callerKey }) => callerKey))];
  const startsMs = dated.map(({ startedAt }) => Date.parse(startedAt ?? ''));
  const earlier = keys.length === 0 ? [] : await readResolved(em, agentId, keys, startsMs);
  const byKey = Map.groupBy(earlier, (row) => row.caller_key);
  return calls.map(({ callerKey, startedAt, direction, intent: own, request: asked }) => {
    if (callerKey === null) return null;
    const start = toIsoOrNull(startedAt);
    const before = (byKey.get(callerKey) ?? []).filter((row) => start !== null && row.started_at < start);
    const earlierCalls = before.map(({ started_at, ...call }) => ({
      startedAt: started_at,
      intent: call.intent,
      kept: call.kept,
      request: call.request,
      outcome: call.outcome,
    }));
    return { direction, startedAt: start, intent: own, request: asked, earlier: earlierCalls };
  });
}

/** Only calls that count as resolved and that the caller made: of the others nothing follows. */
async function readResolved(
  em: EntityManager,
  agentId: string,
  keys: readonly (string | null)[],
  startsMs: readonly number[],
): Promise<EarlierRow[]> {
  const first = new Date(startsMs.reduce((least, ms) => Math.min(least, ms)) - HISTORY_DAYS * 86_400_000);
  const last = new Date(startsMs.reduce((most, ms) => Math.max(most, ms)));
  const { rows } = await sql<EarlierRow>`
    select c.caller_key, c.started_at, coalesce(m.slug, c.intent_slug) as intent,
      coalesce(m.kept_at, i.kept_at) is not null or m.id is not null as kept, c.objective as request, c.outcome
    from calls c
    left join intents i on i.agent_id = c.agent_id and i.kind = 'intent' and i.slug = c.intent_slug
    left join intents m on m.id = i.merged_into_id
    where c.agent_id = ${agentId} and c.caller_key = any(${keys}::text[]) and c.state = 'analysed'
      and c.outcome = 'resolved' and c.direction <> 'outbound'
      and c.started_at >= ${first.toISOString()} and c.started_at < ${last.toISOString()}`.execute(em.getKysely());
  return rows.map((row) => ({ ...row, started_at: toIso(row.started_at) }));
}
