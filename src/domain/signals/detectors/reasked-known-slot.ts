import { does } from '../../acts/act.ts';
import { questionWordsOf } from '../../acts/lists/question-words-of.ts';
import { type SpokenTurn, says } from '../../calls/spoken-turn.ts';
import { firstFrom, usesBetween } from '../../calls/stretch.ts';
import { isAlike } from '../../calls/text.ts';
import type { Detector } from '../catalogue-entry.ts';
import { REASKED_KNOWN_SLOT } from '../entries/flow.ts';
import { knownAnswer, knownSlot, saidAlone, saidBefore } from '../known-slots.ts';
import { limit, missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import { quoteTurn } from '../quotes.ts';
import type { CallReading } from '../reading.ts';
import type { Detection } from '../signal.ts';

/** The agent asks for something that the caller seems to have given already. */
export const reaskedKnownSlot: Detector = {
  entry: REASKED_KNOWN_SLOT,
  detect(reading, _input, thresholds) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    if (reading.agent.length === 0) return { reason: 'The agent said nothing on this call.' };
    return reading.agent.flatMap((turn) => {
      if (does(turn, 'asks_again', 'cannot')) return [];
      const known = askedKnown(reading, turn);
      if (known !== null) return [known];
      const answered = answeredBefore(reading, turn);
      if (answered !== null) return [answered];
      const repeated = repeatedTo(reading, turn);
      if (repeated !== null) return [repeated];
      if (!asksForValue(turn) || turn.content.length < 2) return [];
      const first = askedBefore(reading, turn, thresholds);
      return first === null ? [] : [likeBefore(reading, turn, first)];
    });
  },
};

/** Certain: the answer says the same as before, a tool has had it, or the caller says that it was told. */
function askedKnown(reading: CallReading, turn: SpokenTurn): Detection | null {
  for (const { kind, slot } of turn.acts) {
    if (kind !== 'asks_value' || slot === null || isConfirmed(turn)) continue;
    const known = knownSlot(reading, turn, slot);
    if (known === null || isMistaken(reading, known.turn, turn)) continue;
    const how = known.by === 'tool' ? 'a tool had been called with it' : 'the caller had said the same';
    return {
      turnIndex: turn.index,
      quote: quoteTurn(turn),
      detail: `The agent asks for something that it had: ${how} at turn ${known.turn}.`,
      place: placeAt(reading, turn.index),
      confidence: 0.8,
      facts: { slot, by: known.by },
    };
  }
  return null;
}

/** An open question, and the answer is what the caller had said in the same words. */
function repeatedTo(reading: CallReading, turn: SpokenTurn): Detection | null {
  const answer = reading.spoken[turn.order + 1];
  const { open } = questionWordsOf(reading.language);
  if (!turn.asks || answer?.role !== 'caller' || isConfirmed(turn)) return null;
  // Whoever answers that it goes without saying had said it, whatever the question was like.
  const isOpen = turn.words.some((word) => open.has(word)) || does(turn, 'asks_value');
  const isChoice = turn.words.some((word) => OR.has(word));
  if (!isOpen && !(says(answer, 'takes_as_said') && (isChoice || answer.words.length <= SHORT))) return null;
  const known = saidBefore(reading, answer) ?? saidAlone(reading, answer);
  if (known === null || isMistaken(reading, known, turn)) return null;
  return {
    turnIndex: turn.index,
    quote: quoteTurn(turn),
    detail: `The agent asks for something that it had: the caller had said the same words at turn ${known}.`,
    place: placeAt(reading, turn.index),
    confidence: 0.6,
    facts: { slot: 'answer', by: 'same_answer' },
  };
}

/** "Which dog is it for?" "Rex", whom the caller had named when they asked for it; German writes all nouns like names. */
function answeredBefore(reading: CallReading, turn: SpokenTurn): Detection | null {
  if (!turn.asks || !turn.words.some((word) => OPEN.has(word)) || isConfirmed(turn) || reading.language === 'de')
    return null;
  const known = knownAnswer(reading, turn);
  if (known === null || isMistaken(reading, known, turn)) return null;
  return {
    turnIndex: turn.index,
    quote: quoteTurn(turn),
    detail: `The agent asks for something that it had: the caller had said the same at turn ${known}.`,
    place: placeAt(reading, turn.index),
    confidence: 0.6,
    facts: { slot: 'answer', by: 'same_answer' },
  };
}

/** "Can you confirm the number once more" asks for a check, not for what is not known. */
function isConfirmed(turn: SpokenTurn): boolean {
  return does(turn, 'reads_back') || says(turn, 'spells');
}

/** What was given did not work: it was not found, or the caller put it right since. */
function isMistaken(reading: CallReading, known: number, turn: SpokenTurn): boolean {
  const since = reading.spoken.slice(firstFrom(reading.spoken, known + 1), turn.order);
  const uses = usesBetween(reading.tools, known, turn.index);
  const put = reading.talk.corrections.findLast((one) => one.turn < turn.index);
  return (
    since.some((one) => one.role === 'agent' && does(one, 'cannot', 'asks_again')) ||
    uses.some((use) => use.ok === false || use.refusal) ||
    (put !== undefined && put.explicit && put.turn > known)
  );
}

function likeBefore(reading: CallReading, turn: SpokenTurn, first: SpokenTurn): Detection {
  return {
    turnIndex: turn.index,
    quote: quoteTurn(turn),
    detail: `Nearly the same was asked at turn ${first.index}, and the caller had answered with a value.`,
    place: placeAt(reading, turn.index),
    confidence: 0.6,
    // Where the caller says that it was told, the doubt is gone.
    candidate: !does(reading.spoken[turn.order + 1], 'already_told'),
  };
}

const OR = new Set(['or', 'oder', 'o', 'ou']);
/** "Ja den Ludwig eben". */
const SHORT = 4;
const OPEN = new Set('what which when where who whose how'.split(' '));

/** "Which day?", "may I have your name?"; a yes or a no ("shall I book it?") is no value that could be known already. */
function asksForValue(turn: SpokenTurn): boolean {
  if (!turn.asks || ['offers_more', 'offers_action'].some((list) => says(turn, list))) return false;
  return turn.words.some((word) => OPEN.has(word)) || turn.words.includes('your');
}

function askedBefore(reading: CallReading, turn: SpokenTurn, thresholds: Record<string, number>): SpokenTurn | null {
  const earliest = Math.max(0, turn.order - limit(thresholds, 'withinTurns'));
  for (let order = turn.order - 1; order >= earliest; order -= 1) {
    const before = reading.spoken[order];
    const answer = reading.spoken[order + 1];
    if (before?.role !== 'agent' || !before.asks || answer?.role !== 'caller' || answer.order >= turn.order) continue;
    if (answer.newSlots === 0 || !isAlike(before.content, turn.content, limit(thresholds, 'alike'))) continue;
    // With another value for the next person, leg or item the question is rightly asked again.
    return sharesFigures(before, turn) ? before : null;
  }
  return null;
}

function sharesFigures(a: SpokenTurn, b: SpokenTurn): boolean {
  const figures = (turn: SpokenTurn) =>
    turn.words.filter((word) => /^(?:\d+|first|second|third|next|other|another)$/.test(word));
  return figures(a).join(' ') === figures(b).join(' ');
}
