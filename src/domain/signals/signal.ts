import type { Json } from '../json.ts';
import type {
  IssueClass,
  Lane,
  ObservationKind,
  PlaceKind,
  ProofSource,
  Severity,
  SignalBasis,
} from '../vocabulary.ts';

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
  /** What it was held against, where a reader found it: exact quotes beside that of its own turn. */
  proof?: Proof[];
}

/** A quote that a finding stands on. */
export interface Proof {
  in: ProofSource;
  /** The turn, or the line of the agent's text (from 1); null where the quote is the name of a tool. */
  index: number | null;
  quote: string;
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
