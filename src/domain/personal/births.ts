import type { Random } from '../random.ts';
import { cutTokens, isGlued, type Token } from '../values/tokens.ts';
import { foldWord, NUMBER_PHRASES, PHRASE_WORDS, sayBelow100, speechOf } from './number-words.ts';
import { inCaseOf } from './runs.ts';

export interface Day {
  year: number;
  month: number;
  day: number;
}

/** A day with its year, as it stands in a text. */
export interface WrittenDay extends Day {
  from: number;
  to: number;
  /** True where day and month may also be the other way round: 3/4/1982. */
  isEither: boolean;
  parts: readonly Part[];
}

interface Part {
  from: number;
  to: number;
  /** Token behind it. */
  next: number;
  of: keyof Day;
  value: number;
  style: 'name' | 'figures' | 'ordinal' | 'words' | 'ordinal words';
}

type Reading = Omit<Part, 'of'>;

const MONTHS: readonly (readonly string[])[] = [
  'january february march april may june july august september october november december'.split(' '),
  'januar februar märz april mai juni juli august september oktober november dezember'.split(' '),
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' '),
  'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
  'jan feb mar apr may jun jul aug sep oct nov dec'.split(' '),
];
const MONTH_OF = new Map(
  MONTHS.flatMap((names) => names.map((name, at): [string, number] => [foldWord(name), at + 1])),
);
const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  );
const BETWEEN = new Set([',', '.', '-', 'of', 'de', 'del', 'the', 'in']);
const BETWEEN_AT_MOST = 2;

/** Days with their years: "1982-03-04", "3/4/82", "March 4th, 1982", "the fourth of march nineteen eighty two", "4. März 1982". */
export function readDays(text: string): WrittenDay[] {
  const tokens = cutTokens(text);
  const days: WrittenDay[] = [];
  let at = 0;
  while (at < tokens.length) {
    const found = inFigures(tokens, at) ?? inWords(tokens, at);
    if (found !== null) days.push(found);
    at = found?.parts.at(-1)?.next ?? at + 1;
  }
  return days;
}

/** Another day some years off, whose day and month have as many figures. */
export function madeUpDay({ year, month, day }: Day, random: Random): Day {
  const off = 1 + Math.floor(random.next() * 5);
  const other = (value: number, least: number, most: number) => {
    const made = least + Math.floor(random.next() * (most - least));
    return made >= value ? made + 1 : made;
  };
  return {
    year: year % 10 >= off ? year - off : year + off,
    month: month < 10 ? other(month, 1, 9) : other(month, 10, 12),
    day: day < 10 ? other(day, 1, 9) : day < 13 ? other(day, 10, 12) : other(day, 13, 28),
  };
}

/** The written day with another one's parts in its places. @param isSwapped day and month are meant the other way round. */
export function sayDay(text: string, written: WrittenDay, day: Day, isSwapped: boolean): string {
  let said = '';
  let at = written.from;
  for (const part of written.parts) {
    const of = part.of === 'year' || !isSwapped ? part.of : part.of === 'month' ? 'day' : 'month';
    said += text.slice(at, part.from) + sayPart(text.slice(part.from, part.to), part, day[of]);
    at = part.to;
  }
  return said;
}

function sayPart(text: string, { of, style }: Part, value: number): string {
  switch (style) {
    case 'figures':
      return String(of === 'year' && text.length === 2 ? value % 100 : value).padStart(text.length, '0');
    case 'ordinal':
      return `${value}${endingOf(value)}`;
    case 'ordinal words':
      return inCaseOf(text, ordinalOf(value));
    case 'name': {
      const names = MONTHS.find((list) => list.some((name) => foldWord(name) === foldWord(text)));
      return inCaseOf(text, names?.[value - 1] ?? text);
    }
    case 'words': {
      const speech = speechOf(foldWord(text.split(/[\s-]/)[0] ?? ''));
      if (value < 100) return inCaseOf(text, sayBelow100(value, speech));
      const [century, rest] = [Math.floor(value / 100), value % 100];
      if (century === 20 && rest < 10)
        return inCaseOf(text, `two thousand${rest === 0 ? '' : ` ${sayBelow100(rest, 'en')}`}`);
      const tail = rest === 0 ? 'hundred' : `${rest < 10 ? 'oh ' : ''}${sayBelow100(rest, speech)}`;
      return inCaseOf(text, `${sayBelow100(century, speech)} ${tail}`);
    }
  }
}

