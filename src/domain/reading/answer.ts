import type { Place, Proof, Signal } from '../signals/signal.ts';
import type { AnsweredByValue, Outcome, ProofSource } from '../vocabulary.ts';

/** Outcomes that a reader may name. That nobody could be reached is for code alone to say. */
export const READ_OUTCOMES = ['resolved', 'unresolved', 'transferred', 'abandoned'] as const satisfies Outcome[];
export type ReadOutcomeValue = (typeof READ_OUTCOMES)[number];

export const FULFILMENTS = ['yes', 'partly', 'no', 'not_shown'] as const;
export type Fulfilment = (typeof FULFILMENTS)[number];

export const EXPECTATION_VERDICTS = ['held', 'broken', 'not_applicable', 'unknown'] as const;
export type ExpectationVerdict = (typeof EXPECTATION_VERDICTS)[number];

/** Voices of the far side that a reader may name. That nobody was heard is for code alone to say. */
export const READ_VOICES = [
  'person',
  'voicemail',
  'phone_menu',
  'screening',
  'agent',
  'hold',
] as const satisfies AnsweredByValue[];
export type ReadVoice = Cited & { value: (typeof READ_VOICES)[number] };

/** A place in the record and words copied from it. */
export interface Cited {
  /** Zero-based position in the record. */
  turn: number;
  quote: string;
}

export interface AnsweredProof {
  in: ProofSource;
  /** The turn, or the line of the agent's text; null where the quote alone says it. */
  index: number | null;
  quote: string;
}

export interface AnsweredFinding extends Cited {
  proof: AnsweredProof[];
  because: string;
  /** Of the codes that the question lists, or `other.` and a name. */
  code: string;
}

/** A reader's answer about one call: of the right shape, and nothing of it checked. Evidence stands before the verdict. */
export interface ReaderAnswer {
  /** What the caller wanted, the main request first. */
  requests: (Cited & { sentence: string; fulfilled: Fulfilment; by: number | null })[];
  /** What the agent's turns were held against, also where all is well. */
  checked: string;
  findings: AnsweredFinding[];
  expectations: (Cited & { number: number; because: string; verdict: ExpectationVerdict })[];
  outcome: (Cited & { because: string; value: ReadOutcomeValue }) | null;
  /** A known intent's name, or a new one: a verb and a thing. */
  intent: string;
  /** Voices of the far side in order, a turn of each; left out where it was not asked. Empty: it can't tell. */
  answeredBy?: ReadVoice[];
  /** Names of people as they stand in turns; left out where they were not asked. */
  people?: Cited[];
}

/** A finding whose proof holds. */
export interface ProvenFinding extends Cited {
  code: string;
  proof: Proof[];
  because: string;
  place: Place;
  /** What a second look said of it; left out where none was taken. */
  holds?: boolean;
}

/** Names the reader as what decided how a call ended. */
export const READ_BY_MODEL = 'read_by_model';

/** Why a finding of a reader is not taken. */
export const DROP_REASONS = [
  'unknown_code',
  'quote_not_in_turn',
  'wrong_speaker',
  'proof_missing',
  'proof_not_found',
  'proof_does_not_hold',
  'fact_speaks_against',
  'found_twice',
  'too_many',
] as const;
export type DropReason = (typeof DROP_REASONS)[number];

export interface DroppedFinding {
  code: string;
  turn: number;
  reason: DropReason;
}

/** What of an answer stands on the record. */
export interface CheckedReading {
  /** Those whose words the caller said. */
  requests: ReaderAnswer['requests'];
  checked: string;
  findings: ProvenFinding[];
  dropped: DroppedFinding[];
  /** Findings beyond those that were looked at; left out where there are none. */
  leftOut?: number;
  expectations: ReaderAnswer['expectations'];
  outcome: ReaderAnswer['outcome'];
  /** Null where it named none. */
  intent: string | null;
  /** Voices of the far side whose words stand there; left out where none was asked for or shown. */
  answeredBy?: ReadVoice[];
  /** What code says of the machine that answered, where these voices name one; left out where it says nothing. */
  ofMachine?: Signal[];
  /** A turn of the call, or a line of the agent's text, speaks to whoever reads it: word rules are heard beside the reader. */
  addressed: boolean;
}
