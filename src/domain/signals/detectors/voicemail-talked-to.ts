import { MACHINE_GREETING } from '../../acts/lists/en/machine.ts';
import { compilePhrases } from '../../acts/lists/phrase-list.ts';
import type { Turn } from '../../calls/call.ts';
import { type SpokenTurn, says } from '../../calls/spoken-turn.ts';
import { cutWords } from '../../calls/text.ts';
import type { Detector } from '../catalogue-entry.ts';
import { VOICEMAIL_TALKED_TO } from '../entries/flow.ts';
import { limit } from '../needs.ts';
import { AGENT } from '../places.ts';
import { quoteTurn } from '../quotes.ts';
import type { CallReading } from '../reading.ts';

const machinePhrases = compilePhrases({ machine: MACHINE_GREETING });
const WORDS_A_SECOND = 2.5;

/** The agent talked to an answering machine as if to a person. */
export const voicemailTalkedTo: Detector = {
  entry: VOICEMAIL_TALKED_TO,
  detect(reading, _input, thresholds) {
    const { call } = reading;
    if (call.turns.length === 0) return { reason: 'The call has no turns.' };
    const greeting = call.turns.slice(0, GREETS_WITHIN).find((turn) => isGreeting(reading, turn));
    const machine =
      call.ending.family === 'machine' || call.platformAnalysis?.inVoicemail === true || greeting !== undefined;
    const first = reading.agent.at(-1);
    if (!machine || first === undefined) return [];
    const spokenMs = agentSpokenMs(reading);
    if (spokenMs <= limit(thresholds, 'spokenMs')) return [];
    return [
      {
        turnIndex: first.index,
        quote: quoteTurn(first),
        detail: `The agent talked for about ${Math.round(spokenMs / 1000)} s to an answering machine.`,
        place: AGENT,
        confidence: greeting === undefined ? 0.8 : 0.6,
      },
    ];
  },
};

const GREETS_WITHIN = 6;

/** Who calls, asks or wants something speaks of messages too: "can I leave a message for the doctor?" */
function isGreeting(reading: CallReading, turn: Turn): boolean {
  const spoken = reading.spokenAt.get(turn.index);
  if (turn.role === 'other') return machinePhrases(cutWords(turn.text).words).length > 0;
  if (turn.role !== 'caller' || spoken === undefined) return false;
  // A record that names no direction counts as inbound: there a machine is whoever speaks before the agent does.
  if (reading.call.direction === 'inbound' && (reading.agent[0]?.index ?? Number.POSITIVE_INFINITY) < turn.index)
    return false;
  if (spoken.asks || wants(spoken)) return false;
  return says(spoken, 'machine') || machinePhrases(spoken.words).length > 0;
}

/** A wish that is no part of the greeting: the Spanish "deje" is written like "dejé". */
function wants({ hits }: SpokenTurn): boolean {
  const greetings = hits.filter(({ list }) => list === 'machine');
  return hits.some(
    (hit) => hit.list === 'request_strong' && !greetings.some(({ from, to }) => from <= hit.from && hit.to <= to),
  );
}

/** From exact times where there are any, else from the number of words at an ordinary pace. */
function agentSpokenMs(reading: CallReading): number {
  if (reading.timing !== null) {
    return reading.timing.timed.reduce((sum, turn) => sum + (turn.role === 'agent' ? turn.endMs - turn.startMs : 0), 0);
  }
  const words = reading.agent.reduce((sum, turn) => sum + turn.words.length, 0);
  return (words / WORDS_A_SECOND) * 1000;
}
