import { does } from '../acts/act.ts';
import type { SpokenTurn } from '../acts/spoken-turn.ts';
import type { CallBase } from './call-base.ts';
import { readStanding, wants } from './outcome-standing.ts';
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

function lastCaller(reading: CallBase): SpokenTurn | null {
  return reading.caller.at(-1) ?? null;
}
