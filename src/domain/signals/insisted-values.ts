import { does } from '../acts/act.ts';
import { isExplicit } from '../acts/last-words.ts';
import { type Alike, asOneKind, isSaidIn } from '../acts/replaceable.ts';
import { wordAt } from '../acts/self-repair.ts';
import { type SpokenTurn, says } from '../acts/spoken-turn.ts';
import { answeredBetween, usesBetween } from '../calls/stretch.ts';
import type { ActValue } from '../values/value.ts';
import { questionWordsOf } from '../words/question-words-of.ts';
import { talkPhrases } from '../words/talk-words.ts';
import { placeAt } from './places.ts';
import type { CallReading } from './reading.ts';
import type { Detection } from './signal.ts';

/** Further back a value stands in no one's mind. */
const TURNS_BACK = 12;

/**
 * The agent settles on a value, and the caller answers with the one that they had said before: no word of correction is
 * needed to see that it was not taken over. Where the reply to that holds it neither, it was passed over again.
 */
export function insistedValues(reading: CallReading): Detection[] {
  return reading.caller.flatMap((turn) => {
    const settled = reading.spoken[turn.order - 1];
    if (settled?.role !== 'agent' || turn.values.length === 0 || !isSettling(reading, settled)) return [];
    const kept = isInsisting(reading, turn) ? keptValue(reading, settled, turn) : null;
    const next = reading.spoken[turn.order + 1];
    // Put right at once, it did no harm.
    if (kept === null || (next?.role === 'agent' && isAlsoSaid(next, kept.now))) return [];
    const again = next !== undefined && isPassedOver(reading, turn, next, kept.now) ? [next] : [];
    return [settled, ...again].map((one) => made(reading, one, turn, kept));
  });
}

function made(reading: CallReading, turn: SpokenTurn, insisted: SpokenTurn, { old, now }: Alike): Detection {
  return {
    turnIndex: turn.index,
    quote: turn.values.find((value) => value.text === old.text)?.text ?? '',
    detail: `The caller had said "${now.text}" and has to say it again at turn ${insisted.index}: the agent has "${old.text}".`,
    place: placeAt(reading, turn.index),
    confidence: 0.8,
  };
}

/** It tells what holds from now on; what is offered or asked leaves the choice to the caller. */
function isSettling(reading: CallReading, turn: SpokenTurn): boolean {
  if (does(turn, 'cannot', 'asks_again')) return false;
  if (does(turn, 'claims_done', 'reads_back')) return true;
  const before = reading.spoken[turn.order - 1]?.index ?? -1;
  const uses = answeredBetween(reading.tools, before, turn.index);
  if (uses.some((use) => use.effect === 'write' && use.ok !== false && !use.refusal)) return true;
  return !turn.asks && uses.length === 0 && !does(turn, 'offers') && !says(turn, 'could');
}

/** Little more than the value, or words of correction with it; who agrees or goes on to another thing insists on nothing. */
function isInsisting(reading: CallReading, turn: SpokenTurn): boolean {
  if (does(turn, 'thanks', 'closes')) return false;
  if (isExplicit(turn) || does(turn, 'already_told', 'complains')) return true;
  const { goesOn, insists } = questionWordsOf(reading.language);
  const [first = ''] = turn.words;
  return (
    turn.words.length <= WORDS_AT_MOST &&
    !turn.asks &&
    !does(turn, 'confirms') &&
    (!goesOn.has(first) || insists.has(first))
  );
}

const WORDS_AT_MOST = 7;

/** A value of the agent's turn beside the one of the answer, which the caller had said last before. */
function keptValue(reading: CallReading, settled: SpokenTurn, answer: SpokenTurn): Alike | null {
  if (answer.asks && !isExplicit(answer)) return null;
  for (const now of answer.values) {
    if (now.denied || isAlsoSaid(settled, now)) continue;
    for (const old of settled.values) {
      const alike = old.denied || isLimit(settled, old) ? null : asOneKind(settled, old, answer, now, 'one turn');
      if (alike === null || alike === 'same' || isAlsoSaid(answer, alike.old)) continue;
      if (isLastWord(reading, settled, alike)) return alike;
    }
  }
  return null;
}

/** "Up to five items": what can be had at most, and nothing that was heard. */
function isLimit(turn: SpokenTurn, value: ActValue): boolean {
  const at = wordAt(turn, value.from);
  const before = turn.words.slice(Math.max(0, at - 2), at).join(' ');
  return LIMITS.has(before) || LIMITS.has(turn.words[at - 1] ?? '');
}

const LIMITS: ReadonlySet<string> = new Set(talkPhrases('limits'));

function isAlsoSaid(turn: SpokenTurn, value: ActValue): boolean {
  return turn.values.some((one) => isSaidIn(turn, one, value));
}

/** Of both values the caller had said the new one last. */
function isLastWord(reading: CallReading, settled: SpokenTurn, { old, now }: Alike): boolean {
  const from = Math.max(0, settled.order - TURNS_BACK);
  const last = reading.spoken
    .slice(from, settled.order)
    .findLast((turn) => turn.role === 'caller' && (isAlsoSaid(turn, now) || isAlsoSaid(turn, old)));
  return last !== undefined && isAlsoSaid(last, now);
}

/** Neither the value nor a word that it is being seen to. */
function isPassedOver(reading: CallReading, turn: SpokenTurn, next: SpokenTurn, now: ActValue): boolean {
  if (next.role !== 'agent' || next.asks || isAlsoSaid(next, now)) return false;
  if (does(next, 'apologises', 'cannot', 'holds', 'hands_over', 'asks_again', 'asks_value', 'calls_back')) return false;
  return usesBetween(reading.tools, turn.index, next.index + 1).length === 0;
}
