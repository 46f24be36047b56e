import { sql } from 'kysely';
import type { NormalisedCall } from '../../domain/calls/call.ts';
import type { CallAnalysis } from '../../domain/signals/signal.ts';
import type { IssueClass, Lane, PlaceKind, Severity } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { ofAgents, type ReadScope } from './read-scope.ts';

export interface SignalView {
  callId: string;
  code: string;
  klass: IssueClass;
  lane: Lane | null;
  severity: Severity;
  confidence: number;
  placeKind: PlaceKind;
  placeId: string;
  placeLabel: string;
  turnIndex: number;
  quote: string;
  detail: string;
  causeCode: string | null;
  causeLabel: string | null;
  causeDetail: string | null;
  causeCategory: string | null;
  causeParty: string | null;
}

/** What is stored of an analysis beside its signals. */
export type StoredAnalysis = Omit<CallAnalysis, 'signals' | 'notComputable' | 'visits'>;

const within = (scope: ReadScope) => sql`
  ${ofAgents('agent_id', scope)} and workspace_id = ${scope.workspaceId}
`;

/** Signals of calls in the order in which they were read. */
export async function readSignals(em: EntityManager, scope: ReadScope, callIds: string[]): Promise<SignalView[]> {
  if (callIds.length === 0) return [];
  const { rows } = await sql<SignalView>`
    select call_id as "callId", code, klass, lane, severity, confidence, place_kind as "placeKind",
      place_id as "placeId", place_label as "placeLabel", turn_index as "turnIndex", quote, detail,
      cause_code as "causeCode", cause_label as "causeLabel", cause_detail as "causeDetail",
      cause_category as "causeCategory", cause_party as "causeParty"
    from call_signals where call_id = any(${callIds}::uuid[]) and ${within(scope)} order by call_id, ordinal
  `.execute(em.getKysely());
  return rows;
}

export async function readAnalyses(
  em: EntityManager,
  scope: ReadScope,
  callIds: string[],
): Promise<Map<string, StoredAnalysis>> {
  if (callIds.length === 0) return new Map();
  const { rows } = await sql<{ callId: string; analysis: StoredAnalysis }>`
    select call_id as "callId", analysis from call_analyses
    where call_id = any(${callIds}::uuid[]) and ${within(scope)}
  `.execute(em.getKysely());
  return new Map(rows.map((row) => [row.callId, row.analysis]));
}

/** The normalised call, or null once its retention is over. */
export async function readTranscript(
  em: EntityManager,
  scope: ReadScope,
  callId: string,
): Promise<NormalisedCall | null> {
  const { rows } = await sql<{ call: NormalisedCall }>`
    select call from transcripts where call_id = ${callId} and ${within(scope)}
  `.execute(em.getKysely());
  return rows[0]?.call ?? null;
}
