import type { JsonObject } from '../json.ts';
import type { Outcome, Polarity } from '../vocabulary.ts';

/** On which calls, and from which turn on, something is expected. */
export type WatchScope =
  | { kind: 'all_calls' }
  | { kind: 'tool_called'; tool: string }
  | { kind: 'tool_failed'; tool: string }
  | { kind: 'step_reached'; step: string }
  | { kind: 'intent'; intent: string }
  | { kind: 'outcome'; outcome: Outcome }
  /** Words of the caller in a row, or what the caller does in their own words. */
  | { kind: 'caller_said'; text: string }
  | { kind: 'caller_said'; act: 'asks_for_person' };

/** What is expected of the agent, in a form that code decides. */
export type WatchExpectation =
  | { kind: 'tool_called'; tool: string }
  | { kind: 'tool_called_with'; tool: string; args: JsonObject }
  | { kind: 'tool_called_before'; tool: string; before: string }
  /** Words of the agent in a row, or a promise about one of these words (about anything where there are none). */
  | { kind: 'says'; text: string }
  | { kind: 'says'; act: 'promises'; about: readonly string[] }
  /** A question with one of these words; `confirmation`: a question that the caller says yes to. */
  | { kind: 'asks_for'; words: readonly string[]; before: string | null }
  | { kind: 'asks_for'; confirmation: true; before: string }
  | { kind: 'reaches'; step: string }
  | { kind: 'outcome'; outcome: Outcome }
  | { kind: 'ends_within'; seconds: number }
  /** What only a model can judge, in words. */
  | { kind: 'judged'; text: string };

/** A watch as code reads it. Steps and tools are named by id, name or label. */
export interface WatchForm {
  scope: WatchScope;
  expectation: WatchExpectation;
  polarity: Polarity;
}

/** Words of the call that show something; a tool's name or arguments where a call of a tool shows it, empty where only its absence does. */
export interface Evidence {
  turn: number;
  quote: string;
  because: string;
  /** Set where nothing but the call's outcome decided. */
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
