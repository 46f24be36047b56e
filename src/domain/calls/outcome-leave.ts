import { does } from '../acts/act.ts';
import type { CallBase } from './call-base.ts';
import { readStanding, wants } from './outcome-standing.ts';
import { type SpokenTurn, says } from './spoken-turn.ts';
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

/** The first of the caller's last turns that asks whether anybody is there, where no word of the agent comes behind it. */
export function leftInSilence(reading: CallBase): SpokenTurn | null {
  const after = reading.agent.at(-1)?.order ?? -1;
  const alone = reading.caller.filter(({ order }) => order > after);
  if (alone.some((turn) => does(turn, 'thanks'))) return null;
  return alone.find((turn) => says(turn, 'hearing_check')) ?? null;
}

function lastCaller(reading: CallBase): SpokenTurn | null {
  return reading.caller.at(-1) ?? null;
}
