import { DATE_WORDS, NUMBER_WORDS, STOP_WORDS } from '../signals/phrases/words-en.ts';
import { cutWords, hasDigit, type Words } from './text.ts';

/** The terms of a call's requests. */
export interface Terms {
  /** Stemmed words, pairs of words and kinds of question, in order of appearance, with their weights (0 to 1). */
  weights: Map<string, number>;
  /** The form in which a stemmed word was spoken first. */
  spoken: Map<string, string>;
  /** Stemmed words that stood where a verb stands ("to …", "can you …", "please …"), and the form in which they did. */
  acts: Map<string, string>;
  /** Stemmed words that were also written as a name. */
  names: Set<string>;
}

const REQUESTS_READ = 3;
const TERMS_AT_MOST = 60;
/** The first request is what the call is about; later ones count for less. */
const LATER_WEIGHT = 0.5;
const PAIR_WEIGHT = 0.5;
/** What a caller tells beside the sentence that asks. */
const ASIDE_WEIGHT = 0.4;
const QUESTION_WEIGHT = 0.7;

/** Words of asking and of talk, which every request may hold and which so say nothing about it. */
const ASKING = new Set(
  `want need like would wanna wanted needed help looking look calling call called trying try please know tell give question name named said say er erm hm hmm
  mm ah eh yup nope listen actually maybe really kind sort bit lot wondering wish hoping able possible make made sure think thought thing things
  something anything everything someone somebody anyone one ones see also today now yes hi hello gonna gotta cuz because good great perfect fine nice
  sorry believe guess mean much many well guy guys ahead way use using take taking come came other another day days morning ask asking asked got getting
  already ma'am sir mr mrs miss still even ever since last first little while back until`.split(/\s+/),
);

/** In a sentence that asks, one of these stands, or a question mark. */
const ASKS = new Set(
  `want need like wanna wanted needed can could would may how what when where which who why help calling trying looking wondering question please gotta let
  is are does do`.split(/\s+/),
);
/** After one of these a verb follows, mostly. */
const BEFORE_VERBS = new Set('to you i we please and can could just gotta wanna'.split(' '));
const QUESTIONS = new Set('long soon much many far late often old big'.split(' '));

/** Reads the first requests of a call; later ones count half, and sentences that don't ask count less. */
export function requestTerms(requests: readonly string[]): Terms {
  const terms: Terms = { weights: new Map(), spoken: new Map(), acts: new Map(), names: new Set() };
  for (const [at, request] of requests.slice(0, REQUESTS_READ).entries()) {
    const weight = at === 0 ? 1 : LATER_WEIGHT;
    for (const sentence of sentencesOf(request)) readSentence(terms, sentence, weight);
  }
  return terms;
}

function readSentence(terms: Terms, sentence: string, weight: number): void {
  const cut = cutWords(sentence);
  const { words } = cut;
  const asks = sentence.includes('?') || words.some((word) => ASKS.has(word));
  const own = asks ? weight : weight * ASIDE_WEIGHT;
  const named = namesIn(sentence, cut);
  let before: string | null = null;
  for (const [place, word] of words.entries()) {
    if (terms.weights.size >= TERMS_AT_MOST) return;
    const question = questionAt(words, place);
    if (question !== null) raise(terms.weights, question, own * QUESTION_WEIGHT);
    if (named.has(place)) {
      terms.names.add(stem(word));
      continue;
    }
    if (!tells(word)) continue;
    const term = stem(word);
    if (!terms.spoken.has(term)) terms.spoken.set(term, word);
    if (BEFORE_VERBS.has(words[place - 1] ?? 'to') && !terms.acts.has(term)) terms.acts.set(term, word);
    raise(terms.weights, term, own);
    if (before !== null && before !== term) raise(terms.weights, `${before} ${term}`, own * PAIR_WEIGHT);
    before = term;
  }
}

/** "how long", "when", "where": what is asked about, though its words are too common to count by themselves. */
function questionAt(words: readonly string[], place: number): string | null {
  const word = words[place];
  if (word === 'when' || word === 'where') return `?${word}`;
  const next = words[place + 1] ?? '';
  return word === 'how' && QUESTIONS.has(next) ? `?${next}` : null;
}

function tells(word: string): boolean {
  return !(
    word.length < 2 ||
    STOP_WORDS.has(word) ||
    ASKING.has(word) ||
    NUMBER_WORDS.has(word) ||
    DATE_WORDS.has(word) ||
    hasDigit(word) ||
    word.includes("'")
  );
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

/** A light stem: plural and the common endings of verbs, so that "booking flights" and "book a flight" share their words. */
export function stem(word: string): string {
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
