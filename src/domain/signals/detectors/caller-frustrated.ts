import { does } from '../../acts/act.ts';
import { type SpokenTurn, says } from '../../calls/spoken-turn.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import { quotePhrase } from '../quotes.ts';
import type { CallReading } from '../reading.ts';

/** The caller says that they are fed up. */
export const callerFrustrated: Detector = {
  entry: entry({
    code: 'caller_frustrated',
    title: 'Caller frustrated',
    klass: 'content',
    lane: 'understanding',
    severity: 'medium',
    needs: ['words_of_the_talk'],
    ending: true,
    isNot: 'A caller who is annoyed about the matter before the agent has said anything.',
    check: 'Read the two turns before at {place}: what was the caller made to do?',
  }),
  detect(reading) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    return reading.caller
      .flatMap((turn, at) => {
        const list = at === 0 ? undefined : LISTS.find((one) => says(turn, one));
        return list === undefined || (list === 'exclaims' && !hadTrouble(reading, turn)) ? [] : [{ turn, list }];
      })
      .map(({ turn, list }) => ({
        turnIndex: turn.index,
        quote: quotePhrase(turn, list),
        detail: 'The caller says that they are frustrated.',
        place: placeAt(reading, turn.index),
        confidence: 0.6,
      }));
  },
};

const LISTS = ['frustrated', 'exclaims'];

/** An exclamation alone may be about the matter; after a first trouble with the agent it is about the agent. */
function hadTrouble(reading: CallReading, turn: SpokenTurn): boolean {
  return reading.caller.some(
    (one) =>
      one.order < turn.order && does(one, 'complains', 'already_told', 'corrects', 'asks_for_person', 'asks_again'),
  );
}
