import { cutWords, hasDigit, type Words } from '../text.ts';
import { QUESTION_ADJECTIVES } from '../words/en/requests.ts';
import { DATE_WORDS, NUMBER_WORDS } from '../words/en/words.ts';
import { REQUEST_WORDS, type RequestLanguage, requestLanguage } from '../words/request-languages.ts';
import type { RequestWords } from '../words/request-words.ts';
import { talkWords } from '../words/talk-words.ts';
import { stem } from './word-stem.ts';

const OTHER_NUMBER_WORDS = talkWords('numbers');
const OTHER_DATE_WORDS = talkWords('dates');

/** The terms of a call's requests. */
export interface Terms {
  /** Meanings or stems of words, pairs of them and kinds of question, in order of appearance, with their weights (0 to 1). */
  weights: Map<string, number>;
  /** The form in which a term was spoken first. */
  spoken: Map<string, string>;
  /** Terms that stood where a verb stands ("to …", "can you …", "please …"), and the form in which they did. */
  acts: Map<string, string>;
  /** Terms that stood where a thing stands ("my …", "a …"). */
  things: Set<string>;
  /** Terms that were also written as a name. */
  names: Set<string>;
  /** Of the first request. */
  language: RequestLanguage;
}

const REQUESTS_READ = 3;
const TERMS_AT_MOST = 60;
/** The first request is what the call is about; later ones count for less. */
const LATER_WEIGHT = 0.5;
const PAIR_WEIGHT = 0.5;
/** What a caller tells beside the sentence that asks. */
export const ASIDE_WEIGHT = 0.4;
const QUESTION_WEIGHT = 0.7;
/** Reads the first requests of a call; later ones count half, and sentences that don't ask count less. */
export function requestTerms(requests: readonly string[]): Terms {
  const terms: Terms = {
    weights: new Map(),
    spoken: new Map(),
    acts: new Map(),
    things: new Set(),
    names: new Set(),
    language: requestLanguage(cutWords(requests[0] ?? '').words),
  };
  for (const [at, request] of requests.slice(0, REQUESTS_READ).entries()) {
    const weight = at === 0 ? 1 : LATER_WEIGHT;
    const language = at === 0 ? terms.language : requestLanguage(cutWords(request).words);
    for (const sentence of sentencesOf(request)) readSentence(terms, sentence, weight, language);
  }
  return terms;
}

/** True where a text holds a word that says what a call is about. */
export function hasMatter(text: string): boolean {
  return requestTerms([text]).weights.size > 0;
}

/** True where a text asks for something, by its question mark or by words of asking of its language. */
export function asksWithMatter(text: string): boolean {
  const { words } = cutWords(text);
  const { asks } = REQUEST_WORDS[requestLanguage(words)];
  return (text.includes('?') || words.some((word) => asks.has(word))) && hasMatter(text);
}

function readSentence(terms: Terms, sentence: string, weight: number, language: RequestLanguage): void {
  const cut = cutWords(sentence);
  const known = REQUEST_WORDS[language];
  const words = language === 'fr' ? cut.words.map(withoutElision) : cut.words;
  const asks = sentence.includes('?') || words.some((word) => known.asks.has(word));
  const own = asks ? weight : weight * ASIDE_WEIGHT;
  // German writes every thing with a capital.
  const named = language === 'de' ? NOWHERE : namesIn(sentence, cut);
  let before: string | null = null;
  for (const [place, word] of words.entries()) {
    if (terms.weights.size >= TERMS_AT_MOST) return;
    const question = questionAt(words, place);
    if (question !== null) raise(terms.weights, question, own * QUESTION_WEIGHT);
    const meaning = known.verbs.get(word) ?? known.things.get(word);
    const term = meaning ?? stem(word, language);
    if (named.has(place) && meaning === undefined) {
      terms.names.add(term);
      continue;
    }
    if (!tells(word, known)) continue;
    if (!terms.spoken.has(term)) terms.spoken.set(term, word);
    if (isAct(words, place, known)) {
      if (!terms.acts.has(term)) terms.acts.set(term, word);
    } else if (isThing(words, place, known)) terms.things.add(term);
    raise(terms.weights, term, own);
    if (before !== null && before !== term) raise(terms.weights, `${before} ${term}`, own * PAIR_WEIGHT);
    before = term;
  }
}

const NOWHERE: ReadonlySet<number> = new Set();

/** A verb that is known, where no thing can stand, or what follows a word that a verb follows. */
function isAct(words: readonly string[], place: number, known: RequestWords): boolean {
  const word = words[place] ?? '';
  const before = words[place - 1];
  if (before !== undefined && known.beforeThings.has(before)) return false;
  if (known.verbs.has(word)) return true;
  if (known.things.has(word)) return before !== undefined && known.infinitive === null && known.beforeVerbs.has(before);
  // Languages whose verbs show in their form are read by it, English by the place.
  if (known.infinitive === null) return known.beforeVerbs.has(before ?? 'to');
  const behind = before !== undefined && known.beforeVerbs.has(before);
  return (behind || place === words.length - 1) && known.infinitive.test(word) && !known.empty.has(word);
}

function isThing(words: readonly string[], place: number, known: RequestWords): boolean {
  if (known.things.has(words[place] ?? '')) return true;
  const [before = '', twoBefore = ''] = [words[place - 1], words[place - 2]];
  return known.beforeThings.has(before) || (known.beforeThings.has(twoBefore) && tells(before, known));
}

/** "how long", "when", "where": what is asked about, though its words are too common to count by themselves. */
function questionAt(words: readonly string[], place: number): string | null {
  const word = words[place];
  if (word === 'when' || word === 'where') return `?${word}`;
  const next = words[place + 1] ?? '';
  return word === 'how' && QUESTION_ADJECTIVES.has(next) ? `?${next}` : null;
}

function tells(word: string, known: RequestWords): boolean {
  return !(
    word.length < 2 ||
    known.empty.has(word) ||
    known.people.has(word) ||
    NUMBER_WORDS.has(word) ||
    DATE_WORDS.has(word) ||
    OTHER_NUMBER_WORDS.has(word) ||
    OTHER_DATE_WORDS.has(word) ||
    hasDigit(word) ||
    word.includes("'")
  );
}

/** "l'adresse" is a small word and "adresse". */
function withoutElision(word: string): string {
  return word.replace(/^(?:[cdjlmnst]|qu)'/, '');
}

function raise(weights: Map<string, number>, term: string, weight: number): void {
  if (weight > (weights.get(term) ?? 0)) weights.set(term, weight);
}

/** Sentences, and parts of them that begin with "but" or "because". */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.?!;])\s|\s(?=but |because )/).filter((sentence) => sentence.trim() !== '');
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
