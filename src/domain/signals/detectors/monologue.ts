import { type SpokenTurn, says } from '../../acts/spoken-turn.ts';
import { quoteTurn } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { MONOLOGUE } from '../entries/speaking.ts';
import { limit, missingVoice } from '../needs.ts';
import { placeAt } from '../places.ts';
import type { CallReading } from '../reading.ts';

/** The agent talks and talks. */
export const monologue: Detector = {
  entry: MONOLOGUE,
  detect(reading, _input, thresholds) {
    if (reading.agent.length === 0) return { reason: 'The agent said nothing on this call.' };
    const missing = missingVoice(reading);
    if (missing !== null && !looksSpoken(reading)) return missing;
    const long = reading.agent.filter((turn) => turn.words.length > limit(thresholds, 'words'));
    const timed = reading.timing?.timed.find(
      (turn) => turn.role === 'agent' && turn.endMs - turn.startMs > limit(thresholds, 'longestMs'),
    );
    const often =
      long.length >= limit(thresholds, 'turns') && long.length >= limit(thresholds, 'share') * reading.agent.length;
    const isUntimed = ({ index }: SpokenTurn) => reading.timing === null || reading.timing.untimed.includes(index);
    const atOnce = long.find((turn) => isUntimed(turn) && turn.words.length > limit(thresholds, 'wordsAtOnce'));
    if (!often && timed === undefined && atOnce === undefined) return [];
    const longest = long.reduce((a, b) => (a !== undefined && a.words.length >= b.words.length ? a : b), long[0]);
    const turn = often ? longest : (atOnce ?? reading.spokenAt.get(timed?.index ?? -1));
    if (turn === undefined || (!often && isAskedForAll(reading, turn))) return [];
    return [
      {
        turnIndex: turn.index,
        quote: quoteTurn(turn),
        detail: often
          ? `${long.length} of ${reading.agent.length} turns of the agent have more than ${limit(thresholds, 'words')} words; this one has ${turn.words.length}.`
          : timed === undefined
            ? `The agent said ${turn.words.length} words at a time.`
            : `The agent spoke for ${(((timed?.endMs ?? 0) - (timed?.startMs ?? 0)) / 1000).toFixed(0)} s without a pause.`,
        place: placeAt(reading, turn.index),
        confidence: 0.8,
      },
    ];
  },
};

/** "Read me the whole list": who asks for all of it gets a long answer. */
function isAskedForAll(reading: CallReading, turn: SpokenTurn): boolean {
  const before = reading.spoken[turn.order - 1];
  return before?.role === 'caller' && says(before, 'wants_all');
}

/** What a recogniser writes: turns of the caller that begin in small letters. People who type begin some in capitals. */
function looksSpoken(reading: CallReading): boolean {
  if (reading.call.channel === 'text' || reading.caller.length < TURNS_TO_TELL) return false;
  const small = reading.caller.filter((turn) => /^\p{Ll}/u.test(turn.turn.text.trimStart())).length;
  return small >= reading.caller.length * SMALL_SHARE;
}

const TURNS_TO_TELL = 2;
const SMALL_SHARE = 0.8;
