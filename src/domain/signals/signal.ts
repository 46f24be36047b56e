import type { NormalisedCall } from '../calls/call.ts';
import type { CallerHistory } from '../calls/caller-history.ts';
import type { HandOff } from '../calls/hand-off.ts';
import type { ResponseTimes } from '../calls/timing.ts';
import type { Json } from '../json.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import type {
  ClaimVerdict,
  IssueClass,
  Lane,
  ObservationKind,
  Outcome,
  PlaceKind,
  Severity,
  SignalBasis,
} from '../vocabulary.ts';
import type { AgentCosts } from './agent-costs.ts';

/** The smallest thing that a person can change. `id` is the platform's own id of it. */
export interface Place {
  kind: PlaceKind;
  id: string;
  label: string;
}

/** What one detector noticed on one call, before the catalogue's title, class, lane and severity are laid beside it. */
export interface Detection {
  turnIndex: number;
  /** An exact substring of the cited turn (of the result's stored text on a tool turn); empty for end-of-call signals. */
  quote: string;
  /** One sentence with the figures or words that decided. */
  detail: string;
  place: Place;
  /** 1 for checked facts, 0.8 for thresholds, 0.6 for phrase lists. */
  confidence: number;
  /** True for what only looks like it: kept as an observation, for a model or a person to confirm, never a signal. */
  candidate?: boolean;
  /** Named facts that the cause table reads: `httpStatus`, `errorType`, `timeoutMs` and so on. */
  facts?: Record<string, Json>;
}

/** The honest alternative to zero: the detector lacked its data on this call. */
export interface NotComputable {
  reason: string;
}

/** A setting of the agent by code, such as `{tool_slow: {slowMs: 3000}}`; what is not set keeps the catalogue's default. */
export type Thresholds = Record<string, Record<string, number>>;

export interface DetectorInput {
  call: NormalisedCall;
  /** The configuration that holds for the version that the call ran on; null when none was captured. */
  configuration: AgentConfiguration | null;
  /** Wordings that a person has made a rule for this agent, beside those that its prompt orders. */
  phraseRules?: { required: string[]; forbidden: string[] };
  /** What the agent's calls cost; null where they are compared later, all at once; left out where nobody does. */
  agentCosts?: AgentCosts | null;
  /** The caller's other calls; null or left out where nobody knows who called. */
  callerHistory?: CallerHistory | null;
}

export interface Cause {
  code: string;
  label: string;
  detail: string | null;
  category: string;
  party: 'agent' | 'platform' | 'tool_owner' | 'caller' | 'knowledge';
}

export interface Signal {
  code: string;
  klass: IssueClass;
  lane: Lane | null;
  severity: Severity;
  confidence: number;
  place: Place;
  turnIndex: number;
  quote: string;
  detail: string;
  /** Null when the evidence of no row of the cause table is present. */
  cause: Cause | null;
  /** Left out: by rules. */
  basis?: SignalBasis;
}

export interface Observation {
  rule: string;
  kind: ObservationKind;
  label: string;
  turnIndex: number;
  detail: string;
  basis: 'checked' | 'phrases' | 'model';
  /** Of candidates: where the signal would stand that they become when they are confirmed. */
  place?: Place;
}

export interface Claim {
  turn: number;
  text: string;
  kind: string;
  /** Turn of the tool result that decides the verdict; null when there is none. */
  backedBy: number | null;
  verdict: ClaimVerdict;
}

export interface ToolResultReading {
  turn: number;
  ok: boolean | null;
  /** True when the business refused (nothing free, not found, could not verify): a blocked step, not a fault. */
  refusal: boolean;
}

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

export interface TimingReading {
  responseLatenciesS: number[];
  noResponse: number;
  yieldLatenciesS: number[];
  noYield: number;
  agentInterruptions: number;
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
  /** What the rules had said of the ending, where a model judged it: left out everywhere else. */
  byRules?: Pick<CallAnalysis, 'outcome' | 'outcomeConfidence' | 'outcomeReason' | 'badEndingScore' | 'rootCause'>;
  /** Set on calls that were handed over: what led to it, apart from how the call ended. */
  handOff?: HandOff | null;
  /** 0 to 1, higher is worse. */
  badEndingScore: number;
  callerSpoke: boolean;
  /** The caller's own first request, in their words; a fixed sentence where they made none. */
  objective: string;
  /** The caller's requests in order; the intents are discovered from them. */
  requests: { turn: number; text: string }[];
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
