import type { CallBase } from './read-turns.ts';
import { says } from './spoken-turn.ts';

const MANY_DETAILS = 3;
const LONG_TURN_WORDS = 25;
const SHORT_TURN_WORDS = 3;

/** What kind of caller it is, told by rules from how they talk; the first kind that fits is taken. */
export function personaOf(reading: CallBase): string {
  const { caller } = reading;
  if (!reading.callerSpoke) return 'silent';
  const anySays = (list: string) => caller.some((turn) => says(turn, list));
  if (anySays('abusive')) return 'abusive';
  if (anySays('frustrated')) return 'frustrated';
  if (anySays('hurried')) return 'hurried';
  if (anySays('ask_human')) return 'asks_for_person';
  if (anySays('first_time')) return 'first_time';
  if (anySays('confused')) return 'confused';
  if ((caller.find((turn) => turn.content.length > 0)?.newSlots ?? 0) >= MANY_DETAILS) return 'detail_giver';
  const words = caller.reduce((sum, turn) => sum + turn.words.length, 0) / caller.length;
  if (words >= LONG_TURN_WORDS) return 'talkative';
  return words <= SHORT_TURN_WORDS && caller.length >= 3 ? 'terse' : 'cooperative';
}
