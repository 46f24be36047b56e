import { hasDigit, type Words } from '../text.ts';
import type { CompiledGrammar } from './compiled-grammar.ts';
import { rewriteTokens, type TalkToken } from './rewrite-tokens.ts';
import type { Token } from './tokens.ts';

/** The tokens of a text in another language than English, in the words of the value readers. */
export function foreignTokens(text: string, words: Words, grammar: CompiledGrammar, atMost: number): Token[] {
  const tokens: TalkToken[] = [];
  const count = Math.min(words.words.length, atMost);
  for (let at = 0; at < count; at += 1) {
    const from = words.starts[at] ?? 0;
    addSigns(tokens, text, at === 0 ? 0 : (words.ends[at - 1] ?? 0), from);
    addWord(tokens, text, from, words.ends[at] ?? from, grammar);
  }
  if (count > 0 && count === words.words.length) addSigns(tokens, text, words.ends[count - 1] ?? 0, text.length);
  return rewriteTokens(text.includes('@') ? tokens : withoutHyphens(tokens), grammar);
}

function addSigns(tokens: TalkToken[], text: string, from: number, to: number): void {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x20 && code !== 0xa0 && code !== 0x202f)
      tokens.push({ text: text.charAt(at), from: at, to: at + 1, kind: 'sign' });
  }
}

/** "QM286" is a word and digits, "l'adresse" two words, "12€" digits and a word. */
function addWord(tokens: TalkToken[], text: string, start: number, end: number, grammar: CompiledGrammar): void {
  const written = text.slice(start, end);
  if (!hasDigit(written)) {
    addPieces(tokens, written, start, end, grammar);
    return;
  }
  for (const match of written.matchAll(/\d+|\D+/g)) {
    const [piece] = match;
    const from = start + match.index;
    if (/^\d/.test(piece)) tokens.push({ text: piece, from, to: from + piece.length, kind: 'digits' });
    else addPieces(tokens, piece, from, from + piece.length, grammar);
  }
}

function addPieces(tokens: TalkToken[], written: string, from: number, to: number, grammar: CompiledGrammar): void {
  const pieces = grammar.fold(written.toLowerCase().replaceAll('\u2019', "'"));
  const capital = written.length === 1 && written !== written.toLowerCase();
  for (const [place, text] of pieces.entries()) {
    if (text === '') continue;
    tokens.push({ text, from, to, kind: 'word', capital, elided: place < pieces.length - 1 });
  }
}

/** "quatre-vingt-quinze", "rendez-vous": a hyphen between words joins what is read as words. */
function withoutHyphens(tokens: readonly TalkToken[]): TalkToken[] {
  return tokens.filter((token, at) => {
    if (token.text !== '-') return true;
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    const joins =
      before?.kind === 'word' && after?.kind === 'word' && before.to === token.from && token.to === after.from;
    return !joins || before.text.length === 1 || after.text.length === 1;
  });
}
