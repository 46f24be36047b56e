import type { NormalisedCall } from '../../domain/calls/call.ts';
import { SIGNAL_COLUMNS } from '../analysis/signal-columns.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId } from '../expressions.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Row } from '../tables.ts';

const COLUMNS = ['callId', ...SIGNAL_COLUMNS] as const;

export type SignalView = Pick<Row<'call_signals'>, (typeof COLUMNS)[number]>;

/** What is stored of an analysis beside its signals. */
export type StoredAnalysis = Row<'call_analyses'>['analysis'];

/** Signals of calls in the order in which they were read. */
export async function readSignals(em: EntityManager, scope: ReadScope, callIds: string[]): Promise<SignalView[]> {
  if (callIds.length === 0) return [];
  return db(em)
    .selectFrom('call_signals')
    .where('callId', '=', anyId(callIds))
    .where('agentId', '=', anyAgent(scope))
    .where('workspaceId', '=', scope.workspaceId)
    .select(COLUMNS)
    .orderBy('callId')
    .orderBy('ordinal')
    .execute();
}

export async function readAnalyses(
  em: EntityManager,
  scope: ReadScope,
  callIds: string[],
): Promise<Map<string, StoredAnalysis>> {
  if (callIds.length === 0) return new Map();
  const rows = await db(em)
    .selectFrom('call_analyses')
    .where('callId', '=', anyId(callIds))
    .where('agentId', '=', anyAgent(scope))
    .where('workspaceId', '=', scope.workspaceId)
    .select(['callId', 'analysis'])
    .execute();
  return new Map(rows.map(({ callId, analysis }) => [callId, analysis]));
}

/** The normalised call, or null once its retention is over. */
export async function readTranscript(
  em: EntityManager,
  scope: ReadScope,
  callId: string,
): Promise<NormalisedCall | null> {
  const transcript = await db(em)
    .selectFrom('transcripts')
    .where('callId', '=', callId)
    .where('agentId', '=', anyAgent(scope))
    .where('workspaceId', '=', scope.workspaceId)
    .select('call')
    .executeTakeFirst();
  return transcript?.call ?? null;
}