function endingOf(value: number): string {
  if (value > 10 && value < 14) return 'th';
  return ['th', 'st', 'nd', 'rd'][value % 10] ?? 'th';
}

function ordinalOf(value: number): string {
  if (value <= 20) return ORDINALS[value - 1] ?? '';
  return value === 30 ? 'thirtieth' : `${sayBelow100(value - (value % 10), 'en')} ${ORDINALS[(value % 10) - 1] ?? ''}`;
}

function inFigures(tokens: readonly Token[], at: number): WrittenDay | null {
  const [one, sign, two, other, three] = tokens.slice(at, at + 5);
  if (one?.kind !== 'digits' || two?.kind !== 'digits' || three?.kind !== 'digits') return null;
  if (sign?.text !== other?.text || !/^[-./]$/.test(sign?.text ?? '')) return null;
  if (![1, 2, 3, 4].every((off) => isGlued(tokens, at + off))) return null;
  const part = (token: Token, of: keyof Day, place: number): Part => ({
    from: token.from,
    to: token.to,
    next: at + place + 1,
    of,
    value: Number(token.text),
    style: 'figures',
  });
  if (one.text.length === 4) return dayOf([part(one, 'year', 0), part(two, 'month', 2), part(three, 'day', 4)]);
  if (one.text.length > 2 || two.text.length > 2 || (three.text.length !== 2 && three.text.length !== 4)) return null;
  const [first, second] = Number(one.text) > 12 ? (['day', 'month'] as const) : (['month', 'day'] as const);
  const day = dayOf([part(one, first, 0), part(two, second, 2), part(three, 'year', 4)]);
  return day && { ...day, isEither: Number(one.text) <= 12 && Number(two.text) <= 12 };
}

function inWords(tokens: readonly Token[], at: number): WrittenDay | null {
  const month = monthAt(tokens, at);
  if (month !== null) return finish(tokens, [{ ...month, of: 'month' }], 'day');
  const day = smallAt(tokens, at);
  return day === null ? null : finish(tokens, [{ ...day, of: 'day' }], 'month');
}

function finish(tokens: readonly Token[], [first]: readonly [Part], missing: 'day' | 'month'): WrittenDay | null {
  const behind = skip(tokens, first.next);
  const isOrdinal = (one: { style: Part['style'] }) => one.style === 'ordinal' || one.style === 'ordinal words';
  const small = smallAt(tokens, behind);
  // Two ordinals tell a month by its number: "the 13th of the 8th 1933".
  const numbered = small !== null && isOrdinal(first) && isOrdinal(small) ? small : null;
  const second = missing === 'day' ? small : (monthAt(tokens, behind) ?? numbered);
  if (second === null) return null;
  const year = yearAt(tokens, skip(tokens, second.next));
  return year && dayOf([first, { ...second, of: missing }, { ...year, of: 'year' }]);
}

function skip(tokens: readonly Token[], at: number): number {
  let next = at;
  while (next - at < BETWEEN_AT_MOST && BETWEEN.has(tokens[next]?.text ?? '')) next += 1;
  return next;
}

function monthAt(tokens: readonly Token[], at: number): Reading | null {
  const token = tokens[at];
  const month = token?.kind === 'word' ? MONTH_OF.get(foldWord(token.text)) : undefined;
  return token === undefined || month === undefined ? null : reading(tokens, at, at + 1, month, 'name');
}

