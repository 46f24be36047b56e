import { quoteTurn } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { VOICEMAIL_TALKED_TO } from '../entries/flow.ts';
import { limit } from '../needs.ts';
import { AGENT } from '../places.ts';
import type { CallReading } from '../reading.ts';

const WORDS_A_SECOND = 2.5;

/** The agent talked to an answering machine as if to a person. */
export const voicemailTalkedTo: Detector = {
  entry: VOICEMAIL_TALKED_TO,
  detect(reading, _input, thresholds) {
    const { call, answered } = reading;
    if (call.turns.length === 0) return { reason: 'The call has no turns.' };
    const last = reading.agent.at(-1);
    if (answered.by !== 'voicemail' || last === undefined) return [];
    const spokenMs = agentSpokenMs(reading);
    if (spokenMs <= limit(thresholds, 'spokenMs')) return [];
    return [
      {
        turnIndex: last.index,
        quote: quoteTurn(last),
        detail: `The agent talked for about ${Math.round(spokenMs / 1000)} s to an answering machine.`,
        place: AGENT,
        confidence: answered.basis === 'platform' ? 0.8 : 0.6,
      },
    ];
  },
};

/** From exact times where there are any, else from the number of words at an ordinary pace. */
function agentSpokenMs(reading: CallReading): number {
  if (reading.timing !== null && reading.timing.untimed.length === 0) {
    return reading.timing.timed.reduce((sum, turn) => sum + (turn.role === 'agent' ? turn.endMs - turn.startMs : 0), 0);
  }
  const words = reading.agent.reduce((sum, turn) => sum + turn.words.length, 0);
  return (words / WORDS_A_SECOND) * 1000;
}
