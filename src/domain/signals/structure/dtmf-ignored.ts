import type { Detector } from '../catalogue-entry.ts';
import { DTMF_IGNORED } from '../entries/hearing.ts';
import { limit } from '../needs.ts';
import { placeAt, TURN_TAKING } from '../places.ts';

/** The caller pressed a key and nothing happened. */
export const dtmfIgnored: Detector = {
  entry: DTMF_IGNORED,
  detect(reading, _input, thresholds) {
    const { turns } = reading.call;
    const keys = turns.filter((turn) => turn.dtmf !== null && turn.dtmf !== '');
    if (keys.length === 0) return { reason: 'The record of this call holds no key presses.' };
    if (reading.tools.length === 0 && reading.nodes.length === 0) {
      return { reason: 'The record holds neither tool calls nor steps, so nothing shows what a key did.' };
    }
    return keys.flatMap((key) => {
      const after = reading.agent.filter((turn) => turn.index > key.index)[limit(thresholds, 'turns') - 1];
      if (after === undefined) return [];
      const moved =
        reading.nodes.some((node) => node.turn > key.index && node.turn <= after.index) ||
        reading.tools.some(
          (use) => inside(use.callTurn, key.index, after.index) || inside(use.resultTurn, key.index, after.index),
        ) ||
        turns.some((turn) => turn.dtmf !== null && turn.index > key.index && turn.index <= after.index);
      if (moved) return [];
      const place = placeAt(reading, key.index);
      return [
        {
          turnIndex: key.index,
          quote: key.text,
          detail: `The caller pressed ${key.dtmf?.slice(0, 20)}; no step, no tool and no further key followed in the next two answers.`,
          place: place.kind === 'node' ? place : TURN_TAKING,
          confidence: 0.8,
        },
      ];
    });
  },
};

function inside(turn: number | null, after: number, until: number): boolean {
  return turn !== null && turn > after && turn <= until;
}
