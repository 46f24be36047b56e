import type { AnsweredByValue } from '../vocabulary.ts';

/** A voice on the far side and the turns that show it. */
export interface Voice {
  by: AnsweredByValue;
  turns: number[];
}

/** Who was reached, or where nobody was, what answered last. */
export interface AnsweredBy extends Voice {
  text: string;
  basis: 'platform' | 'rules' | 'model';
  /** What answered before, in order: a menu, then a person. */
  before: Voice[];
}

/** Where these answered last, no person was reached. */
const UNREACHED: ReadonlySet<AnsweredByValue> = new Set(['voicemail', 'phone_menu', 'screening', 'hold']);
export const isUnreached = ({ by }: Voice): boolean => UNREACHED.has(by);

/** Turns in which a machine spoke: they are no words of a caller. A voice agent talks as a caller does. */
export const machineTurns = ({ by, turns, before }: AnsweredBy): ReadonlySet<number> =>
  new Set([{ by, turns }, ...before].filter(isUnreached).flatMap((voice) => voice.turns));

export const TEXTS: Record<AnsweredByValue, string> = {
  person: 'A person answered.',
  voicemail: 'An answering machine took the call.',
  phone_menu: 'A phone menu answered, and nobody was reached through it.',
  screening: 'A screening assistant answered, and let nobody through.',
  agent: 'Another voice agent answered.',
  hold: 'The call was put on hold, and nobody came on.',
  nobody: 'Nobody was heard.',
  unknown: 'The record does not tell who was on the far side.',
};

/** Nobody's words are on the record. */
export const answeredByNone = (by: 'nobody' | 'unknown'): AnsweredBy => voice(by, [], [], 'rules');

/** @param before what answered before it. */
export function voice(by: AnsweredByValue, turns: number[], before: Voice[], basis: AnsweredBy['basis']): AnsweredBy {
  const after = by === 'person' && before.length > 0;
  return { by, turns, text: after ? 'A person came on after a machine had answered.' : TEXTS[by], basis, before };
}
