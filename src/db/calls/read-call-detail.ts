import { sql } from 'kysely';
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
  const transcript = await transcriptOf(em, scope, callId).select('call').executeTakeFirst();
  return transcript?.call ?? null;
}

/**
 * The same with some of its turns, so that a call of megabytes is neither sent nor read as a whole.
 * @param page how many turns to pass over, and how many to read at most.
 */
export async function readTranscriptPage(
  em: EntityManager,
  scope: ReadScope,
  callId: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ call: NormalisedCall; turns: number } | null> {
  const place = sql`jsonb_build_object('from', ${after}::int, 'to', ${after + limit - 1}::int)`;
  const turns = sql`jsonb_path_query_array(call, '$.turns[$from to $to]', ${place})`;
  const found = await transcriptOf(em, scope, callId)
    .select(sql<NormalisedCall>`(call - 'turns') || jsonb_build_object('turns', ${turns})`.as('call'))
    .select(sql<number>`jsonb_array_length(call -> 'turns')`.as('turns'))
    .executeTakeFirst();
  return found ?? null;
}

const transcriptOf = (em: EntityManager, scope: ReadScope, callId: string) =>
  db(em)
    .selectFrom('transcripts')
    .where('callId', '=', callId)
    .where('agentId', '=', anyAgent(scope))
    .where('workspaceId', '=', scope.workspaceId);
