import type { SoughtWords } from '../calls/said-words.ts';
import type { Direction, Outcome } from '../vocabulary.ts';

/** What one line of text asks of calls, checked: `said:"cancel my plan" outcome:unresolved -tag:done`. */
export type Filter =
  | { kind: 'all'; of: Filter[] }
  | { kind: 'any'; of: Filter[] }
  | { kind: 'not'; of: Filter }
  | FilterTerm;

export type FilterTerm =
  | { kind: 'said'; sought: SoughtWords }
  | { kind: 'outcome'; values: Outcome[] }
  | { kind: 'direction'; values: Direction[] }
  | { kind: 'version'; values: number[] }
  | { kind: 'text'; of: TextFact; values: string[] }
  | { kind: 'number'; of: NumberFact; sign: Sign; value: number }
  /** ISO 8601 UTC. */
  | { kind: 'time'; sign: '>=' | '<'; value: string }
  | { kind: 'tag'; values: string[] }
  /** A field that came beside the call; without values: one that it has. */
  | { kind: 'field'; name: string; values: string[] | null }
  | { kind: 'field_number'; name: string; sign: Exclude<Sign, '='>; value: number };

export const SIGNS = ['>=', '<=', '>', '<', '='] as const;
export type Sign = (typeof SIGNS)[number];

export type TextFact = 'signal' | 'intent' | 'providerCallId' | 'disconnectionReason';
export type NumberFact = 'durationMs' | 'responseMedianMs' | 'responseSlowMs' | 'costUsd' | 'turns' | 'toolFailures';

/** What is wrong with a line, in a sentence, and where. */
export class FilterProblem extends Error {
  override name = 'FilterProblem';
  /** Of the first character at fault, from 1. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}
