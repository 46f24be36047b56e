import { phraseAtToken } from '../words/phrase-table.ts';
import type { CompiledGrammar } from './compiled-grammar.ts';
import { isGlued, type Token } from './tokens.ts';

export interface WholeNumber {
  next: number;
  value: number;
  /** As it was said: zeros in front are kept. */
  digits: string;
}

/** A number in figures ("1.250") or words ("zweihundertdreißig", "quatre-vingt-quinze") that begins at a token. */
export function readWholeNumber(tokens: readonly Token[], at: number, grammar: CompiledGrammar): WholeNumber | null {
  const token = tokens[at];
  if (token === undefined || token.kind === 'sign') return null;
  if (token.kind === 'digits') return readFigures(tokens, at, grammar);
  if (!grammar.beginsNumber.has(token.text)) return null;
  const first = readBelow1000(tokens, at, grammar);
  if (grammar.one.has(token.text) && first?.next === at + 1 && !isOne(tokens, at, grammar)) return null;
  const thousandAt = first?.next ?? at;
  if (!grammar.thousand.has(tokens[thousandAt]?.text ?? ''))
    return first === null ? null : { ...first, digits: String(first.value) };
  const rest = readBelow1000(tokens, thousandAt + 1, grammar);
  const value = (first?.value ?? 1) * 1000 + (rest?.value ?? 0);
  return { next: rest?.next ?? thousandAt + 1, value, digits: String(value) };
}

/** "1.250" and "1 250" are one number; decimals are left to the patterns of amounts. */
function readFigures(tokens: readonly Token[], at: number, grammar: CompiledGrammar): WholeNumber | null {
  let digits = tokens[at]?.text ?? '';
  let next = at + 1;
  if (digits.length > 15) return null;
  while (
    digits.length <= 3 + (next - at - 1) * 1.5 &&
    tokens[next]?.text === '.' &&
    isGlued(tokens, next) &&
    isGlued(tokens, next + 1) &&
    /^\d{3}$/.test(tokens[next + 1]?.text ?? '')
  ) {
    digits += tokens[next + 1]?.text ?? '';
    next += 2;
  }
  if (grammar.thousand.has(tokens[next]?.text ?? ''))
    return { next: next + 1, value: Number(digits) * 1000, digits: `${digits}000` };
  return { next, value: Number(digits), digits };
}

function readBelow1000(
  tokens: readonly Token[],
  at: number,
  grammar: CompiledGrammar,
): { next: number; value: number } | null {
  const hundreds = phraseAtToken(grammar.hundreds, tokens, at);
  if (hundreds === null) return phraseAtToken(grammar.below100, tokens, at);
  const rest = phraseAtToken(grammar.below100, tokens, hundreds.next);
  return rest === null ? hundreds : { next: rest.next, value: hundreds.value + rest.value };
}

/** "Ein" is a number before "Uhr" or "Person" and among figures; else it is an article. */
function isOne(tokens: readonly Token[], at: number, grammar: CompiledGrammar): boolean {
  if (grammar.oneBefore.has(tokens[at + 1]?.text ?? '')) return true;
  return [BEFORE, BEHIND].some((step) => isFigure(nearest(tokens, at, step, grammar), grammar));
}

const BEFORE = -1;
const BEHIND = 1;
/** "Uno uno, uno": nobody says more of them in a row. */
const ONES_AT_MOST = 4;

/** The nearest token that is no such word itself and no comma between two groups of figures. */
function nearest(tokens: readonly Token[], at: number, step: number, grammar: CompiledGrammar): Token | undefined {
  for (let count = 1; count <= ONES_AT_MOST; count += 1) {
    const token = tokens[at + count * step];
    if (token === undefined || (token.text !== ',' && !grammar.one.has(token.text))) return token;
  }
  return undefined;
}

function isFigure(token: Token | undefined, grammar: CompiledGrammar): boolean {
  return token !== undefined && (token.kind === 'digits' || grammar.beginsNumber.has(token.text));
}
