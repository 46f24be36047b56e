import { TALK as GERMAN } from './de/talk.ts';
import { TALK as ENGLISH } from './en/talk.ts';
import { TALK as SPANISH } from './es/talk.ts';
import { TALK as FRENCH } from './fr/talk.ts';
import { wordSet } from './question-words.ts';

/** Small words of one language by which rules tell what a sentence is about; rows of lower-case words. */
export interface TalkWords {
  /** By which people show that they hesitate, and that they are polite. */
  hesitant: string;
  polite: string;
  /** Of a sentence that tells when to be there, or when something closes, so that its time is none of what was booked. */
  beside: string;
  /** That say that an amount is a part of another one. */
  shares: string;
  /** Of a sentence that tells when the caller will hear, or what is done on the way, and not when the thing itself comes. */
  onTheWay: string;
  /** That make a claim a condition, a plan, or a report of what stands in a record. */
  conditions: string;
  /** By which a speaker claims a deed as their own. */
  own: string;
  /** How what is booked is called. */
  booked: string;
  /** Before a period that is no term ("the last two weeks"), and behind one that has passed ("two days ago"). */
  noTermBehind: string;
  passed: string;
  /** What periods are counted in. */
  periods: string;
  /** Headings of lists of prices, and words of a price that comes on top of another. */
  prices: string;
  onTop: string;
  /** How shares are said; this and the two before are phrases, joined by `/`. */
  percent: string;
  /** Of a prompt's clause: that set a condition, and that say what others may say or do. */
  orderConditions: string;
  orderOthers: string;
  /** Between the parts of a list. */
  lists: string;
  /** Before a limit: phrases, joined by `/`. */
  limits: string;
  persons: string;
  /** Before a clause that only says which one is meant. */
  relative: string;
  /** By which people say that what they heard made no sense, and that they listen. */
  whats: string;
  murmurs: string;
  /** Of a sentence about what was not so, and before what is only to come. */
  unreal: string;
  ahead: string;
  /** Numbers, days, and months in words, which are values of a request and no matter. */
  numbers: string;
  dates: string;
}

const BY_LANGUAGE: Readonly<Record<string, TalkWords>> = { en: ENGLISH, de: GERMAN, es: SPANISH, fr: FRENCH };

/** The words of one language (BCP 47 primary tag); of English where there are none. */
export function talkWordsOf(language: string | null, list: keyof TalkWords): ReadonlySet<string> {
  const words = BY_LANGUAGE[language ?? 'en'] ?? ENGLISH;
  const known = SETS.get(words[list]) ?? wordSet(words[list]);
  SETS.set(words[list], known);
  return known;
}

const SETS = new Map<string, ReadonlySet<string>>();

/** The words of all languages, where a text may be in another one than the talk, or none of them means something else there. */
export const talkWords = (list: keyof TalkWords): ReadonlySet<string> =>
  wordSet(
    Object.values(BY_LANGUAGE)
      .map((words) => words[list])
      .join(' '),
  );

/** The same of phrases. */
export const talkPhrases = (list: 'limits' | 'onTop' | 'percent' | 'prices'): readonly string[] =>
  Object.values(BY_LANGUAGE)
    .flatMap((words) => words[list].split('/'))
    .filter((phrase) => phrase !== '');
