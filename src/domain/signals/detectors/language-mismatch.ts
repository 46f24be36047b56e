import type { SpokenTurn } from '../../acts/spoken-turn.ts';
import { guessLanguage, LanguageCounts, otherLanguageOf, primaryLanguage } from '../../calls/language.ts';
import { quoteTurn } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { LANGUAGE_MISMATCH } from '../entries/hearing.ts';
import { limit } from '../needs.ts';
import { AGENT } from '../places.ts';
import type { CallReading } from '../reading.ts';
import type { Detection } from '../signal.ts';

const AGENT_TURNS_READ = 20;

/** Caller and agent speak different languages. */
export const languageMismatch: Detector = {
  entry: LANGUAGE_MISMATCH,
  detect(reading, input, thresholds) {
    const changed = changedTo(reading);
    if (changed.length >= limit(thresholds, 'turns')) return [changedDetection(changed)];
    const words = new LanguageCounts();
    for (const turn of reading.agent.slice(0, AGENT_TURNS_READ)) words.add(turn.bits);
    const agent = guessLanguage(words).language ?? primaryLanguage(input.configuration?.language ?? null);
    if (agent === null) return { reason: "The agent's words do not tell its language, and none is set." };
    const foreign = reading.caller.filter((turn) => otherLanguageOf(turn.bits, agent) !== null);
    const first = foreign[0];
    if (first === undefined || foreign.length < limit(thresholds, 'turns')) return [];
    const spoken = otherLanguageOf(first.bits, agent);
    return [
      {
        turnIndex: first.index,
        quote: quoteTurn(first),
        detail: `${foreign.length} turns of the caller are in "${spoken}"; the agent speaks "${agent}".`,
        place: AGENT,
        confidence: 0.6,
        facts: { set: input.configuration?.language ?? null },
      },
    ];
  },
};

/** Turns in which the agent speaks a language that the caller does not, though it had spoken the caller's. */
function changedTo(reading: CallReading): readonly SpokenTurn[] {
  const spoken = (turn: SpokenTurn) => guessLanguage(new LanguageCounts().add(turn.bits)).language;
  const callers = new Set(reading.caller.map(spoken));
  const joint = reading.agent.find((turn) => spoken(turn) !== null && callers.has(spoken(turn)));
  if (joint === undefined) return [];
  return reading.agent.filter((turn) => {
    const own = spoken(turn);
    return turn.order > joint.order && own !== null && !callers.has(own);
  });
}

function changedDetection(turns: readonly SpokenTurn[]): Detection {
  const [first] = turns;
  return {
    turnIndex: first?.index ?? 0,
    quote: first === undefined ? '' : quoteTurn(first),
    detail: `The agent speaks another language in ${turns.length} turns, which the caller never spoke.`,
    place: AGENT,
    confidence: 0.6,
  };
}
