import type { CallBase } from '../call-base.ts';
import type { Decision } from '../decision.ts';
import { readStanding } from '../outcome-standing.ts';
import { marksOf } from './marks.ts';
import { WEIGHED, type WeighedOutcome, weigh } from './weigh.ts';
import { WEIGHTS } from './weights.ts';

/** Rules that read what the words of single turns leave standing; what callers say outright (they give up, they don't accept it) is not weighed. */
const FROM_WORDS: ReadonlySet<string> = new Set([
  'told_and_left',
  'done_in_words',
  'answer_accepted',
  'answered_last',
  'left_with_goal_open',
  'nothing_decides',
  'end_reason',
  'refused_and_accepted',
  'refused_last',
  'called_back_instead',
]);

/** A rule gives way to an ending that is so many times as likely by the whole end of the talk. */
const OUTWEIGHS = 1.6;

/** The likeliest ending, where it outweighs the one that a rule gave. */
export function outweighing(likely: readonly number[], given: string | null): WeighedOutcome | null {
  const best = likely.indexOf(Math.max(...likely));
  const own = likely[WEIGHED.findIndex((one) => one === given)] ?? 0;
  return (likely[best] ?? 0) > own * OUTWEIGHS ? (WEIGHED[best] ?? null) : null;
}

/** Not what stands on a tool's result, nor a deed that the rule saw behind a no beside the request: that is not at the end. */
export function isFromWords(reading: CallBase, { rule, turns }: Decision): boolean {
  if (rule === 'done_in_words' && readStanding(reading).kind === 'refused') return false;
  return FROM_WORDS.has(rule) && turns.every((turn) => turn === null || reading.spokenAt.has(turn));
}

/** A rule decides by one turn; where all that the end of the talk shows speaks clearly for another ending, that holds. */
export function unlessOutweighed(reading: CallBase, decision: Decision): Decision {
  if (!isFromWords(reading, decision)) return decision;
  const likely = weigh(marksOf(reading), WEIGHTS);
  const outcome = outweighing(likely, decision.outcome);
  if (outcome === null) return decision;
  return {
    outcome,
    confidence: likely[WEIGHED.indexOf(outcome)] ?? 0,
    rule: 'outweighed',
    turns: [...decision.turns, reading.caller.at(-1)?.index ?? null],
    text: `${SENTENCES[outcome]} One turn alone says otherwise: ${decision.text}`,
  };
}

const SENTENCES: Record<WeighedOutcome, string> = {
  resolved: 'The last turns together show that the caller got what they called for.',
  unresolved: 'The last turns together show that the request was not met.',
  abandoned: 'The last turns together show that the caller left in the middle.',
};
