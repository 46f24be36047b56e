import type { SpokenTurn } from '../../acts/spoken-turn.ts';
import { quoteTurn } from '../../calls/quotes.ts';
import { isAlike } from '../../text.ts';
import type { Detector } from '../catalogue-entry.ts';
import { unsureOf } from '../cause-rows/evidence.ts';
import { CALLER_REPEATED_SELF } from '../entries/hearing.ts';
import { limit } from '../needs.ts';
import { RECOGNISER } from '../places.ts';
import type { CallReading } from '../reading.ts';

/** The caller had to say the same thing again although nobody had asked it again. */
export const callerRepeatedSelf: Detector = {
  entry: CALLER_REPEATED_SELF,
  detect(reading, _input, thresholds) {
    if (reading.caller.length === 0) return { reason: 'The caller said nothing on this call.' };
    const within = limit(thresholds, 'withinTurns');
    const found: { turn: SpokenTurn; first: SpokenTurn }[] = [];
    for (const [at, turn] of reading.caller.entries()) {
      if (turn.content.length < limit(thresholds, 'contentWords')) continue;
      for (let back = at - 1; back >= 0; back -= 1) {
        const first = reading.caller[back];
        if (first === undefined || turn.order - first.order > within) break;
        if (first.content.length < limit(thresholds, 'contentWords')) continue;
        if (
          !isAlike(turn.content, first.content, limit(thresholds, 'alike')) ||
          answersSameQuestion(reading, turn, first)
        )
          continue;
        found.push({ turn, first });
        break;
      }
    }
    return found.map(({ turn, first }) => ({
      turnIndex: turn.index,
      quote: quoteTurn(turn),
      detail: `The caller had already said this at turn ${first.index}.`,
      place: RECOGNISER,
      confidence: 0.8,
      // Callers say things again for emphasis too: only where the recogniser was unsure is it known that they had to.
      candidate: unsureOf(reading, first.index) === null && unsureOf(reading, turn.index) === null,
    }));
  },
};

/** A question that is asked again is answered again; what was wrong then is the question, not the hearing. */
function answersSameQuestion(reading: CallReading, turn: SpokenTurn, first: SpokenTurn): boolean {
  const asked = reading.spoken[turn.order - 1];
  const askedFirst = reading.spoken[first.order - 1];
  if (asked?.role !== 'agent' || askedFirst?.role !== 'agent') return false;
  const common = asked.content.filter((word) => askedFirst.content.includes(word)).length;
  return asked.asks && askedFirst.asks && common >= Math.min(asked.content.length, askedFirst.content.length) / 2;
}
