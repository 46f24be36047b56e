import { type Expression, expressionBuilder } from 'kysely';
import type { ImportKind } from '../../domain/vocabulary.ts';
import { anyText } from '../expressions.ts';
import type { Tables } from '../tables.ts';

const HISTORY: readonly ImportKind[] = ['first', 'manual', 'file'];

/** Whether an import goes on that brings an agent calls of its past: until it ends the board is not what it will be. */
export function isHistoryOnItsWay(agentId: Expression<string>) {
  const eb = expressionBuilder<Tables>();
  return eb.exists(
    eb
      .selectFrom('imports as history')
      .where('history.agentId', '=', agentId)
      .where('history.kind', '=', anyText(HISTORY))
      .where('history.status', 'in', ['queued', 'running'])
      .select('history.id'),
  );
}
