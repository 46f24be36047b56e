import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { limit } from '../needs.ts';
import { findPhrase, phraseRulesOf } from '../phrase-rules.ts';
import { PROMPT } from '../places.ts';

/** A wording that the agent has to say is not there. */
export const requiredPhraseMissing: Detector = {
  entry: entry({
    code: 'required_phrase_missing',
    title: 'Required wording missing',
    klass: 'content',
    lane: 'understanding',
    severity: 'high',
    thresholds: { agentTurns: 2 },
    needs: ['words_of_the_talk', 'prompt'],
    isNot: 'A call that ended before the agent could say it.',
    check: 'Read where {place} asks for the wording, and when it is due.',
  }),
  detect(reading, input, thresholds) {
    const rules = phraseRulesOf(input);
    if (rules === null || rules.required.length === 0)
      return { reason: 'No wording is required by the settings or the prompt of this agent.' };
    if (reading.call.partial) return { reason: 'The transcript of this call is not complete.' };
    if (reading.agent.length < limit(thresholds, 'agentTurns') || !reading.callerSpoke) return [];
    return rules.required
      .filter((phrase) => findPhrase(reading, phrase) === null)
      .map((phrase) => ({
        turnIndex: reading.lastIndex,
        quote: '',
        detail: `The agent never said "${phrase.slice(0, 160)}".`,
        place: PROMPT,
        confidence: 0.8,
      }));
  },
};
