import type { Token } from '../calls/values/tokens.ts';

const LETTERS_AT_LEAST = 3;
const LETTERS_AT_MOST = 40;

/** "S T U double B S", "O-Y-E-L-A": a row of letters that spells a word and holds no digit. */
export function readSpelling(tokens: readonly Token[], at: number): { next: number; letters: string } | null {
  let letters = '';
  let next = at;
  let end = at;
  while (letters.length < LETTERS_AT_MOST) {
    const text = tokens[next]?.text ?? '';
    if (text === 'double' && isLetter(tokens[next + 1])) {
      letters += (tokens[next + 1]?.text ?? '').repeat(2);
      next += 2;
      end = next;
    } else if (isLetter(tokens[next])) {
      letters += text;
      next += 1;
      end = next;
    } else if (letters !== '' && (text === '-' || text === ',' || text === '.') && isLetter(tokens[next + 1])) {
      next += 1;
    } else {
      break;
    }
  }
  return letters.length < LETTERS_AT_LEAST ? null : { next: end, letters: letters.toUpperCase() };
}

function isLetter(token: Token | undefined): boolean {
  return token !== undefined && token.kind === 'word' && token.text.length === 1;
}
