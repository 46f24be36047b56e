import type { NotNull } from 'kysely';
import { type CallerHistory, HISTORY_DAYS } from '../../domain/calls/repeat-calls.ts';
import type { EntityManager } from '../database.ts';
import { anyText } from '../expressions.ts';
import { callsWithIntents } from './conditions.ts';

export interface CallOfCaller extends Omit<CallerHistory, 'earlier'> {
  callerKey: string | null;
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
  const keys = [...new Set(dated.flatMap(({ callerKey }) => callerKey ?? []))];
  const startsMs = dated.map(({ startedAt }) => Date.parse(startedAt ?? ''));
  const earlier = keys.length === 0 ? [] : await readResolved(em, agentId, keys, startsMs);
  const byKey = Map.groupBy(earlier, (row) => row.callerKey);
  return calls.map(({ callerKey, startedAt, direction, intent: own, request: asked }) => {
    if (callerKey === null) return null;
    const before = (byKey.get(callerKey) ?? []).filter((row) => startedAt !== null && row.startedAt < startedAt);
    const earlierCalls = before.map(({ callerKey: _, ...call }) => call);
    return { direction, startedAt, intent: own, request: asked, earlier: earlierCalls };
  });
}

/** Only calls that count as resolved and that the caller made: of the others nothing follows. */
function readResolved(
  em: EntityManager,
  agentId: string,
  keys: readonly string[],
  startsMs: readonly number[],
): Promise<(CallerHistory['earlier'][number] & { callerKey: string | null })[]> {
  const first = new Date(startsMs.reduce((least, ms) => Math.min(least, ms)) - HISTORY_DAYS * 86_400_000);
  const last = new Date(startsMs.reduce((most, ms) => Math.max(most, ms)));
  return callsWithIntents(em)
    .where('c.agentId', '=', agentId)
    .where('c.callerKey', '=', anyText(keys))
    .where('c.state', '=', 'analysed')
    .where('c.outcome', '=', 'resolved')
    .where('c.direction', '<>', 'outbound')
    .where('c.startedAt', '>=', first.toISOString())
    .where('c.startedAt', '<', last.toISOString())
    .select(['c.callerKey', 'c.startedAt', 'c.objective as request', 'c.outcome'])
    .select(({ eb, fn }) => [
      fn.coalesce('m.slug', 'c.intentSlug').as('intent'),
      eb
        .or([eb(fn.coalesce('m.keptAt', 'i.keptAt'), 'is not', null), eb('m.id', 'is not', null)])
        .$castTo<boolean>()
        .as('kept'),
    ])
    .$narrowType<{ startedAt: NotNull; outcome: NotNull }>()
    .execute();
}
