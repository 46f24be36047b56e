import type { ActValue } from './value.ts';

/**
 * Values that were said in parts: "Friday the twentieth of November" is one date, "zero seven, two six, eight" one number.
 */
export function joinParts(text: string, values: readonly ActValue[], between: ReadonlySet<string>): ActValue[] {
  const joined: ActValue[] = [];
  for (const value of values) {
    const before = joined.at(-1);
    const one = before === undefined ? null : join(text, before, value, between);
    if (one === null) joined.push(value);
    else joined[joined.length - 1] = one;
  }
  return joined;
}

function join(text: string, a: ActValue, b: ActValue, small: ReadonlySet<string>): ActValue | null {
  const between = text.slice(a.to, b.from);
  if (a.kind === 'date' && b.kind === 'date') {
    const [first = '', ...more] = between
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((word) => word !== '');
    const whole =
      isWeekday(a) !== isWeekday(b) &&
      !(hasWeekday(a) && hasWeekday(b)) &&
      a.denied === b.denied &&
      more.length === 0 &&
      (first === '' || small.has(first));
    return whole ? { ...both(text, a, b), forms: [...a.forms, ...b.forms] } : null;
  }
  if (!isRow(a) || !isRow(b) || !/^[\s,.–-]{1,3}$/.test(between)) return null;
  if (isReadOut(a, b)) return { ...both(text, a, b), kind: a.kind, slot: a.slot, forms: a.forms };
  const digits = digitsOf(a) + digitsOf(b);
  // A few digits a piece, as numbers are read out; longer pieces are numbers of their own.
  if (Math.min(digitsOf(a).length, digitsOf(b).length) > PIECE_AT_MOST || digits.length > ROW_AT_MOST) return null;
  return {
    ...both(text, a, b),
    kind: a.kind === 'code' || b.kind === 'code' ? 'code' : 'number',
    slot: 'code',
    forms: [digits],
  };
}

/** "Sixty, six zero": one number, and its figures. */
function isReadOut(a: ActValue, b: ActValue): boolean {
  const digits = digitsOf(a);
  return (
    a.slot === 'count' && digits.length === 2 && digitsOf(b) === digits && WORD.test(a.text) && TWO_WORDS.test(b.text)
  );
}

const WORD = /^\p{L}+$/u;
const TWO_WORDS = /^\S+\s\S+$/;

function isWeekday(value: ActValue): boolean {
  return value.forms.every((form) => form.startsWith('weekday'));
}

/** "Tuesday the first, Wednesday the second" are two days. */
function hasWeekday(value: ActValue): boolean {
  return value.forms.some((form) => form.startsWith('weekday'));
}

const PIECE_AT_MOST = 5;
const ROW_AT_MOST = 40;

function isRow(value: ActValue): boolean {
  return value.kind === 'code' || (value.kind === 'number' && (value.slot === 'count' || value.slot === 'code'));
}

/** The digits one after the other are the last form of a number, and the only one of a code. */
function digitsOf(value: ActValue): string {
  return value.forms.at(-1) ?? '';
}

function both(text: string, a: ActValue, b: ActValue): ActValue {
  return { ...b, from: a.from, text: text.slice(a.from, b.to), denied: a.denied };
}
