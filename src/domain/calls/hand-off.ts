import { says } from '../acts/spoken-turn.ts';
import type { CallBase } from './call-base.ts';

/** What led to a hand-off. Whether it was right is another question than that it happened, and is not always known. */
export interface HandOff {
  /** `asked`: the caller asked for a person. `blocked`: the agent could not go on. `unknown`: nothing on the call says why. */
  reason: 'asked' | 'blocked' | 'unknown';
  /** True where the caller wanted it or the agent could not help; null where neither shows. */
  right: boolean | null;
  /** Turns that it stands on. */
  turns: number[];
  text: string;
}

/** @param atTurn the turn of the hand-off; what comes after it explains nothing. */
export function readHandOff(base: CallBase, atTurn: number): HandOff {
  const asked = base.caller.filter((turn) => turn.index <= atTurn && says(turn, 'ask_human'));
  if (asked.length > 0) {
    const turns = asked.map(({ index }) => index);
    return { reason: 'asked', right: true, turns, text: 'The caller had asked for a person.' };
  }
  const stops = base.tools.filter(
    (use) => use.effect !== 'transfer' && (use.blocked || use.ok === false) && (use.resultTurn ?? atTurn) < atTurn,
  );
  const last = stops.at(-1);
  if (last) {
    const what = last.blocked ? 'was refused' : 'failed';
    const turns = stops.flatMap(({ resultTurn }) => (resultTurn === null ? [] : [resultTurn]));
    return { reason: 'blocked', right: true, turns, text: `"${last.name}" ${what} before it.` };
  }
  return { reason: 'unknown', right: null, turns: [atTurn], text: 'Nothing on the call says why it was handed over.' };
}
