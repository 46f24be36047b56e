import { isGlued, type Token } from './tokens.ts';

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['@', '@'],
  ['.', '.'],
  ['-', '-'],
  ['_', '_'],
  ['+', '+'],
  ['at', '@'],
  ['dot', '.'],
  ['hyphen', '-'],
  ['dash', '-'],
  ['minus', '-'],
  ['underscore', '_'],
  ['plus', '+'],
]);
const PIECES_AT_MOST = 24;

/** "anna.berg@mail.com", "accounts at bexley hyphen tooling dot co dot uk": an address that begins at a token. */
export function readEmail(tokens: readonly Token[], at: number): { next: number; form: string } | null {
  if (tokens[at]?.kind === 'sign' || SIGNS.has(tokens[at]?.text ?? '')) return null;
  let form = '';
  let next = at;
  let signed = true;
  for (let pieces = 0; pieces < PIECES_AT_MOST && next < tokens.length; pieces += 1) {
    const token = tokens[next];
    if (token === undefined) break;
    const sign = SIGNS.get(token.text);
    if (sign !== undefined) {
      // A full stop ends a sentence; within an address nothing stands behind it but the next part.
      if (signed || (token.kind === 'sign' && !isGlued(tokens, next + 1))) break;
      form += sign;
      signed = true;
    } else if (token.kind === 'sign' || !(signed || isGlued(tokens, next))) {
      break;
    } else {
      form += token.text;
      signed = false;
    }
    next += 1;
  }
  if (signed) {
    form = form.slice(0, -1);
    next -= 1;
  }
  const [name, host, ...more] = form.split('@');
  if (name === undefined || name === '' || host === undefined || more.length > 0) return null;
  return /[^.]\.[a-z]{2,}$/.test(host) ? { next, form } : null;
}
