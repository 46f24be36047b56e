import { splitName } from '../../calls/tool-words.ts';
import { EMPTY_WORDS } from '../../words/tools/results.ts';
import { normalised, slugOf } from './variants.ts';

const TELLING_WORDS = 2;

/**
 * What a failed tool names as its reason, in the form in which the same answer on another call is equal; null where its
 * words say no more than that it failed: then the cause stays open.
 */
export function toolSays(message: string, tool: string): string | null {
  const words = normalised(message);
  const own = new Set(splitName(tool));
  const telling = words.filter((word) => !EMPTY_WORDS.has(word) && !own.has(word) && word.length > 2);
  return new Set(telling).size < TELLING_WORDS ? null : slugOf(words);
}
