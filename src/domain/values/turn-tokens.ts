import { hasDigit, type Words } from '../text.ts';
import { BEGINS_VALUE, VALUE_WORD } from '../words/word-bits.ts';
import { foreignTokens } from './foreign-tokens.ts';
import { isMoneySign } from './money.ts';
import type { Token } from './tokens.ts';
import type { CompiledWords } from './words-of.ts';

/** The tokens of a text, and the places among them at which a value may begin: nowhere else one does. */
export interface TokenRow {
  tokens: readonly Token[];
  starts: readonly number[];
}

/**
 * The tokens of a text from its words, which are cut already: words with digits fall into their parts, signs between words
 * are tokens of their own, and words of another language stand as the value readers know them.
 */
export function tokensOf(
  text: string,
  words: Words,
  bits: readonly number[],
  lists: CompiledWords,
  atMost: number,
): TokenRow {
  if (lists.grammar !== null) {
    const tokens = foreignTokens(text, words, lists.grammar, atMost);
    return { tokens, starts: [...tokens.keys()] };
  }
  const tokens: Token[] = [];
  const starts: number[] = [];
  const count = Math.min(words.words.length, atMost);
  const word = (at: number) => words.words[at] ?? '';
  for (let at = 0; at < count; at += 1) {
    const from = words.starts[at] ?? 0;
    const to = words.ends[at] ?? from;
    addSigns(tokens, starts, text, at === 0 ? 0 : (words.ends[at - 1] ?? 0), from);
    const first = tokens.length;
    if (hasDigit(word(at))) {
      addParts(tokens, text, from, to);
      for (let place = first; place < tokens.length; place += 1) starts.push(place);
    } else {
      tokens.push({ text: word(at), from, to, kind: 'word' });
      if (((bits[at] ?? 0) & (BEGINS_VALUE | VALUE_WORD)) !== 0 || to - from === 1) starts.push(first);
    }
  }
  if (count > 0 && count === words.words.length)
    addSigns(tokens, starts, text, words.ends[count - 1] ?? 0, text.length);
  return { tokens, starts };
}

function addSigns(tokens: Token[], starts: number[], text: string, from: number, to: number): void {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code === 0xa0) continue;
    const sign = text.charAt(at);
    if (isMoneySign(sign)) starts.push(tokens.length);
    tokens.push({ text: sign, from: at, to: at + 1, kind: 'sign' });
  }
}

/** "QM286" is a word and digits, "24th" digits and a word. */
function addParts(tokens: Token[], text: string, from: number, to: number): void {
  let start = from;
  for (let at = from + 1; at <= to; at += 1) {
    if (at < to && isDigit(text, at) === isDigit(text, start)) continue;
    const part = text.slice(start, at);
    tokens.push(
      isDigit(text, start)
        ? { text: part, from: start, to: at, kind: 'digits' }
        : { text: part.toLowerCase(), from: start, to: at, kind: 'word' },
    );
    start = at;
  }
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}