/** A day of the month: "4", "4th", "fourth", "twenty first", "vier". */
function smallAt(tokens: readonly Token[], at: number): Reading | null {
  const token = tokens[at];
  if (token === undefined || token.kind === 'sign') return null;
  if (token.kind === 'digits') {
    if (token.text.length > 2) return null;
    const isOrdinal = isGlued(tokens, at + 1) && /^(?:st|nd|rd|th)$/.test(tokens[at + 1]?.text ?? '');
    return reading(tokens, at, isOrdinal ? at + 2 : at + 1, Number(token.text), isOrdinal ? 'ordinal' : 'figures');
  }
  const ordinal = ORDINALS.indexOf(token.text) + 1;
  if (ordinal > 0) return reading(tokens, at, at + 1, ordinal, 'ordinal words');
  const tens = token.text === 'twenty' ? 20 : token.text === 'thirty' || token.text === 'thirtieth' ? 30 : 0;
  if (token.text === 'thirtieth') return reading(tokens, at, at + 1, 30, 'ordinal words');
  const unit = ORDINALS.indexOf(tokens[hyphen(tokens, at + 1)]?.text ?? '') + 1;
  if (tens > 0 && unit > 0 && unit < 10)
    return reading(tokens, at, hyphen(tokens, at + 1) + 1, tens + unit, 'ordinal words');
  const said = saidAt(tokens, at);
  return said && reading(tokens, at, said.next, said.value, 'words');
}

/** "1982", "82", "nineteen eighty two", "nineteen oh five", "two thousand and five". */
function yearAt(tokens: readonly Token[], at: number): Reading | null {
  const token = tokens[at];
  if (token?.kind === 'digits') {
    const value = Number(token.text);
    if (token.text.length === 2 && value > 31) return reading(tokens, at, at + 1, 1900 + value, 'figures');
    return token.text.length === 4 ? reading(tokens, at, at + 1, value, 'figures') : null;
  }
  if (token?.text === 'two' && tokens[at + 1]?.text === 'thousand') {
    const rest = saidAt(tokens, tokens[at + 2]?.text === 'and' ? at + 3 : at + 2);
    return reading(tokens, at, rest?.next ?? at + 2, 2000 + (rest?.value ?? 0), 'words');
  }
  const century = saidAt(tokens, at);
  if (century === null) return null;
  const isOh = tokens[century.next]?.text === 'oh' || tokens[century.next]?.text === 'o';
  const rest = saidAt(tokens, isOh ? century.next + 1 : century.next);
  const isCentury = century.value === 19 || century.value === 20;
  if (isCentury && rest !== null && (isOh ? rest.value < 10 : rest.value > 9))
    return reading(tokens, at, rest.next, century.value * 100 + rest.value, 'words');
  return century.value > 31 ? reading(tokens, at, century.next, 1900 + century.value, 'words') : null;
}

const hyphen = (tokens: readonly Token[], at: number) => (tokens[at]?.text === '-' ? at + 1 : at);

function saidAt(tokens: readonly Token[], at: number): { value: number; next: number } | null {
  let phrase = '';
  let found: { value: number; next: number } | null = null;
  let next = at;
  for (let words = 0; words < PHRASE_WORDS && tokens[next]?.kind === 'word'; words += 1) {
    phrase += `${words === 0 ? '' : ' '}${foldWord(tokens[next]?.text ?? '')}`;
    next += 1;
    const digits = phrase === 'hundred' ? undefined : NUMBER_PHRASES.get(phrase);
    if (digits !== undefined) found = { value: Number(digits), next };
    next = hyphen(tokens, next);
  }
  return found;
}

function reading(tokens: readonly Token[], at: number, next: number, value: number, style: Part['style']): Reading {
  return { from: tokens[at]?.from ?? 0, to: tokens[next - 1]?.to ?? 0, next, value, style };
}

function dayOf(parts: readonly Part[]): WrittenDay | null {
  const valueOf = (of: keyof Day) => parts.find((part) => part.of === of)?.value ?? 0;
  const year = valueOf('year');
  const full = year < 100 ? (year > 30 ? 1900 : 2000) + year : year;
  const [month, day] = [valueOf('month'), valueOf('day')];
  if (month < 1 || month > 12 || day < 1 || day > 31 || full < 1900 || full > 2099) return null;
  return { year: full, month, day, from: parts[0]?.from ?? 0, to: parts.at(-1)?.to ?? 0, isEither: false, parts };
}
