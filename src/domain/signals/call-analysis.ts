import type { AnsweredBy } from '../calls/answered.ts';
import type { Claim } from '../calls/claim.ts';
import type { HandOff } from '../calls/hand-off.ts';
import type { ResponseTimes, TimingReading } from '../calls/timing.ts';
import type { ToolResultReading } from '../calls/tool-uses.ts';
import type { IssueClass, Outcome, PlaceKind } from '../vocabulary.ts';
import type { Observation, Place, Signal } from './signal.ts';

/** A place that the call reached, with the first turn there: the base of every rate at that place. */
export interface StepVisit {
  place: Place;
  firstTurn: number;
}

export interface CallCounts {
  turns: number;
  callerTurns: number;
  agentTurns: number;
  toolFailures: number;
  frictions: number;
}

/** Moves between steps and the steps that the call came back to, each once; names of places as (kind, id). */
export interface CallPath {
  moves: [fromKind: PlaceKind, fromId: string, toKind: PlaceKind, toId: string][];
  loops: [kind: PlaceKind, id: string][];
}

/** Everything that the rules say about one call: the result of `analyseCall`, the same every time. */
export interface CallAnalysis {
  analyserVersion: number;
  /** Null where the record can't tell; `outcomeReason` says why. */
  outcome: Outcome | null;
  outcomeConfidence: number;
  /** Why this outcome: the rule that decided and the turns it stands on. */
  outcomeReason: { rule: string; turns: number[]; text: string };
  /** What the rules alone say, in the parts that a reader's reading changed; left out on calls that none has read. */
  byRules?: Pick<
    CallAnalysis,
    | 'outcome'
    | 'outcomeConfidence'
    | 'outcomeReason'
    | 'badEndingScore'
    | 'rootCause'
    | 'rating'
    | 'counts'
    | 'signals'
    | 'observations'
    | 'notComputable'
    | 'requests'
    | 'objective'
    | 'answeredBy'
  > &
    Partial<Pick<CallAnalysis, 'callerSpoke'>>;
  /** Set on calls that were handed over: what led to it, apart from how the call ended. */
  handOff?: HandOff | null;
  /** 0 to 1, higher is worse. */
  badEndingScore: number;
  callerSpoke: boolean;
  /** Left out in readings from before it was kept. */
  answeredBy?: AnsweredBy;
  /** The caller's own first request, in their words; a fixed sentence where they made none. */
  objective: string;
  /** The caller's requests in order. Intents are discovered from the caller's own words, or are named by a reader. */
  requests: { turn: number; text: string }[];
  /** The intent of the main request as a reader named it; left out where none did. */
  readIntent?: string;
  personaSlug: string;
  counts: CallCounts;
  signals: Signal[];
  observations: Observation[];
  notComputable: { code: string; reason: string }[];
  toolResults: ToolResultReading[];
  claims: Claim[];
  visits: StepVisit[];
  /** The step at which the call ended; left out by readings that know none. */
  endStep?: Place;
  /** Left out in readings from before it was kept. */
  path?: CallPath;
  timing: TimingReading | null;
  /** Left out in readings from before it was kept. */
  responseTimes?: ResponseTimes | null;
  /** 1 to 3 by a stated rule. */
  rating: number;
  turnRatings: { turn: number; rating: number }[];
  rootCause: { turn: number; klass: IssueClass; code: string; category: string | null; party: string | null } | null;
}
