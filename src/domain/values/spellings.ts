import type { Token } from './tokens.ts';

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
    } else if (letters !== '' && (text === '-' || text === ',' || text === '.') && mayGoOn(tokens, next)) {
      next += 1;
    } else {
      break;
    }
  }
  return letters.length < LETTERS_AT_LEAST ? null : { next: end, letters: letters.toUpperCase() };
}

/** Behind a stop or a comma "I can" begins a sentence, and "D for dog" makes clear what was said. */
function mayGoOn(tokens: readonly Token[], sign: number): boolean {
  const [letter, behind] = [tokens[sign + 1], tokens[sign + 2]];
  if (tokens[sign]?.text !== '-' && behind?.kind === 'word' && !isLetter(behind)) return false;
  return isLetter(letter) || letter?.text === 'double';
}

function isLetter(token: Token | undefined): boolean {
  return token !== undefined && token.kind === 'word' && token.text.length === 1;
}
