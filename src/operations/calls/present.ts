import type { CallResource, CallSignals, CallWithTranscript } from '../../contract/call.ts';
import type { SignalView } from '../../db/calls/read-call-detail.ts';
import type { CallView } from '../../db/calls/read-calls.ts';
import type { CallReading } from '../../db/models/reading-status.ts';
import type { AnsweredBy, Voice } from '../../domain/calls/answered.ts';
import type { NormalisedCall, ToolResult, Turn } from '../../domain/calls/call.ts';
import { fieldsOf } from '../../domain/calls/call-fields.ts';
import type { Claim } from '../../domain/calls/claim.ts';
import type { ToolResultReading } from '../../domain/calls/tool-uses.ts';
import { usdOfNano } from '../../domain/limits/model-cost.ts';
import type { CallAnalysis } from '../../domain/signals/call-analysis.ts';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';
import type { ModelReadingState, ToolVerdict } from '../../domain/vocabulary.ts';

export function presentCall(call: CallView): CallResource {
  return {
    object: 'call',
    id: call.id,
    providerCallId: call.providerCallId,
    version: call.version,
    startedAt: call.startedAt,
    endedAt: call.endedAt,
    durationMs: call.durationMs,
    direction: call.direction,
    disconnectionReason: call.disconnectionReason,
    outcome: call.outcome,
    outcomeConfidence: call.outcomeConfidence,
    objective: call.objective ?? '',
    intent: named(call.intentSlug, call.intentLabel),
    useCase: named(call.useCaseSlug, call.useCaseLabel),
    subUseCase: subUseCaseOf(call),
    callerPersona: named(call.personaSlug, call.personaLabel),
    caller: { kind: call.callerKind, nth: call.callerNth, of: call.callerOf },
    counts: {
      // Turns without words, such as calls of tools, are nobody's.
      turns: call.callerTurns + call.agentTurns,
      callerTurns: call.callerTurns,
      agentTurns: call.agentTurns,
      toolFailures: call.toolFailures,
      frictions: call.frictions,
    },
    signalCodes: call.signalCodes,
  };
}

/** The contract has an object here, so a call without a sub use case says `none`; older readings repeat the intent. */
function subUseCaseOf({ intentSlug, subUseCaseSlug, subUseCaseLabel }: CallView) {
  const own = subUseCaseSlug === intentSlug ? null : subUseCaseSlug;
  return own === null ? { slug: 'none', label: 'None' } : named(own, subUseCaseLabel);
}

/** A slug without a row of its own is read out in words. */
function named(slug: string | null, label: string | null): { slug: string; label: string } {
  const known = slug ?? 'unknown';
  const words = known.replaceAll(/[_-]+/g, ' ');
  return { slug: known, label: label ?? words.charAt(0).toUpperCase() + words.slice(1) };
}

export function presentTranscript(
  call: NormalisedCall | null,
  readings: readonly ToolResultReading[],
): CallWithTranscript['transcript'] {
  return call && presentTurns(call.turns, readings);
}

/** @param template address of the operator's trace viewer. */
export function presentTraces(call: NormalisedCall | null, template: string | null): CallWithTranscript['traces'] {
  return (call?.traceIds ?? []).map((id) => ({
    id,
    url: template === null ? null : template.replaceAll('{traceId}', encodeURIComponent(id)),
  }));
}

/** @param readings what was read of the results of tools, by their turns */
export function presentTurns(
  turns: readonly Turn[],
  readings: readonly ToolResultReading[],
): NonNullable<CallWithTranscript['transcript']> {
  const read = new Map(readings.map((reading) => [reading.turn, reading]));
  return turns.map((turn) => ({
    index: turn.index,
    role: turn.role,
    text: turn.text,
    wordsMissing: turn.wordsMissing === true,
    keys: turn.dtmf,
    startMs: turn.startMs,
    endMs: turn.endMs,
    nodeId: turn.nodeId,
    toolCall: turn.toolCall && { id: turn.toolCall.id, name: turn.toolCall.name, args: turn.toolCall.args },
    toolResult: turn.toolResult && {
      id: turn.toolResult.id,
      name: turn.toolResult.name,
      ...presentVerdict(read.get(turn.index), turn.toolResult),
      body: turn.toolResult.body,
      latencyMs: turn.toolResult.latencyMs,
    },
  }));
}

/** A result whose call was not read yet has what its platform said of it. */
function presentVerdict(reading: ToolResultReading | undefined, result: ToolResult) {
  const { ok, refusal } = reading ?? { ok: result.ok, refusal: false };
  const verdict: ToolVerdict = refusal ? 'refused' : ok === null ? 'unknown' : ok ? 'ok' : 'failed';
  return { ok, verdict };
}

export function presentFields(call: NormalisedCall | null): CallWithTranscript['metadata'] {
  return Object.fromEntries((call === null ? [] : fieldsOf(call)).map(({ name, value }) => [name, value]));
}

export function presentReason({
  outcomeReason: { rule, turns, text },
  outcomeConfidence: confidence,
}: Pick<CallAnalysis, 'outcomeReason' | 'outcomeConfidence'>): CallWithTranscript['outcomeReason'] {
  return { rule, turns, text, confidence };
}

export function presentAnswered(answered: AnsweredBy | undefined): CallWithTranscript['answeredBy'] {
  if (answered === undefined) return null;
  const { text, basis, before } = answered;
  return { ...presentVoice(answered), text, basis, before: before.map(presentVoice) };
}

const presentVoice = ({ by, turns }: Voice) => ({ value: by, turns });

export function presentClaims(claims: readonly Claim[]): CallWithTranscript['claims'] {
  return claims.map(({ turn, text, kind, backedBy, verdict }) => ({ turn, text, kind, backedBy, verdict }));
}

export function presentSignal(signal: SignalView): NonNullable<CallSignals['detected']>[number] {
  return {
    code: signal.code,
    title: CATALOGUE.get(signal.code)?.title ?? signal.code,
    severity: signal.severity,
    klass: signal.klass,
    confidence: signal.confidence,
    location: { kind: signal.placeKind, id: signal.placeId, label: signal.placeLabel },
    detail: signal.detail,
    cause:
      signal.causeCode === null
        ? { code: 'not_established', label: 'Cause not established.', detail: null }
        : { code: signal.causeCode, label: signal.causeLabel ?? signal.causeCode, detail: signal.causeDetail },
    turnIndex: signal.turnIndex,
    evidenceQuote: signal.quote,
    basis: signal.basis,
    proof: presentProof(signal),
  };
}

export const presentProof = ({ proof }: Pick<SignalView, 'proof'>) =>
  (proof ?? []).map(({ in: source, index, quote }) => ({ in: source, index, quote }));

const READING_STATES = {
  waiting: 'waiting',
  read: 'read',
  done: 'read',
  dropped: 'given_up',
  left: 'left',
} as const satisfies Record<ModelReadingState, string>;

export function presentModelReading(reading: CallReading | null): CallWithTranscript['modelReading'] {
  if (reading === null) return null;
  const state = READING_STATES[reading.state];
  return {
    state,
    model: state === 'read' ? reading.model : null,
    usd: usdOfNano(reading.chargedNanoUsd),
    reason: reading.note,
  };
}
