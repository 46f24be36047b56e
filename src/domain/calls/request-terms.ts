import { DATE_WORDS, NUMBER_WORDS, STOP_WORDS } from '../signals/phrases/words-en.ts';
import { cutWords, hasDigit } from './text.ts';

/** The terms of a call's requests. */
export interface Terms {
  /** Stemmed words and pairs of words, in order of appearance, with their weights. */
  weights: Map<string, number>;
  /** The form in which a stemmed word was spoken first. */
  spoken: Map<string, string>;
}

const REQUESTS_READ = 3;
const TERMS_AT_MOST = 60;
/** The first request is what the call is about; later ones count for less. */
const LATER_WEIGHT = 0.5;
const PAIR_WEIGHT = 0.5;

/** Words of asking, which every request holds and which so say nothing about it. */
const ASKING = new Set(
  'want need like would wanted help looking look calling call trying try please know tell give question wondering wish hoping able possible make sure think thing something anything one see also today now yes hi hello'.split(
    ' ',
  ),
);

export function requestTerms(requests: readonly string[]): Terms {
  const weights = new Map<string, number>();
  const spoken = new Map<string, string>();
  for (const [at, request] of requests.slice(0, REQUESTS_READ).entries()) {
    const weight = at === 0 ? 1 : LATER_WEIGHT;
    let before: string | null = null;
    for (const word of cutWords(request).words) {
      if (weights.size >= TERMS_AT_MOST) break;
      if (
        STOP_WORDS.has(word) ||
        ASKING.has(word) ||
        NUMBER_WORDS.has(word) ||
        DATE_WORDS.has(word) ||
        hasDigit(word) ||
        word.length < 2
      ) {
        continue;
      }
      const term = stem(word);
      if (!spoken.has(term)) spoken.set(term, word);
      weights.set(term, Math.max(weight, weights.get(term) ?? 0));
      if (before !== null && before !== term) {
        const pair = `${before} ${term}`;
        weights.set(pair, Math.max(weight * PAIR_WEIGHT, weights.get(pair) ?? 0));
      }
      before = term;
    }
  }
  return { weights, spoken };
}

/** A light stem: plural and the common endings of verbs, so that "booking flights" and "book a flight" share their words. */
function stem(word: string): string {
  let base = word.endsWith("'s") ? word.slice(0, -2) : word;
  if (base.length > 5 && base.endsWith('ing')) base = undouble(base.slice(0, -3));
  else if (base.length > 4 && base.endsWith('ied')) base = `${base.slice(0, -3)}y`;
  else if (base.length > 4 && base.endsWith('ies')) base = `${base.slice(0, -3)}y`;
  else if (base.length > 4 && base.endsWith('ed')) base = undouble(base.slice(0, -2));
  else if (base.length > 3 && base.endsWith('s') && !base.endsWith('ss') && !base.endsWith('us'))
    base = base.slice(0, -1);
  return base.length > 4 && base.endsWith('e') ? base.slice(0, -1) : base;
}

function undouble(word: string): string {
  const last = word.at(-1);
  return word.length > 3 && last === word.at(-2) && last !== 'l' && last !== 's' ? word.slice(0, -1) : word;
}
