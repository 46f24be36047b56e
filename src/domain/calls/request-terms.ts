import { DATE_WORDS, NUMBER_WORDS, STOP_WORDS } from '../signals/phrases/words-en.ts';
import { cutWords, hasDigit, type Words } from './text.ts';

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
  'want need like would wanted help looking look calling call trying try please know tell give question name said say er erm hm hmm mm ah eh listen actually maybe really kind sort bit lot wondering wish hoping able possible make sure think thing something anything one see also today now yes hi hello'.split(
    ' ',
  ),
);

export function requestTerms(requests: readonly string[]): Terms {
  const weights = new Map<string, number>();
  const spoken = new Map<string, string>();
  for (const [at, request] of requests.slice(0, REQUESTS_READ).entries()) {
    const weight = at === 0 ? 1 : LATER_WEIGHT;
    let before: string | null = null;
    const cut = cutWords(request);
    const named = namesIn(request, cut);
    for (const [place, word] of cut.words.entries()) {
      if (weights.size >= TERMS_AT_MOST) break;
      if (named.has(place)) continue;
      if (
        STOP_WORDS.has(word) ||
        ASKING.has(word) ||
        NUMBER_WORDS.has(word) ||
        DATE_WORDS.has(word) ||
        hasDigit(word) ||
        word.length < 2 ||
        word.includes("'")
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

/** Above this share of capitals a text is written in another manner, and a capital means nothing. */
const CAPITALS_AT_MOST = 0.4;

/** Places of the words that are names of people and places: a capital and small letters, not at the start of a sentence. */
function namesIn(text: string, cut: Words): ReadonlySet<number> {
  const named = new Set<number>();
  for (const [place, start] of cut.starts.entries()) {
    const before = text.slice(cut.ends[place - 1] ?? 0, start);
    const first = text.charCodeAt(start);
    const second = text.charCodeAt(start + 1);
    if (place === 0 || /[.!?:]/.test(before) || first < 0x41 || first > 0x5a) continue;
    if (second >= 0x61 && second <= 0x7a) named.add(place);
  }
  return named.size > cut.words.length * CAPITALS_AT_MOST ? new Set() : named;
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
