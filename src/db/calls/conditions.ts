import { type Expression, type ExpressionBuilder, expressionBuilder } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import type { Tables } from '../tables.ts';

type Calls = ExpressionBuilder<Tables, 'calls'>;

/** Not analysed, or to be read again: in the words of the index of such calls. */
export const isOpen = (eb: Calls) => eb.or([eb('calls.state', '<>', 'analysed'), eb('calls.reanalyse', '=', true)]);

/** On its way to a reading, its first or another one: what failed is not. */
export const isOnItsWay = (eb: Calls) =>
  eb.and([isOpen(eb), eb.or([eb('calls.state', '=', 'waiting'), eb('calls.reanalyse', '=', true)])]);

/** Whether calls of an agent wait for their first analysis. */
export function hasWaitingCalls(agentId: Expression<string>) {
  const eb = expressionBuilder<Tables>();
  const waiting = eb.selectFrom('calls').where('calls.agentId', '=', agentId).where('calls.state', '=', 'waiting');
  return eb.exists(waiting.where(isOpen).select('calls.id')).$castTo<boolean>();
}

/** For conditions on calls `c`, which stand in statements that are built and in those that are written out alike. */
export const ofCall = expressionBuilder<Tables & { c: Tables['calls'] }, 'c'>();

/** Calls `c` with their intent `i`, and the one `m` that stands for it after a merge. */
export const callsWithIntents = (em: EntityManager) =>
  db(em)
    .selectFrom('calls as c')
    .leftJoin('intents as i', (join) =>
      join.onRef('i.agentId', '=', 'c.agentId').on('i.kind', '=', 'intent').onRef('i.slug', '=', 'c.intentSlug'),
    )
    .leftJoin('intents as m', 'm.id', 'i.mergedIntoId');
