import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Evidence } from '../../domain/issues/evidence.ts';
import type { CallFacts } from '../../domain/issues/ledger.ts';
import type { CallAnalysis } from '../../domain/signals/signal.ts';
import type { Direction } from '../../domain/vocabulary.ts';
import { NO_START_TIME } from '../calls/entities.ts';
import type { CallSlugs } from '../intents/name-intents.ts';
import type { StandingCall } from './analysis-context.ts';

export interface AnalysedCall extends CallFacts {
  standing: StandingCall;
  analysis: CallAnalysis;
  endedAt: string | null;
  direction: Direction;
  disconnectionReason: string;
  costUsd: number | null;
  callerKey: string | null;
  visitSetId: string;
  slugs: CallSlugs;
  evidence: Evidence[];
  /** Of the reading that the call had before. */
  oldEvidence: Evidence[];
}

/** The calls with what was read on them: old signals and links out, new ones in. Two statements, three where calls were read before. */
export async function writeReadings(
  em: EntityManager,
  { workspaceId, agentId }: { workspaceId: string; agentId: string },
  calls: AnalysedCall[],
): Promise<void> {
  const again = calls.filter((call) => call.standing.state === 'analysed').map((call) => call.standing.id);
  if (again.length > 0) await removeReadings(em, again, calls);
  await sql`
    with facts as (
      select * from jsonb_to_recordset(${JSON.stringify(calls.map(callRow))}::jsonb) as f(id uuid, version int,
        started_at timestamptz, ended_at timestamptz, duration_ms int, direction text, disconnection_reason text,
        cost_usd float8, caller_key text, outcome text, outcome_confidence float8, bad_ending_score float8,
        ended_badly boolean, caller_spoke boolean, objective text, intent_slug text, request_intents text[], use_case_slug text,
        sub_use_case_slug text, persona_slug text, turns int, caller_turns int, agent_turns int, tool_failures int,
        tool_results int, frictions int, response_median_ms int, response_slow_ms int, signal_codes text[], profile_id uuid, visit_set_id uuid, analyser_version int)
    ), texts as (
      update transcripts t set call = t.pending -> 'call', pending = null
      where t.call_id = any(${again}::uuid[]) and t.pending is not null
    )
    update calls c set state = 'analysed', state_reason = null, reanalyse = false, version = f.version,
      started_at = f.started_at, ended_at = f.ended_at, duration_ms = f.duration_ms, direction = f.direction,
      disconnection_reason = f.disconnection_reason, cost_usd = f.cost_usd, caller_key = f.caller_key,
      caller_kind = case when f.caller_key is null then 'unknown' else 'new' end, caller_nth = 1, caller_of = 1, called_again = false,
      outcome = f.outcome, outcome_confidence = f.outcome_confidence, bad_ending_score = f.bad_ending_score,
      ended_badly = f.ended_badly, caller_spoke = f.caller_spoke, objective = f.objective,
      intent_slug = f.intent_slug, request_intents = f.request_intents, use_case_slug = f.use_case_slug, sub_use_case_slug = f.sub_use_case_slug,
      persona_slug = f.persona_slug, turns = f.turns, caller_turns = f.caller_turns, agent_turns = f.agent_turns,
      tool_failures = f.tool_failures, tool_results = f.tool_results, frictions = f.frictions,
      response_median_ms = f.response_median_ms, response_slow_ms = f.response_slow_ms, signal_codes = f.signal_codes,
      profile_id = f.profile_id, visit_set_id = f.visit_set_id, analyser_version = f.analyser_version,
      analysed_at = now(), updated_at = now()
    from facts f where c.id = f.id`.execute(em.getKysely());
  await insertReadings(em, { workspaceId, agentId }, calls);
}

/** Old links are known from the old signals, so that the link table needs no index by call. */
async function removeReadings(em: EntityManager, callIds: string[], calls: AnalysedCall[]): Promise<void> {
  const issueIds = [...new Set(calls.flatMap((call) => call.oldEvidence.map((item) => item.issueId)))];
  await sql`
    with signals as (delete from call_signals where call_id = any(${callIds}::uuid[])),
      codes as (delete from call_codes where call_id = any(${callIds}::uuid[])),
      analyses as (delete from call_analyses where call_id = any(${callIds}::uuid[]))
    delete from issue_calls where issue_id = any(${issueIds}::uuid[]) and call_id = any(${callIds}::uuid[])`.execute(
    em.getKysely(),
  );
}

