import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { limit, missingVoice } from '../needs.ts';
import { placeAt } from '../places.ts';
import { quoteTurn } from '../quotes.ts';

/** The agent talks and talks. */
export const monologue: Detector = {
  entry: entry({
    code: 'monologue',
    title: 'Agent talks too long at a time',
    klass: 'content',
    lane: 'speaking',
    severity: 'low',
    thresholds: { words: 60, turns: 3, share: 0.25, longestMs: 25_000 },
    needs: ['words_of_the_talk', 'spoken_channel'],
    isNot: 'One long explanation, a legal text that has to be read, or a text conversation.',
    // Agents that explain policies do this on a quarter of good calls, so only clearly more than that counts.
    noiseFloor: 0.25,
    section: 'improve',
    metric: 'unresolved',
    selfCause: true,
    check: 'Shorten what {place} says: one thought a turn, then a question.',
  }),
  detect(reading, _input, thresholds) {
    if (reading.agent.length === 0) return { reason: 'The agent said nothing on this call.' };
    const missing = missingVoice(reading);
    if (missing !== null) return missing;
    const long = reading.agent.filter((turn) => turn.words.length > limit(thresholds, 'words'));
    const timed = reading.timing?.timed.find(
      (turn) => turn.role === 'agent' && turn.endMs - turn.startMs > limit(thresholds, 'longestMs'),
    );
    const often =
      long.length >= limit(thresholds, 'turns') && long.length >= limit(thresholds, 'share') * reading.agent.length;
    if (!often && timed === undefined) return [];
    const longest = long.reduce((a, b) => (a !== undefined && a.words.length >= b.words.length ? a : b), long[0]);
    const turn = often ? longest : reading.spokenAt.get(timed?.index ?? -1);
    if (turn === undefined) return [];
    return [
      {
        turnIndex: turn.index,
        quote: quoteTurn(turn),
        detail: often
          ? `${long.length} of ${reading.agent.length} turns of the agent have more than ${limit(thresholds, 'words')} words; this one has ${turn.words.length}.`
          : `The agent spoke for ${(((timed?.endMs ?? 0) - (timed?.startMs ?? 0)) / 1000).toFixed(0)} s without a pause.`,
        place: placeAt(reading, turn.index),
        confidence: 0.8,
      },
    ];
  },
};
