import { does } from '../../acts/act.ts';
import { type SpokenTurn, says } from '../../calls/spoken-turn.ts';
import type { Detector } from '../catalogue-entry.ts';
import { CALLER_FRUSTRATED } from '../entries/callers.ts';
import { missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import { quotePhrase } from '../quotes.ts';
import type { CallReading } from '../reading.ts';

/** The caller says that they are fed up. */
export const callerFrustrated: Detector = {
  entry: CALLER_FRUSTRATED,
  detect(reading) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    return reading.caller
      .flatMap((turn, at) => {
        const list = at === 0 ? undefined : LISTS.find((one) => says(turn, one));
        if (list === undefined) return [];
        const isAboutAgent = list === 'reproaches' || hadTrouble(reading, turn);
        return list === 'exclaims' && !isAboutAgent ? [] : [{ turn, list, isAboutAgent }];
      })
      .map(({ turn, list, isAboutAgent }) => ({
        turnIndex: turn.index,
        quote: quotePhrase(turn, list),
        detail: 'The caller says that they are frustrated.',
        place: placeAt(reading, turn.index),
        confidence: 0.6,
        candidate: !isAboutAgent || isMadeGood(reading, turn),
      }));
  },
};

const LISTS = ['reproaches', 'frustrated', 'exclaims'];

/** Without trouble on this call what annoys the caller may be the matter: a rule of the business, their child, an earlier call. */
function hadTrouble(reading: CallReading, turn: SpokenTurn): boolean {
  return (
    reading.spoken.some((one) => one.order <= turn.order && isTrouble(one, turn)) ||
    reading.tools.some((use) => use.ok === false && (use.resultTurn ?? turn.index) < turn.index) ||
    (reading.timing?.answers ?? []).some(({ agent, gapMs }) => agent.index < turn.index && gapMs >= LONG_WAIT_MS)
  );
}

/** The caller got what they wanted and says thanks: what annoyed them on the way was put right. */
function isMadeGood(reading: CallReading, turn: SpokenTurn): boolean {
  return (
    reading.outcome().outcome === 'resolved' &&
    reading.caller.some((one) => one.order > turn.order && does(one, 'thanks'))
  );
}

const LONG_WAIT_MS = 6000;

function isTrouble(one: SpokenTurn, turn: SpokenTurn): boolean {
  if (one.role === 'agent') return does(one, 'asks_again');
  if (one === turn) return does(one, 'already_told', 'corrects') || says(one, 'not_answered');
  return (
    does(one, 'complains', 'already_told', 'corrects', 'asks_for_person', 'asks_again') || says(one, 'not_following')
  );
}
