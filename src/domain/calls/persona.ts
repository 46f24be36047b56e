import type { SpokenTurn } from '../acts/spoken-turn.ts';
import { says } from '../acts/spoken-turn.ts';
import { talkWords } from '../words/talk-words.ts';
import type { CallBase } from './call-base.ts';

const HESITANT = talkWords('hesitant');
const POLITE = talkWords('polite');

const MANY_DETAILS = 3;
const LONG_TURN_WORDS = 20;
const SHORT_TURN_WORDS = 4;
/** A manner is that of a caller who shows it in at least so many turns and in this share of them. */
const TURNS = 2;
const SHARE = 1 / 3;
/** A caller says please or thanks now and then; it is a manner in half of the turns. */
const POLITE_SHARE = 1 / 2;

/** What kind of caller it is, told by rules from how they talk; the first kind that fits is taken. */
export function personaOf(reading: CallBase): string {
  const { caller } = reading;
  if (reading.sides.caller.state === 'silent') return 'silent';
  if (caller.length === 0) return 'unknown';
  const anySays = (list: string) => caller.some((turn) => says(turn, list));
  if (anySays('abusive')) return 'abusive';
  if (anySays('frustrated') || anySays('reproaches')) return 'frustrated';
  if (anySays('hurried')) return 'hurried';
  if (anySays('ask_human')) return 'asks_for_person';
  if (anySays('first_time')) return 'first_time';
  if (anySays('confused')) return 'confused';
  if ((caller.find((turn) => turn.content.length > 0)?.newSlots ?? 0) >= MANY_DETAILS) return 'detail_giver';
  return mannerOf(caller);
}

function mannerOf(caller: readonly SpokenTurn[]): string {
  const often = (share: number, shows: (turn: SpokenTurn) => boolean) => {
    const turns = caller.filter(shows).length;
    return turns >= TURNS && turns >= caller.length * share;
  };
  const holds = (turn: SpokenTurn, words: ReadonlySet<string>) => turn.words.some((word) => words.has(word));
  if (caller.filter((turn) => turn.acts.some(({ kind }) => kind === 'corrects')).length >= TURNS) return 'correcting';
  if (often(SHARE, (turn) => holds(turn, HESITANT))) return 'hesitant';
  const words = caller.reduce((sum, turn) => sum + turn.words.length, 0) / caller.length;
  if (words >= LONG_TURN_WORDS) return 'talkative';
  if (words <= SHORT_TURN_WORDS && caller.length >= 3) return 'terse';
  // The first question is the request.
  if (caller.length > 2 && often(SHARE, (turn) => turn !== caller[0] && turn.asks)) return 'inquisitive';
  return often(POLITE_SHARE, (turn) => holds(turn, POLITE)) ? 'polite' : 'cooperative';
}
