import type { ActValue } from '../../acts/act.ts';
import { lookUp } from '../../acts/lists/lexicon.ts';
import { STOP, VALUE } from '../../acts/lists/word-bits.ts';
import { valuesOfText } from '../../acts/values.ts';
import type { CallBase } from '../call-base.ts';
import { cutWords } from '../text.ts';
import { stem } from '../word-stem.ts';

/** A part of a prompt that names amounts, with the words that say of what. */
export interface PromptTerm {
  /** Stems of its words of matter that stand in no other part of the prompt. */
  words: ReadonlySet<string>;
  amounts: ReadonlySet<number>;
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
const SHARE = /(\d+(?:[.,]\d+)?)\s*(?:%|per ?cent\b|prozent\b|por ciento\b|pour ?cent\b)/gi;

/** The terms of a prompt: what costs how much, part by part as commas and stops cut it. */
function promptTerms(prompt: string, language: string): PromptTerms {
  const parts = prompt
    .slice(0, PROMPT_READ)
    .split('\n')
    .flatMap((line) => partsOf(line))
    .map((part) => ({ words: mattersOf(part, language), values: valuesOfText(part, language) }));
  const seen = new Map<string, number>();
  for (const word of parts.flatMap(({ words }) => [...words])) seen.set(word, (seen.get(word) ?? 0) + 1);
  const terms = parts.flatMap(({ words, values }): PromptTerm[] => {
    const amounts = new Set(values.filter(({ kind }) => kind === 'money').flatMap(numbersOf));
    return amounts.size === 0 ? [] : [{ words: new Set([...words].filter((word) => seen.get(word) === 1)), amounts }];
  });
  return {
    terms,
    numbers: new Set(parts.flatMap(({ values }) => values.flatMap(numbersOf))),
    amounts: new Set(terms.flatMap(({ amounts }) => [...amounts])),
    shares: new Set([...prompt.slice(0, PROMPT_READ).matchAll(SHARE)].map(([, share = '']) => toNumber(share))),
  };
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
        (word, at) => word.length >= LETTERS_AT_LEAST && ((bits[at] ?? 0) & (STOP | VALUE)) === 0 && !/\d/.test(word),
      )
      .map((word) => stem(word, language)),
  );
}

const LETTERS_AT_LEAST = 4;
