import { hasDigit, type Words } from '../calls/text.ts';
import type { Token } from '../calls/values/tokens.ts';
import { foreignTokens } from './foreign-tokens.ts';
import type { CompiledWords } from './lists/words-of.ts';

/**
 * The tokens of a text from its words, which are cut already: words with digits fall into their parts, signs between words
 * are tokens of their own, and words of another language stand as the value readers know them.
 */
export function tokensOf(text: string, words: Words, lists: CompiledWords, atMost: number): Token[] {
  if (lists.grammar !== null) return foreignTokens(text, words, lists.grammar, atMost);
  const tokens: Token[] = [];
  const count = Math.min(words.words.length, atMost);
  const word = (at: number) => words.words[at] ?? '';
  for (let at = 0; at < count; at += 1) {
    const from = words.starts[at] ?? 0;
    const to = words.ends[at] ?? from;
    addSigns(tokens, text, at === 0 ? 0 : (words.ends[at - 1] ?? 0), from);
    if (hasDigit(word(at))) {
      addParts(tokens, text, from, to);
    } else {
      tokens.push({ text: word(at), from, to, kind: 'word' });
    }
  }
  if (count > 0 && count === words.words.length) addSigns(tokens, text, words.ends[count - 1] ?? 0, text.length);
  return tokens;
}

function addSigns(tokens: Token[], text: string, from: number, to: number): void {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x20 && code !== 0xa0) tokens.push({ text: text.charAt(at), from: at, to: at + 1, kind: 'sign' });
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
