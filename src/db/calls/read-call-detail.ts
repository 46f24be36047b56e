import { sql } from 'kysely';
import type { NormalisedCall } from '../../domain/calls/call.ts';
import type { CallAnalysis } from '../../domain/signals/signal.ts';
import type { IssueClass, Lane, PlaceKind, Severity, SignalBasis } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ofAgents, type ReadScope } from '../read-scope.ts';

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
  basis: SignalBasis;
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
    select call_id, code, klass, lane, severity, confidence, place_kind,
      place_id, place_label, turn_index, quote, detail,
      cause_code, cause_label, cause_detail,
      cause_category, cause_party, basis
    from call_signals where call_id = any(${callIds}::uuid[]) and ${within(scope)} order by call_id, ordinal
  `.execute(db(em));
  return rows;
}

export async function readAnalyses(
  em: EntityManager,
  scope: ReadScope,
  callIds: string[],
): Promise<Map<string, StoredAnalysis>> {
  if (callIds.length === 0) return new Map();
  const { rows } = await sql<{ callId: string; analysis: StoredAnalysis }>`
    select call_id, analysis from call_analyses
    where call_id = any(${callIds}::uuid[]) and ${within(scope)}
  `.execute(db(em));
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
  `.execute(db(em));
  return rows[0]?.call ?? null;
}
