import { does } from '../acts/act.ts';
import { sentencesOf } from '../acts/sentences.ts';
import type { CallBase } from './call-base.ts';
import { readStanding, wants } from './outcome-standing.ts';
import type { SpokenTurn } from './spoken-turn.ts';
import { wantsPerson } from './wants-person.ts';

/**
 * How a talk whose request is open came to its end. Left in the middle: the caller has the last word, which is no leave, or
 * the agent still owed something. Otherwise both knew that it is over: they took leave, or the agent's last word stood.
 */
export function leftInTheMiddle(reading: CallBase): boolean {
  const last = reading.spoken.at(-1);
  if (last === undefined || readStanding(reading).kind === 'refused') return false;
  if (does(lastCaller(reading) ?? undefined, 'gives_up') && wantsPerson(reading)) return true;
  if (last.role === 'agent') {
    return (
      (last.asks && !does(last, 'offers_more')) ||
      does(last, 'holds', 'asks_value', 'asks_again') ||
      (!does(last, 'closes') && wants(lastCaller(reading)))
    );
  }
  if (wantsPerson(reading)) return true;
  if (does(last, 'thanks', 'closes')) return false;
  return !does(reading.agent.at(-1), 'offers_more', 'closes') || does(last, 'gives_up');
}

/**
 * The first of the caller's last turns that asks whether anybody is there, where no word of the agent comes behind it. Who had
 * been told of the success, or had been wished well, has what they called for.
 * @param success the turn of the last success; null for none.
 */
export function leftInSilence(reading: CallBase, success: number | null): SpokenTurn | null {
  const last = reading.agent.at(-1);
  const alone = reading.caller.filter(({ order }) => order > (last?.order ?? -1));
  if (does(last, 'closes') || (success !== null && success <= (last?.index ?? -1))) return null;
  if (alone.some((turn) => does(turn, 'thanks'))) return null;
  return alone.find(asksIntoSilence) ?? null;
}

/** "Are you there" ends its sentence; "está ahí al lado" goes on. */
function asksIntoSilence(turn: SpokenTurn): boolean {
  const ends = new Set(sentencesOf(turn).map(({ to }) => to));
  const calls = HELLOS.has(turn.words[0] ?? '');
  return turn.hits.some(({ list, to }) => list === 'hearing_check' && (calls || ends.has(to)));
}

const HELLOS = new Set(['hello', 'hallo', 'hola', 'oiga', 'allô', 'allo']);

function lastCaller(reading: CallBase): SpokenTurn | null {
  return reading.caller.at(-1) ?? null;
}
