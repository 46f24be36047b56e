import { phraseAtToken } from '../words/phrase-table.ts';
import type { Catch, CompiledGrammar, Read, Reading } from './compiled-grammar.ts';
import { readWholeNumber } from './rewrite-numbers.ts';
import { isGlued, type Token } from './tokens.ts';

function between(least: number, most: number, digitsAtMost: number): Read {
  return (tokens, at, grammar) => {
    const number = readWholeNumber(tokens, at, grammar);
    if (number === null || number.value < least || number.value > most || number.digits.length > digitsAtMost)
      return null;
    return number;
  };
}

/** "vierundzwanzigster", "premier", and "24." where a stop makes an ordinal. */
function ordinalUpTo(most: number): Read {
  return (tokens, at, grammar) => {
    const word = phraseAtToken(grammar.ordinals, tokens, at);
    if (word !== null) return word.value <= most ? word : null;
    const digits = tokens[at];
    if (!grammar.stopIsOrdinal || digits?.kind !== 'digits' || digits.text.length > 2) return null;
    if (tokens[at + 1]?.text !== '.' || !isGlued(tokens, at + 1)) return null;
    const value = Number(digits.text);
    return value >= 1 && value <= most ? { next: at + 2, value } : null;
  };
}

/** "26", "2026", "neunzehnhundertachtzig". */
const readYear: Read = (tokens, at, grammar) => {
  const number = readWholeNumber(tokens, at, grammar);
  if (number === null) return null;
  if (number.digits.length === 2) return number;
  return number.value >= 1900 && number.value <= 2199 ? number : null;
};

const readMonth: Read = (tokens, at, grammar) => phraseAtToken(grammar.months, tokens, at);

/** Two figures or one number in words, as in "8.30" and "acht Uhr dreißig". */
const readTwoFigures: Read = (tokens, at, grammar) =>
  tokens[at]?.kind === 'digits' && tokens[at]?.text.length !== 2 ? null : between(0, 59, 2)(tokens, at, grammar);

export const CATCHES: Readonly<Record<string, Catch>> = {
  number: { name: 'number', read: between(0, Number.MAX_SAFE_INTEGER, 15) },
  hour: { name: 'hour', read: between(0, 24, 2) },
  oclock: { name: 'hour', read: readOclock },
  minute: { name: 'minute', read: between(1, 59, 2) },
  minutes: { name: 'minute', read: readTwoFigures },
  cents: { name: 'cents', read: between(1, 99, 2) },
  tenths: { name: 'cents', read: between(10, 99, 2) },
  figures: { name: 'cents', read: readTwoFigures99 },
  day: { name: 'day', read: between(1, 31, 2) },
  ordinal: { name: 'day', read: ordinalUpTo(31) },
  month: { name: 'month', read: readMonth },
  monthnumber: { name: 'month', read: between(1, 12, 2) },
  monthth: { name: 'month', read: ordinalUpTo(12) },
  year: { name: 'year', read: readYear },
};

function readTwoFigures99(tokens: readonly Token[], at: number): Reading {
  const token = tokens[at];
  return token?.kind === 'digits' && token.text.length === 2 ? { next: at + 1, value: Number(token.text) } : null;
}

function readOclock(tokens: readonly Token[], at: number, grammar: CompiledGrammar): Reading {
  return grammar.one.has(tokens[at]?.text ?? '') ? { next: at + 1, value: 1 } : between(0, 24, 2)(tokens, at, grammar);
}
