import { type StandingCall, stepKey } from '../../db/analysis/analysis-context.ts';
import type { CallFacts } from '../../domain/issues/ledger.ts';
import { outcomeEvidence, readSteps, type StepCall } from '../../domain/issues/outcome-step.ts';
import { type Evidence, evidenceOf, type GroupedSignal, type Routes } from '../../domain/issues/signals-to-issues.ts';

/** Where signals count, and bad endings by their step. */
export interface EvidenceNames {
  issues: Routes;
  /** The issue of each step, by `stepKey`. */
  outcomes: ReadonlyMap<string, string>;
}

type MayLead = (code: string) => boolean;

/** The last step of a reading, and whether it ended badly there. */
export interface EndedCall {
  step: (StepCall & { outcomeConfidence: number }) | null;
  endedBadly: boolean;
}

/** What a reading says about issues: those of its signals, and that of the step at which it ended badly. */
export function evidenceOfReading(
  { step, endedBadly }: EndedCall,
  signals: readonly GroupedSignal[],
  { issues, outcomes }: EvidenceNames,
  mayLead: MayLead,
): Evidence[] {
  const own = evidenceOf(signals, issues);
  const issueId = step && endedBadly ? outcomes.get(stepKey(step.endStep)) : undefined;
  return step && issueId !== undefined ? [...own, outcomeEvidence(issueId, step, mayLead)] : own;
}

/** What an analysed call adds to the sums as it stands: what is to be taken away when it changes or goes. */
export function standingEvidence(
  standing: StandingCall,
  names: EvidenceNames,
  mayLead: MayLead,
): { facts: CallFacts; evidence: Evidence[] } {
  const signals = standing.signals.map(asGrouped);
  const step = stepOf(standing, signals);
  return {
    facts: { ...factsOf(standing), steps: step && readSteps(step, mayLead) },
    evidence: evidenceOfReading({ step, endedBadly: standing.endedBadly }, signals, names, mayLead),
  };
}

function factsOf(standing: StandingCall): CallFacts {
  return {
    version: standing.version,
    startedAt: standing.startedAt,
    durationMs: standing.durationMs,
    outcome: standing.outcome,
    endedBadly: standing.endedBadly,
    callerSpoke: standing.callerSpoke,
    intentSlug: standing.intentSlug,
    profileId: standing.profileId ?? '',
    places: standing.places ?? [],
  };
}

function stepOf(standing: StandingCall, signals: readonly GroupedSignal[]): EndedCall['step'] {
  const { endStep, places, turns, outcomeConfidence } = standing;
  if (endStep === null) return null;
  return { endStep, places: places ?? [], turns, signals, outcomeConfidence: outcomeConfidence ?? 0 };
}

function asGrouped(signal: StandingCall['signals'][number]): GroupedSignal {
  return {
    code: signal.code,
    place: { kind: signal.placeKind, id: signal.placeId },
    causeCode: signal.causeCode,
    turnIndex: signal.turnIndex,
    confidence: signal.confidence,
  };
}