async function insertReadings(
  em: EntityManager,
  { workspaceId, agentId }: { workspaceId: string; agentId: string },
  calls: AnalysedCall[],
): Promise<void> {
  const sortAt = (call: AnalysedCall) => call.startedAt ?? NO_START_TIME;
  const common = (call: AnalysedCall) => ({ sort_at: sortAt(call), outcome: call.outcome, version: call.version });
  const codes = calls.flatMap((call) =>
    codesOf(call.analysis).map((code) => ({ call_id: call.standing.id, code, ...common(call) })),
  );
  const links = calls.flatMap((call) =>
    call.evidence.map((item) => ({
      issue_id: item.issueId,
      call_id: call.standing.id,
      ...common(call),
      first_turn: item.firstTurn,
      own: item.own,
      confidence_milli: item.confidenceMilli,
    })),
  );
  await sql`
    with signals as (
      insert into call_signals (call_id, ordinal, workspace_id, agent_id, code, klass, lane, severity, confidence,
        place_kind, place_id, place_label, turn_index, quote, detail, cause_code, cause_label, cause_detail,
        cause_category, cause_party, basis)
      select call_id, ordinal, ${workspaceId}, ${agentId}, code, klass, lane, severity, confidence, place_kind,
        place_id, place_label, turn_index, quote, detail, cause_code, cause_label, cause_detail, cause_category,
        cause_party, basis
      from jsonb_to_recordset(${JSON.stringify(calls.flatMap(signalRows))}::jsonb) as r(call_id uuid, ordinal int,
        code text, klass text, lane text, severity text, confidence float8, place_kind text, place_id text,
        place_label text, turn_index int, quote text, detail text, cause_code text, cause_label text,
        cause_detail text, cause_category text, cause_party text, basis text)
    ), codes as (
      insert into call_codes (call_id, code, agent_id, sort_at, outcome, version)
      select call_id, code, ${agentId}, sort_at, outcome, version
      from jsonb_to_recordset(${JSON.stringify(codes)}::jsonb)
        as r(call_id uuid, code text, sort_at timestamptz, outcome text, version int)
    ), links as (
      insert into issue_calls (issue_id, call_id, agent_id, sort_at, outcome, version, first_turn, own,
        confidence_milli)
      select issue_id, call_id, ${agentId}, sort_at, outcome, version, first_turn, own, confidence_milli
      from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as r(issue_id uuid, call_id uuid, sort_at timestamptz,
        outcome text, version int, first_turn int, own boolean, confidence_milli int)
    )
    insert into call_analyses (call_id, workspace_id, agent_id, analyser_version, analysis)
    select id, ${workspaceId}, ${agentId}, analyser_version, analysis::jsonb
    from unnest(${calls.map((call) => call.standing.id)}::uuid[],
      ${calls.map((call) => call.analysis.analyserVersion)}::int[],
      ${calls.map((call) => JSON.stringify(analysisDocument(call.analysis)))}::text[]) as r(id, analyser_version, analysis)`.execute(
    em.getKysely(),
  );
}

function callRow(call: AnalysedCall) {
  const { analysis, slugs } = call;
  return {
    id: call.standing.id,
    version: call.version,
    started_at: call.startedAt,
    ended_at: call.endedAt,
    duration_ms: call.durationMs,
    direction: call.direction,
    disconnection_reason: call.disconnectionReason,
    cost_usd: call.costUsd,
    caller_key: call.callerKey,
    outcome: call.outcome,
    outcome_confidence: analysis.outcomeConfidence,
    bad_ending_score: analysis.badEndingScore,
    ended_badly: call.endedBadly,
    caller_spoke: call.callerSpoke,
    objective: analysis.objective,
    intent_slug: slugs.intent,
    request_intents: slugs.requestIntents,
    use_case_slug: slugs.useCase,
    sub_use_case_slug: slugs.subUseCase,
    persona_slug: slugs.persona,
    turns: analysis.counts.turns,
    caller_turns: analysis.counts.callerTurns,
    agent_turns: analysis.counts.agentTurns,
    tool_failures: analysis.counts.toolFailures,
    tool_results: analysis.toolResults.length,
    frictions: analysis.counts.frictions,
    response_median_ms: analysis.responseTimes?.p50Ms ?? null,
    response_slow_ms: analysis.responseTimes?.p90Ms ?? null,
    signal_codes: codesOf(analysis),
    profile_id: call.profileId,
    visit_set_id: call.visitSetId,
    analyser_version: analysis.analyserVersion,
  };
}

function signalRows(call: AnalysedCall) {
  return call.analysis.signals.map((signal, ordinal) => ({
    call_id: call.standing.id,
    ordinal,
    code: signal.code,
    klass: signal.klass,
    lane: signal.lane,
    severity: signal.severity,
    confidence: signal.confidence,
    place_kind: signal.place.kind,
    place_id: signal.place.id,
    place_label: signal.place.label,
    turn_index: signal.turnIndex,
    quote: signal.quote,
    detail: signal.detail,
    cause_code: signal.cause?.code ?? null,
    cause_label: signal.cause?.label ?? null,
    cause_detail: signal.cause?.detail ?? null,
    cause_category: signal.cause?.category ?? null,
    cause_party: signal.cause?.party ?? null,
    basis: signal.basis ?? 'rules',
  }));
}

function analysisDocument(analysis: CallAnalysis): Omit<CallAnalysis, 'signals' | 'notComputable' | 'visits' | 'path'> {
  const { signals: _, notComputable: __, visits: ___, path: ____, ...document } = analysis;
  return document;
}

/** Each code once, in order of its first signal. */
function codesOf(analysis: CallAnalysis): string[] {
  return [...new Set(analysis.signals.map((signal) => signal.code))];
}
