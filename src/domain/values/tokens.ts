/** A piece of a text as the readers of values see it: a word in lower case, a run of digits, or a single sign. */
export interface Token {
  text: string;
  /** Offset in the text, in UTF-16 units. */
  from: number;
  to: number;
  kind: 'word' | 'digits' | 'sign';
}

const PIECES = /[\p{L}]+(?:['\u2019][\p{L}]+)*|\d+|[^\s\p{L}\d]/gu;

/** Cuts a text into words, runs of digits and signs, in one linear pass. */
export function cutTokens(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(PIECES)) {
    const piece = match[0];
    const code = piece.charCodeAt(0);
    const kind = code >= 0x30 && code <= 0x39 ? 'digits' : /^\p{L}/u.test(piece) ? 'word' : 'sign';
    tokens.push({
      text: kind === 'word' ? piece.toLowerCase().replaceAll('\u2019', "'") : piece,
      from: match.index,
      to: match.index + piece.length,
      kind,
    });
  }
  return tokens;
}

/** True where nothing, not even a space, stands between a token and the one before it. */
export function isGlued(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  const token = tokens[at];
  return before !== undefined && token !== undefined && before.to === token.from;
}
