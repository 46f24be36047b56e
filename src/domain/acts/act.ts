import type { ActValue } from '../values/value.ts';

export type CallerActKind =
  | 'asks'
  | 'requests'
  | 'gives'
  | 'corrects'
  | 'confirms'
  | 'denies'
  | 'asks_for_person'
  | 'complains'
  | 'asks_again'
  | 'already_told'
  | 'thanks'
  | 'closes'
  | 'gives_up'
  | 'opts_out';

export type AgentActKind =
  | 'asks_value'
  | 'asks'
  | 'promises'
  | 'claims_done'
  | 'cannot'
  | 'apologises'
  | 'offers'
  | 'offers_more'
  | 'reads_back'
  | 'asks_again'
  | 'informs'
  | 'hands_over'
  | 'calls_back'
  | 'holds'
  | 'closes';

export type ActKind = CallerActKind | AgentActKind;

/** What a sentence does in the talk, with the words that show it. */
export interface Act {
  kind: ActKind;
  /** Index of the turn in the imported record. */
  turn: number;
  /** Place of the words that show it in the turn's text, in UTF-16 units. */
  from: number;
  to: number;
  /** 0.8 where values or the form of the sentence show it, 0.6 where a phrase list does. */
  confidence: number;
  /** What is asked for, given, corrected or read back: `date`, `size`, `name`, `phone` …; null where it is about no value. */
  slot: string | null;
  values: readonly ActValue[];
}

/** A value that the caller corrected: what it was taken for, and what it is. */
export interface Correction {
  /** Turn in which the caller corrected it. */
  turn: number;
  slot: string;
  old: ActValue;
  /** Who had said the old value: the agent, or the caller who thought again. */
  oldBy: 'agent' | 'caller';
  oldTurn: number;
  now: ActValue;
  /** True where words say that it is a correction ("no", "not that", "I said"); else the values alone show it. */
  explicit: boolean;
}

/** The caller's last word on a slot. */
export interface LastWord {
  value: ActValue;
  turn: number;
  /** What it replaced; null where it is the first word on it. */
  replaced: ActValue | null;
}

/** What the whole call holds, beside the acts of each turn. */
export interface TalkState {
  /** By slot. */
  lastWords: ReadonlyMap<string, LastWord>;
  corrections: readonly Correction[];
}

/** True where the turn does one of these. */
export function does(turn: { acts: readonly Act[] } | undefined, ...kinds: readonly ActKind[]): boolean {
  if (turn === undefined) return false;
  for (const act of turn.acts) if (kinds.includes(act.kind)) return true;
  return false;
}
