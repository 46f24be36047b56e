import type { JsonObject } from '../json.ts';
import type { AnsweredByValue, Direction, Outcome, Polarity, WatchMeasure } from '../vocabulary.ts';

/** What the record has to say of a call; what is left out is any. */
export interface CallFilter {
  fromVersion?: number | undefined;
  toVersion?: number | undefined;
  direction?: Direction | undefined;
  /** BCP 47 primary tag, such as `de`. */
  language?: string | undefined;
  longerThanS?: number | undefined;
  shorterThanS?: number | undefined;
  answeredBy?: AnsweredByValue | undefined;
  /** Variables with which the call began. */
  variables?: Record<string, string> | undefined;
}

/** On which calls, and from which turn on, something is expected. */
export type WatchScope = (
  | { kind: 'all_calls' }
  | { kind: 'tool_called'; tool: string }
  | { kind: 'tool_failed'; tool: string }
  | { kind: 'step_reached'; step: string }
  | { kind: 'intent'; intent: string }
  | { kind: 'outcome'; outcome: Outcome }
  /** Words of the caller in a row, or what the caller does in their own words. */
  | { kind: 'caller_said'; text: string }
  | { kind: 'caller_said'; act: 'asks_for_person' }
) & {
  calls?: CallFilter | undefined;
  /** What is expected has to follow the place where the scope begins. */
  following?: true | undefined;
};

/** The agent's first two turns, or its last two. */
export type SaidAt = 'start' | 'end';

/** What is expected of the agent, in a form that code decides. */
export type WatchExpectation =
  | { kind: 'tool_called'; tool: string; times?: Bounds | undefined }
  | { kind: 'tool_called_with'; tool: string; args: JsonObject }
  | { kind: 'tool_called_before'; tool: string; before: string }
  /** Words of the agent in a row, where a tool is named before its first call; these words in one of its turns, in any form; or a promise about one of these words (about anything where there are none). */
  | { kind: 'says'; text: string; at?: SaidAt | undefined; before?: string | undefined }
  | { kind: 'says'; words: readonly string[]; at?: SaidAt | undefined }
  | { kind: 'says'; act: 'promises'; about: readonly string[] }
  /** A question with one of these words; `confirmation`: a question that the caller says yes to, whatever the words in `of` name. */
  | { kind: 'asks_for'; words: readonly string[]; before: string | null }
  | { kind: 'asks_for'; confirmation: true; before: string; of?: readonly string[] | undefined }
  | { kind: 'reaches'; step: string }
  | { kind: 'outcome'; outcome: Outcome }
  | { kind: 'ends_within'; seconds: number }
  /** A code of the catalogue, as the analysis found it on the call. */
  | { kind: 'signal'; code: string }
  | { kind: 'measure'; measure: WatchMeasure; atLeast?: number | undefined; atMost?: number | undefined }
  /** What only a model can judge, in words. */
  | { kind: 'judged'; text: string };

/** Both ends count as within. */
export interface Bounds {
  atLeast?: number | undefined;
  atMost?: number | undefined;
}

/** A watch as code reads it. Steps and tools are named by id, name or label. */
export interface WatchForm {
  scope: WatchScope;
  expectation: WatchExpectation;
  polarity: Polarity;
}

/** Words of the call that show something; a tool's name or arguments where a call of a tool shows it, empty where nothing was said at the turn. */
export interface Evidence {
  turn: number;
  quote: string;
  because: string;
  /** Set where what is stored of the call decides: its outcome. */
  byOutcome?: true;
}

export type Verdict =
  | ({ state: 'held' | 'broken' } & Evidence)
  /** The call is none of those on which it is expected. */
  | { state: 'not_applicable'; because: string }
  | { state: 'not_computable'; because: string };

export interface Gap {
  gap: string;
}
