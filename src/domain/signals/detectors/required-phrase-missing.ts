import type { Detector } from '../catalogue-entry.ts';
import { REQUIRED_PHRASE_MISSING } from '../entries/claims.ts';
import { limit } from '../needs.ts';
import { findPhrase, type PhraseAtTool, phraseRulesOf, phrasesAtTools } from '../phrase-rules.ts';
import { PROMPT } from '../places.ts';
import type { CallReading } from '../reading.ts';
import type { Detection } from '../signal.ts';

/** A wording that the agent has to say is not there. */
export const requiredPhraseMissing: Detector = {
  entry: REQUIRED_PHRASE_MISSING,
  detect(reading, input, thresholds) {
    const always = phraseRulesOf(input)?.required ?? [];
    const ordered = new Set(input.phraseRules?.required);
    const atTools = phrasesAtTools(input);
    if (always.length === 0 && atTools.length === 0)
      return { reason: 'No wording is required by the settings or the prompt of this agent.' };
    if (reading.call.partial) return { reason: 'The transcript of this call is not complete.' };
    if (reading.agent.length < limit(thresholds, 'agentTurns') || !reading.callerSpoke) return [];
    const never = always
      .filter((phrase) => findPhrase(reading, phrase) === null)
      .map((phrase) => missed(reading.lastIndex, phrase, `The agent never said "${phrase.slice(0, 160)}".`));
    const found = [...never, ...atTools.flatMap((rule) => missedAtTool(reading, rule))];
    // Whether a sentence of the prompt means this call is for a reader; a setting means every call.
    return found.map((one) => ({ ...one, candidate: !ordered.has(one.facts.phrase) }));
  },
};

function missed(turnIndex: number, phrase: string, detail: string): Detection & { facts: { phrase: string } } {
  return { turnIndex, quote: '', detail, place: PROMPT, confidence: 0.8, facts: { phrase } };
}

/** The first use of the tool that worked, and the wording was not said when it was due. */
function missedAtTool(reading: CallReading, { phrase, tools, due }: PhraseAtTool): ReturnType<typeof missed>[] {
  const use = reading.tools.find(
    (one) => tools.includes(one.name) && one.resultTurn !== null && one.ok !== false && !one.refusal,
  );
  if (use?.resultTurn == null || use.callTurn === null) return [];
  const said = findPhrase(reading, phrase)?.turn.index ?? null;
  const { callTurn, resultTurn } = use;
  if (said !== null && (due === 'after' || said <= callTurn)) return [];
  const turnIndex =
    due === 'before' ? resultTurn : (reading.agent.find((one) => one.index > resultTurn)?.index ?? null);
  if (turnIndex === null) return [];
  const when = due === 'before' ? `before "${use.name}" was called` : `after "${use.name}" had worked`;
  return [missed(turnIndex, phrase, `The agent did not say "${phrase.slice(0, 160)}" ${when}.`)];
}
