import { VALUE } from '../../acts/lists/word-bits.ts';
import type { SpokenTurn } from '../../calls/spoken-turn.ts';
import { firstFrom } from '../../calls/stretch.ts';
import { hasDigit } from '../../calls/text.ts';
import type { ToolUse } from '../../calls/tool-uses.ts';
import { argumentLeaves, resultLeaves } from '../../calls/use-leaves.ts';
import type { Detector } from '../catalogue-entry.ts';
import { TOOL_RESULT_IGNORED } from '../entries/tools.ts';
import { limit, missingPhrases, missingTools } from '../needs.ts';
import { toolPlace } from '../places.ts';
import { quoteResult } from '../quotes.ts';
import type { CallReading } from '../reading.ts';

/** A look-up gave something, and nothing of it is said or used afterwards. */
export const toolResultIgnored: Detector = {
  entry: TOOL_RESULT_IGNORED,
  detect(reading, _input, thresholds) {
    const missing = missingPhrases(reading) ?? missingTools(reading);
    if (missing !== null) return missing;
    const agentTurns = limit(thresholds, 'agentTurns');
    const lastGiven = placesOfArguments(reading);
    return reading.tools.flatMap((use, at) => {
      if (!isAnswer(use) || use.resultTurn === null || isOneOfSeveral(reading, at)) return [];
      const { resultTurn } = use;
      const first = firstFrom(reading.agent, resultTurn + 1);
      const next = reading.agent.slice(first, first + agentTurns);
      const leaves = tellingLeaves(use);
      if (next.length < agentTurns || leaves.length < LEAVES_AT_LEAST) return [];
      if (
        leaves.some(({ text }) => (lastGiven.get(text) ?? at) > at) ||
        saysWords(next, leaves) ||
        saysValues(next, leaves)
      )
        return [];
      return [
        {
          turnIndex: resultTurn,
          quote: quoteResult(use),
          detail: `${use.name} answered with ${leaves.length} values; none was said in the next ${agentTurns} turns of the agent, and no later tool call takes one up.`,
          place: toolPlace(use),
          confidence: 0.6,
          candidate: true,
        },
      ];
    });
  },
};

const LEAVES_AT_LEAST = 2;
/** Tools whose answer is a yes or a no, or arithmetic of the agent's own. */
const CHECKS = new Set('verify validate authenticate check confirm calculate compute count think log'.split(' '));

function isAnswer(use: ToolUse): boolean {
  return use.effect === 'read' && use.ok !== false && !use.refusal && !CHECKS.has(use.nameWords[0] ?? '');
}

/** Who looks through several records before the caller speaks again needs one of them. */
function isOneOfSeveral(reading: CallReading, at: number): boolean {
  const use = reading.tools[at];
  return [reading.tools[at - 1], reading.tools[at + 1]].some((other) => {
    if (use === undefined || other === undefined || other.name !== use.name) return false;
    const [from, to] = [use.callTurn ?? 0, other.callTurn ?? 0].sort((a, b) => a - b);
    return !reading.caller.some(({ index }) => index > (from ?? 0) && index < (to ?? 0));
  });
}

interface Telling {
  text: string;
  words: readonly string[];
}

/** Values that could be said or handed on: no flags, no empty fields, nothing that was asked with. */
function tellingLeaves(use: ToolUse): Telling[] {
  const asked = new Set(argumentLeaves(use).map(({ value }) => String(value).toLowerCase()));
  return resultLeaves(use).flatMap((leaf) => {
    if (leaf.value === null || typeof leaf.value === 'boolean') return [];
    const text = String(leaf.value).toLowerCase();
    if (text.length < 2 || asked.has(text)) return [];
    return [{ text, words: text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 3) }];
  });
}

function saysWords(next: readonly SpokenTurn[], leaves: readonly Telling[]): boolean {
  const wanted = new Set(leaves.flatMap(({ words }) => words));
  return next.some(({ words }) => words.some((word) => wanted.has(word)));
}

/** An agent who names numbers or dates after a result that holds some is taken to read from it. */
function saysValues(next: readonly SpokenTurn[], leaves: readonly Telling[]): boolean {
  if (!leaves.some(({ text }) => hasDigit(text))) return false;
  return next.some(({ words, bits }) => words.some((word, at) => ((bits[at] ?? 0) & VALUE) !== 0 || hasDigit(word)));
}

/** The place of the last tool use that was given each value. */
function placesOfArguments(reading: CallReading): ReadonlyMap<string, number> {
  return new Map(
    reading.tools.flatMap((use, at) =>
      argumentLeaves(use).map(({ value }): [string, number] => [String(value).toLowerCase(), at]),
    ),
  );
}
