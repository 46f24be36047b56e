import type { Json, JsonObject } from '../json.ts';

/** What a test plays and what it asks for. Stored with each revision; a run keeps the revision that it began with. */
export interface TestSpec {
  caller: CallerSpec;
  fixtures: Fixture[];
  criteria: Criterion[];
  /** Turns of the caller, at most. */
  maxTurns: number;
  /** Played as text: hearing, latency and interruptions can't be tested so. */
  tier: 'text';
}

export interface CallerSpec {
  /** What the caller wants, in words. */
  goal: string;
  /** What the caller says first. */
  opening: string;
  /** What the caller knows, by name, such as `name` or `date of birth`. The simulated caller says nothing else of that kind. */
  facts: Record<string, string>;
  /** How the caller speaks; empty: plainly. */
  style: string;
  /** The caller's further lines, word for word and in order, in the place of a model. Null: a model plays the caller. */
  script: string[] | null;
}

/** What a tool answers in the place of the real one. */
export interface Fixture {
  tool: string;
  /** Arguments that a call must have, at least; null: any call. */
  match: JsonObject | null;
  respond: Json;
  /** For how many calls of one conversation; null: for all. */
  times: number | null;
}

export interface Criterion {
  /** Unique in the test; stable over revisions, so that verdicts can be compared. */
  id: string;
  text: string;
  /** One that is not required is reported and decides nothing. */
  required: boolean;
  /** Decided by code; null: by the judge model. */
  check: Check | null;
}

/**
 * A name of a step is its id or its label. Texts are compared as words: without case, punctuation and accents, and
 * "half past nine" is "9:30". `times` is exactly so often; turns are those in which caller or agent spoke.
 */
export type Check =
  | { kind: 'tool_called'; tool: string; times?: number }
  | { kind: 'tool_not_called'; tool: string }
  | { kind: 'tool_called_with'; tool: string; args: JsonObject }
  | { kind: 'said'; text: string; by?: 'agent' | 'caller' }
  /** `after`: only once a tool has answered; undecided where none did. */
  | { kind: 'not_said'; text: string; by?: 'agent' | 'caller'; after?: 'tool_result' }
  | { kind: 'ended_by'; by: 'agent' | 'caller' | 'transfer' }
  | { kind: 'reached'; step: string }
  /** Tools or steps, in this order, others between them allowed. */
  | { kind: 'order'; steps: string[] }
  | { kind: 'turns_at_most'; turns: number }
  /** Our own detectors find nothing of this code on the call. */
  | { kind: 'no_finding'; code: string };

/** The tool that a check names, or null. */
export function toolOfCheck(check: Check): string | null {
  return 'tool' in check ? check.tool : null;
}
