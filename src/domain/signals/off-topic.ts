import { does } from '../acts/act.ts';
import { type SpokenTurn, says } from '../acts/spoken-turn.ts';
import { talkWords } from '../words/talk-words.ts';
import type { CallReading } from './reading.ts';

const WHAT = talkWords('whats');
const LAST = new Set(['what', 'who', 'whom', 'which']);
const WORDS_OF_A_WHAT = 5;

/** "What?", "my what?", "lock who up?": the question word stands where the part stood that made no sense. */
function asksBack(turn: SpokenTurn): boolean {
  const { words } = turn;
  if (words.length <= 1) return WHAT.has(words[0] ?? '');
  return (
    turn.asks &&
    words.length <= WORDS_OF_A_WHAT &&
    (LAST.has(words.at(-1) ?? '') || LAST.has(words[1] ?? '')) &&
    !LAST.has(words[0] ?? '')
  );
}

/** Caller turns that show that what the agent said just before made no sense to them. */
export function bewildered(reading: CallReading): SpokenTurn[] {
  return reading.caller.filter((turn) => {
    const before = reading.spoken[turn.order - 1];
    if (before?.role !== 'agent' || before.order === 0) return false;
    if (says(turn, 'not_following')) return !putsRight(turn);
    return !before.asks && asksBack(turn);
  });
}

/** "That's not what I said, I said Tuesday": one value is wrong, and the talk makes sense. */
export function putsRight(turn: SpokenTurn): boolean {
  return does(turn, 'corrects') && does(turn, 'gives');
}

/** True where the agent's reply has matter, and none of it is what the caller has just said. */
export function takesUpNothing(reading: CallReading, turn: SpokenTurn): boolean {
  const before = reading.spoken[turn.order - 1];
  if (before?.role !== 'caller' || turn.content.length === 0) return false;
  return !turn.content.some((word) => before.content.includes(word));
}
