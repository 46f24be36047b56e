import { does } from '../../acts/act.ts';
import { type SpokenTurn, says } from '../../acts/spoken-turn.ts';
import { quotePhrase } from '../../calls/quotes.ts';
import { isAlike } from '../../text.ts';
import { talkWords } from '../../words/talk-words.ts';
import type { Detector } from '../catalogue-entry.ts';
import { SAID_ALREADY_TOLD } from '../entries/hearing.ts';
import { saidBefore } from '../known-slots.ts';
import { missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import type { CallReading } from '../reading.ts';

/** The caller says that they have given this already. */
export const saidAlreadyTold: Detector = {
  entry: SAID_ALREADY_TOLD,
  detect(reading) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    return reading.caller.flatMap((turn) => {
      const list = LISTS.find((one) => says(turn, one));
      if (list === undefined || turn.order < 2 || !isMeantForAgent(reading, turn, list)) return [];
      return [
        {
          turnIndex: turn.index,
          quote: quotePhrase(turn, list),
          detail: describe(askedBefore(reading, turn)),
          place: placeAt(reading, turn.index),
          confidence: 0.6,
          candidate: !isAnswer(reading, turn),
        },
      ];
    });
  },
};

/** Said in answer to a question of the agent: else it may be about anybody who was told anything. */
function isAnswer(reading: CallReading, turn: SpokenTurn): boolean {
  const before = reading.spoken[turn.order - 1];
  return before?.asks === true || does(before, 'asks_value') || says(before, 'asks_for');
}

const LISTS = ['already_told', 'said_before'];

/**
 * Said to this agent, of something that it asked or took wrongly: "as I said" in passing is none, nor is what was said again
 * because the agent had not heard it.
 */
function isMeantForAgent(reading: CallReading, turn: SpokenTurn, list: string): boolean {
  // "I've told you before, don't ring me" speaks of earlier calls.
  if (does(turn, 'opts_out') || isAhead(turn, list)) return false;
  const before = reading.spoken[turn.order - 1];
  if (before?.role !== 'agent') return list === 'already_told';
  if (does(before, 'asks_again') || isUnheard(before)) return false;
  if (list === 'already_told') return !isToldFirst(reading, turn);
  if (before.asks && saidBefore(reading, turn) !== null) return true;
  return reading.talk.corrections.some((one) => one.turn === turn.index && one.explicit && one.oldBy === 'agent');
}

/** "Will I have to say it all again?" asks about what is to come. */
function isAhead(turn: SpokenTurn, list: string): boolean {
  return turn.hits.some((hit) => hit.list === list && AHEAD.has(turn.words[hit.from - 1] ?? ''));
}

const AHEAD = talkWords('ahead');

/** A code that is said for the first time was given on another call, or to somebody else. */
function isToldFirst(reading: CallReading, turn: SpokenTurn): boolean {
  const given = turn.values.filter(({ slot, denied }) => slot === 'code' && !denied);
  return (
    given.length > 0 &&
    !given.some(({ forms }) =>
      reading.caller.some(
        (one) => one.order < turn.order && one.values.some((value) => value.forms.some((form) => forms.includes(form))),
      ),
    )
  );
}

/** "The line broke up there": the agent says that it did not hear. */
function isUnheard(turn: SpokenTurn): boolean {
  return does(turn, 'apologises') && turn.asks && turn.words.length <= SHORT;
}

const SHORT = 14;
const LOOKED_BACK = 12;

function describe(before: number | null): string {
  const told = 'The caller says that they have already given this';
  return before === null ? `${told}.` : `${told}; the agent had asked nearly the same at turn ${before}.`;
}

function askedBefore(reading: CallReading, turn: SpokenTurn): number | null {
  const asked = reading.spoken[turn.order - 1];
  if (asked?.role !== 'agent' || !asked.asks) return null;
  for (let order = asked.order - 1; order >= Math.max(0, asked.order - LOOKED_BACK); order -= 1) {
    const before = reading.spoken[order];
    if (before?.role === 'agent' && before.asks && isAlike(before.content, asked.content, 0.6)) return before.index;
  }
  return null;
}
