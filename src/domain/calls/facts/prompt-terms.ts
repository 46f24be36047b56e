import { cutWords } from '../../text.ts';
import { valuesOfText } from '../../values/turn-values.ts';
import type { ActValue } from '../../values/value.ts';
import { lookUp } from '../../words/lexicon.ts';
import { talkPhrases, talkWords } from '../../words/talk-words.ts';
import { STOP, VALUE } from '../../words/word-bits.ts';
import type { CallBase } from '../call-base.ts';
import { stem } from '../word-stem.ts';

/** A part of a prompt that names amounts or periods, with the words that say of what. */
export interface PromptTerm {
  /** Stems of its words of matter that stand in no other part of the prompt. */
  words: ReadonlySet<string>;
  /** Stems of all its words of matter. */
  matters: ReadonlySet<string>;
  /** What it counts beside its amounts: the ten of "a package of ten hours, 350 pounds". */
  counts: ReadonlySet<number>;
  amounts: ReadonlySet<number>;
  /** Numbers of hours, days, weeks, months or years, by the slot of their unit. */
  periods: ReadonlyMap<string, ReadonlySet<number>>;
  /** It says what comes on top of something else. */
  onTop: boolean;
}

export interface PromptTerms {
  terms: readonly PromptTerm[];
  /** Every number of the prompt, whatever it counts. */
  numbers: ReadonlySet<number>;
  /** Those that are amounts of money. */
  amounts: ReadonlySet<number>;
  /** Shares in a hundred that it names. */
  shares: ReadonlySet<number>;
}

/** Read once a version: text does not change within one. */
const KNOWN = new WeakMap<object, PromptTerms>();

/** The terms of the agent's prompt; null where it was not captured. */
export function termsOf({ configuration, language }: Pick<CallBase, 'configuration' | 'language'>): PromptTerms | null {
  if (configuration === null || configuration.prompt === null) return null;
  const known = KNOWN.get(configuration) ?? promptTerms(configuration.prompt, language ?? 'en');
  KNOWN.set(configuration, known);
  return known;
}

const PROMPT_READ = 60_000;
const SHARE = new RegExp(`(?<!\\d)(\\d+(?:[.,]\\d+)?)\\s*(?:%|(?:${talkPhrases('percent').join('|')})\\b)`, 'gi');

/** The terms of a prompt: what costs how much and lasts how long, part by part as commas and stops cut it. */
function promptTerms(prompt: string, language: string): PromptTerms {
  const parts = prompt
    .slice(0, PROMPT_READ)
    .split('\n')
    .flatMap((line) => partsOfLine(line))
    .map((part) => ({ text: part, words: mattersOf(part, language), values: valuesOfText(part, language) }));
  const seen = new Map<string, number>();
  for (const word of parts.flatMap(({ words }) => [...words])) seen.set(word, (seen.get(word) ?? 0) + 1);
  const terms = parts.flatMap(({ text, words, values }): PromptTerm[] => {
    const amounts = new Set(values.filter(({ kind }) => kind === 'money').flatMap(numbersOf));
    const periods = Map.groupBy(values.filter(isPeriod), ({ slot }) => slot);
    if (amounts.size === 0 && periods.size === 0) return [];
    const own = [...words].filter((word) => seen.get(word) === 1);
    return [
      {
        words: new Set(own),
        matters: words,
        counts: new Set(values.filter(({ kind }) => kind === 'number').flatMap(numbersOf)),
        amounts,
        periods: new Map([...periods].map(([slot, list]) => [slot, new Set(list.flatMap(numbersOf))])),
        onTop: ON_TOP.test(text),
      },
    ];
  });
  return {
    terms,
    numbers: new Set(parts.flatMap(({ values }) => values.flatMap(numbersOf))),
    amounts: new Set(terms.flatMap(({ amounts }) => [...amounts])),
    shares: new Set([...prompt.slice(0, PROMPT_READ).matchAll(SHARE)].map(([, share = '']) => toNumber(share))),
  };
}

/** "Prices in pounds: lesson 38, mock test 60": what stands last in a part is its price. */
const PRICE_LIST = new RegExp(`^\\W*(?:${talkPhrases('prices').join('|')})\\b[^:]{0,60}:`, 'i');
const LAST_NUMBER = /(?<![\d.:,–-])\d+(?:[.,]\d{2})?\s*$/;
const ON_TOP = new RegExp(`\\b(?:${talkPhrases('onTop').join('|')})\\b`, 'i');

/** In a list of prices the figures behind the colon, up to the first stop, are prices. */
function partsOfLine(line: string): string[] {
  const [heading] = PRICE_LIST.exec(line) ?? [];
  if (heading === undefined) return partsOf(line);
  const rest = line.slice(heading.length);
  const stop = /\.(?=\s|$)/.exec(rest)?.index ?? rest.length;
  // What stands in brackets is a part of its own.
  const list = rest.slice(0, stop).replaceAll(/[()]/g, ', ');
  return [heading.slice(0, -1), ...partsOf(list).map(priced), ...partsOf(rest.slice(stop))].filter(
    (part) => part.trim() !== '',
  );
}

/** With a sign of money, whichever: a prompt of one business has one currency, and amounts are compared by figures alone. */
function priced(part: string): string {
  return LAST_NUMBER.test(part) ? `${part.trimEnd()} €` : part;
}

const PERIODS: ReadonlySet<string> = new Set(
  ['hours', 'days', 'weeks', 'months', 'years'].map((unit) => `count:${unit}`),
);

export function isPeriod({ slot }: ActValue): boolean {
  return PERIODS.has(slot);
}

function toNumber(share: string): number {
  return Number(share.replace(',', '.'));
}

/** A comma within a figure cuts nothing. */
function partsOf(line: string): string[] {
  return line.split(/[.;:,](?=\s|$)/).filter((part) => part.trim() !== '');
}

export function numbersOf({ kind, forms }: ActValue): number[] {
  return kind === 'money' || kind === 'number' ? forms.map(Number).filter(Number.isFinite) : [];
}

/** Stems of the words that carry matter. */
export function mattersOf(text: string, language: string): ReadonlySet<string> {
  const { words } = cutWords(text);
  const bits = lookUp(words);
  return new Set(
    words
      .filter(
        (word, at) =>
          word.length >= LETTERS_AT_LEAST &&
          ((bits[at] ?? 0) & (STOP | VALUE)) === 0 &&
          !/\d/.test(word) &&
          !UNITS.has(word),
      )
      .map((word) => stem(word, language)),
  );
}

const LETTERS_AT_LEAST = 4;
/** What periods are counted in says of nothing what it is. */
const UNITS = talkWords('periods');
