import { FilterProblem, SIGNS, type Sign } from './filter.ts';

/** A value as it was written, with the place of its first character, from 1. */
export interface Written {
  text: string;
  isQuoted: boolean;
  at: number;
}

export type Piece =
  | { kind: 'open' | 'close' | 'or' | 'not'; at: number }
  | { kind: 'words'; value: Written; at: number }
  | { kind: 'field'; name: string; sign: Sign; values: Written[]; at: number };

const NAME = /[\p{L}_][\p{L}\p{M}\p{N}_.-]*:/uy;
const BARE = /[^\s()"]+/uy;
const BARE_IN_LIST = /[^\s()",]+/uy;

/** Cuts a filter into its pieces. @throws FilterProblem */
export function splitLine(line: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(line)?.[0] ?? null;
    at += found?.length ?? 0;
    return found;
  };
  const takeQuoted = (): Written => {
    const from = at + 1;
    const end = line.indexOf('"', from);
    if (end === -1) throw new FilterProblem('This quotation mark is not closed', from);
    at = end + 1;
    return { text: line.slice(from, end), isQuoted: true, at: from };
  };
  const takeValue = (bare: RegExp): Written | null => {
    if (line[at] === '"') return takeQuoted();
    const from = at + 1;
    const text = take(bare);
    return text === null ? null : { text, isQuoted: false, at: from };
  };
  const takeField = (name: string, from: number): Piece => {
    const sign = SIGNS.find((each) => line.startsWith(each, at));
    at += sign?.length ?? 0;
    const values: Written[] = [];
    do {
      const value = takeValue(BARE_IN_LIST);
      if (value === null) throw new FilterProblem(`${name}: has no value`, at + 1);
      values.push(value);
    } while (line[at] === ',' && (at += 1) > 0);
    return { kind: 'field', name, sign: sign ?? '=', values, at: from };
  };
  for (;;) {
    while (/\s/.test(line.charAt(at))) at += 1;
    if (at >= line.length) return pieces;
    const from = at + 1;
    const sign = line.charAt(at);
    if (sign === '(' || sign === ')') {
      pieces.push({ kind: sign === '(' ? 'open' : 'close', at: from });
      at += 1;
      continue;
    }
    if (sign === '-' && /\S/.test(line.charAt(at + 1))) {
      pieces.push({ kind: 'not', at: from });
      at += 1;
      continue;
    }
    const name = take(NAME);
    if (name !== null) {
      pieces.push(takeField(name.slice(0, -1), from));
      continue;
    }
    const value = takeValue(BARE);
    if (value === null) throw new FilterProblem('This cannot be read', from);
    if (!value.isQuoted && value.text === 'AND') continue;
    pieces.push(!value.isQuoted && value.text === 'OR' ? { kind: 'or', at: from } : { kind: 'words', value, at: from });
  }
}
