import { does } from '../../acts/act.ts';
import type { SpokenTurn } from '../../acts/spoken-turn.ts';
import { quoteTurn } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { CALLER_LEFT_MID_TASK } from '../entries/callers.ts';
import { limit, missingEnder } from '../needs.ts';
import { nodePlaceAt, toolPlace } from '../places.ts';
import type { CallReading } from '../reading.ts';
import type { Place } from '../signal.ts';

/** The caller left with the goal open. */
export const callerLeftMidTask: Detector = {
  entry: CALLER_LEFT_MID_TASK,
  detect(reading, _input, thresholds) {
    if (reading.agent.length === 0)
      return { reason: 'The record holds no turns of the agent, so nothing shows what was still open.' };
    const leave = leaveInWords(reading);
    const { outcome, confidence } = reading.outcome();
    if (reading.spoken.length < limit(thresholds, 'turns')) return [];
    if (leave === null && outcome !== null && outcome !== 'abandoned') return [];
    // Who ended the call matters where nothing else tells: were it asked first, only calls that show this would count.
    const missing = leave === null ? missingEnder(reading) : null;
    if (missing !== null) return missing;
    if (leave === null && outcome === null) return [];
    const { endedBy } = reading.call.ending;
    if (endedBy === 'platform' || (endedBy === 'agent' && leave === null)) return [];
    const last = leave ?? reading.spoken.at(-1);
    return [
      {
        turnIndex: last?.index ?? reading.lastIndex,
        quote: last === undefined ? '' : quoteTurn(last),
        detail:
          leave === null
            ? 'The caller left with the request open.'
            : 'The caller gives up and leaves with the request open.',
        place: lastStep(reading),
        confidence: leave === null ? Math.min(0.8, confidence) : 0.6,
      },
    ];
  },
};

/** The caller's last words give up or complain, with no thanks: they leave, whoever ended the call. A refusal that they accept is another matter. */
function leaveInWords(reading: CallReading): SpokenTurn | null {
  const last = reading.caller.at(-1);
  if (last === undefined || last.order < reading.spoken.length - 2 || does(last, 'thanks')) return null;
  const before = reading.spoken[last.order - 1];
  if (does(last, 'gives_up')) return does(before, 'cannot') && !does(last, 'complains') ? null : last;
  const isLast = last.order === reading.spoken.length - 1;
  if (isLast && does(last, 'closes') && wasUpset(reading, last)) return last;
  return isLast && does(last, 'complains') && reading.outcome().outcome !== 'resolved' ? last : null;
}

/** Where the call stood: the step, else the last tool with a result, else the start. */
function lastStep(reading: CallReading): Place {
  const node = nodePlaceAt(reading, reading.lastIndex);
  if (node !== null) return node;
  const use = reading.tools.findLast((one) => one.resultTurn !== null);
  return use === undefined ? { kind: 'agent', id: 'start', label: 'the start of the call' } : toolPlace(use);
}

/** A bare goodbye on the heels of a complaint or a wish for a person that came to nothing. */
function wasUpset(reading: CallReading, last: SpokenTurn): boolean {
  const { outcome } = reading.outcome();
  if (outcome === 'resolved' || outcome === 'transferred') return false;
  return reading.caller.slice(-3).some((one) => one.order < last.order && does(one, 'complains', 'asks_for_person'));
}
