import type { CallBase } from './call-base.ts';
import { cutSentences } from './ledger/sentences.ts';
import { cutWords } from './text.ts';

/** How well a refusal stands: the agent's own rules say so, it had looked the case up, or neither. */
export type RefusalGround = 'own_rule' | 'looked_up' | 'none';

const RESTRICTS =
  /\b(?:not|cannot|can't|never|only|must|unless|except|otherwise|no|strict|deny|denied|without|prohibited)\b/i;
const PROMPT_READ = 60_000;
/** A line of the prompt speaks of the same matter where it shares so many words that carry matter. */
const SHARED_AT_LEAST = 3;
const LETTERS_AT_LEAST = 4;

/**
 * What a refusal at a turn stands on. A rule counts where one line of the prompt that restricts something shares at least three
 * words of matter with the refusing sentence; whether the rule was applied rightly this can't see.
 */
export function groundOfRefusal(reading: CallBase, turn: number): RefusalGround {
  const before = reading.tools.filter((use) => (use.callTurn ?? use.resultTurn ?? 0) <= turn);
  const lookedUp = before.some((use) => use.resultTurn !== null && use.ok !== false);
  const prompt = reading.configuration?.prompt ?? null;
  if (prompt === null) return lookedUp ? 'looked_up' : 'none';
  const spoken = reading.agent
    .filter((one) => one.hits.some((hit) => hit.list === 'refuses') && one.index <= turn)
    .slice(-3);
  const refusals = spoken.flatMap((one) => cutSentences(one.turn.text)).map((sentence) => matterOf(sentence.text));
  const rules = prompt
    .slice(0, PROMPT_READ)
    .split('\n')
    .filter((line) => RESTRICTS.test(line))
    .map((line) => new Set(matterOf(line)));
  const ruled = refusals.some((words) =>
    rules.some((rule) => words.filter((word) => rule.has(word)).length >= SHARED_AT_LEAST),
  );
  if (ruled && lookedUp) return 'own_rule';
  return lookedUp ? 'looked_up' : 'none';
}

/** Longer words in a form in which "cancelled", "cancel" and "cancellation" are one. */
function matterOf(text: string): string[] {
  const words = cutWords(text).words.filter((word) => word.length >= LETTERS_AT_LEAST && !COMMON.has(word));
  return [...new Set(words.map((word) => word.slice(0, STEM)))];
}

const STEM = 6;
const COMMON = new Set(
  'your have with that this will would could should from they them their there been were what when which about also only more than then into please help assist user caller customer agent cannot unfortunately reservation order booking'.split(
    ' ',
  ),
);
