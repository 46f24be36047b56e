import { does } from '../../acts/act.ts';
import { type SpokenTurn, says } from '../../acts/spoken-turn.ts';
import { quoteTurn } from '../../calls/quotes.ts';
import { firstFrom, usesBetween } from '../../calls/stretch.ts';
import { questionWordsOf } from '../../words/question-words-of.ts';
import type { Detector } from '../catalogue-entry.ts';
import { REASKED_KNOWN_SLOT } from '../entries/flow.ts';
import { knownSlot, saidAlone, saidBefore } from '../known-slots.ts';
import { missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import type { CallReading } from '../reading.ts';
import type { Detection } from '../signal.ts';

/** The agent asks for something that the caller seems to have given already. */
export const reaskedKnownSlot: Detector = {
  entry: REASKED_KNOWN_SLOT,
  detect(reading) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    if (reading.agent.length === 0) return { reason: 'The agent said nothing on this call.' };
    return reading.agent.flatMap((turn) => {
      if (does(turn, 'asks_again', 'cannot')) return [];
      const known = askedKnown(reading, turn);
      if (known !== null) return [known];
      const repeated = repeatedTo(reading, turn);
      return repeated === null ? [] : [repeated];
    });
  },
};

/** Certain: the answer says the same as before. */
function askedKnown(reading: CallReading, turn: SpokenTurn): Detection | null {
  for (const { kind, slot } of turn.acts) {
    if (kind !== 'asks_value' || slot === null || isConfirmed(turn)) continue;
    const known = knownSlot(reading, turn, slot);
    if (known === null || isMistaken(reading, known, turn)) continue;
    return {
      turnIndex: turn.index,
      quote: quoteTurn(turn),
      detail: `The agent asks for something that it had: the caller had said the same at turn ${known}.`,
      place: placeAt(reading, turn.index),
      confidence: 0.8,
      facts: { slot, by: 'same_answer' },
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

/** "Can you confirm the number once more" asks for a check, not for what is not known. */
function isConfirmed(turn: SpokenTurn): boolean {
  return does(turn, 'reads_back') || says(turn, 'spells');
}

/** What was given did not work: it was not found, or the caller corrected it since. */
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

const OR = new Set(['or', 'oder', 'o', 'ou']);
/** "Ja den Ludwig eben". */
const SHORT = 4;
