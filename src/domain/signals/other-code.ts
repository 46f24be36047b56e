import { cutWords } from '../text.ts';
import { LITTLE_WORDS } from '../words/en/words.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import { entry } from './entry.ts';

/** Codes of problems that only a model names: `other.` and two to five words. They never have an established cause. */
const PREFIX = 'other.';
const CODE = /^other\.[a-z]{2,20}(?:_[a-z]{2,20}){1,4}$/;
/** So many kinds of other problems an agent has at most; further names are left out. */
export const OTHER_CODES_AT_MOST = 30;
/** Two names that share so much of their words mean one problem. */
const SAME_PROBLEM = 0.6;
const WORDS_AT_MOST = 5;

export const isOtherCode = (code: string) => CODE.test(code);

/** The entry of a code that a model named: what the name says, and what holds for all of them. Undefined for other codes. */
export function otherEntry(code: string): CatalogueEntry | undefined {
  if (!isOtherCode(code)) return undefined;
  const words = code.slice(PREFIX.length).replaceAll('_', ' ');
  return entry({
    code,
    title: `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
    klass: 'content',
    lane: null,
    severity: 'medium',
    needs: ['words_of_the_talk'],
    isNot: 'Anything that a code of the catalogue names.',
    check: 'Read some of these calls at {place}: a model named the problem, and no rule can say what causes it.',
  });
}

/**
 * The code for a problem that a model names in words. A known one where the words mean it, whatever their order and
 * endings; null where the name is none (one word, other letters, a code of the catalogue) or the agent has enough.
 */
export function otherCodeOf(
  name: string,
  known: readonly string[],
  isInCatalogue: (code: string) => boolean,
): string | null {
  const words = cutWords(name.replaceAll('_', ' ')).words.filter((word) => !LITTLE_WORDS.has(word));
  const short = words.slice(0, WORDS_AT_MOST);
  const slug = short.join('_');
  const code = `${PREFIX}${slug}`;
  if (!isOtherCode(code) || isInCatalogue(slug)) return null;
  const stems = stemsOf(short);
  const same = known.find((one) => overlap(stems, stemsOf(one.slice(PREFIX.length).split('_'))) >= SAME_PROBLEM);
  if (same !== undefined) return same;
  return known.length < OTHER_CODES_AT_MOST ? code : null;
}

const stemsOf = (words: readonly string[]) => new Set(words.map((word) => word.replace(/(?:ing|ed|es|s|ly)$/, '')));

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / (a.size + b.size - shared);
}
