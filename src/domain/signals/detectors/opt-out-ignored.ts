import { type SpokenTurn, says } from '../../acts/spoken-turn.ts';
import { quotePhrase } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { OPT_OUT_IGNORED } from '../entries/callers.ts';
import { limit, missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import type { CallReading } from '../reading.ts';
import type { Detection } from '../signal.ts';

/** The caller does not want to be called, and the agent goes on. */
export const optOutIgnored: Detector = {
  entry: OPT_OUT_IGNORED,
  detect(reading, _input, thresholds) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    const refusals = reading.caller.filter(
      (turn) => says(turn, 'opt_out') || (reading.call.direction === 'outbound' && says(turn, 'not_interested')),
    );
    return refusals
      .slice(0, REFUSALS_READ)
      .flatMap((refusal, at) => ignored(reading, refusal, at === 0 ? limit(thresholds, 'furtherTurns') : 0));
  },
};

const REFUSALS_READ = 5;

function ignored(reading: CallReading, refusal: SpokenTurn, furtherTurns: number): Detection[] {
  const after = reading.spoken.slice(refusal.order + 1, refusal.order + 40).filter((turn) => turn.role === 'agent');
  const goesOn = after.filter((turn) => !TAKES_IT.some((list) => says(turn, list)));
  if (goesOn[furtherTurns] === undefined) return [];
  return [
    {
      turnIndex: refusal.index,
      quote: quotePhrase(refusal, says(refusal, 'opt_out') ? 'opt_out' : 'not_interested'),
      detail: `The agent went on for ${goesOn.length} more turns.`,
      place: placeAt(reading, refusal.index),
      confidence: 0.6,
    },
  ];
}

const TAKES_IT = ['closing', 'goodbye', 'sorry', 'claim:remove', 'claim:add', 'claim:submit'];
