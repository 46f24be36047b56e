import { type SpokenTurn, says } from '../../acts/spoken-turn.ts';
import { quoteTurn } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { CLOSING_MISSING } from '../entries/flow.ts';
import { missingPhrases, missingTools } from '../needs.ts';
import { placeAt } from '../places.ts';

/** Something was done, and the agent never says so before the call ends. */
export const closingMissing: Detector = {
  entry: CLOSING_MISSING,
  detect(reading) {
    const missing = missingPhrases(reading) ?? missingTools(reading);
    if (missing !== null) return missing;
    if (reading.outcome().outcome !== 'resolved' || reading.call.ending.endedBy === 'caller') return [];
    const done = reading.tools.findLast((use) => use.effect === 'write' && use.ok === true && !use.refusal);
    if (done?.resultTurn == null) return [];
    const resultTurn = done.resultTurn;
    const after = reading.agent.filter((turn) => turn.index > resultTurn);
    const told = after.some((turn) => turn.words.length >= wordsOfTelling(turn) || says(turn, 'offers_more'));
    const last = reading.agent.at(-1);
    if (told || last === undefined) return [];
    return [
      {
        turnIndex: last.index,
        quote: quoteTurn(last),
        detail: `After "${done.name}" had worked the agent said nothing that tells the caller so.`,
        place: placeAt(reading, last.index),
        confidence: 0.6,
        candidate: true,
      },
    ];
  },
};

/** "Your card is blocked." tells, and "Okay, thanks, goodbye." does not. */
const wordsOfTelling = (turn: SpokenTurn) => (turn.asks || says(turn, 'closing') ? 5 : 3);
