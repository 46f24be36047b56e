/** What a pattern caught, by the name between its braces. */
export type Caught = Readonly<Record<string, number>>;

/**
 * A way of saying a value. `said` is a row of words; in it `a/b` stands for either word, `[a/b]` for either or none, a sign for
 * itself, and braces for what is read: `{number}`, `{hour}` (0 to 24), `{oclock}` (the same where one may be an article), `{minute}` (1 to 59), `{cents}` (1 to 99), `{day}` (1 to
 * 31), `{ordinal}` (a day as an ordinal), `{month}` (by its name), `{monthth}` (as an ordinal) and `{year}`.
 */
export interface ReaderPattern {
  said: string;
  /** The same in words of the value readers ("8:30", "4 november 2026", "12.50 euros"); null where it is none. */
  reads: (caught: Caught) => string | null;
}

/** How a language says numbers, dates, hours and amounts, for readers that know them in English. */
export interface ReaderGrammar {
  below100: Readonly<Record<string, number>>;
  /** "zweihundert", "doscientos", "deux cents". */
  hundreds: Readonly<Record<string, number>>;
  thousand: readonly string[];
  ordinals: Readonly<Record<string, number>>;
  /** True where digits with a full stop are ordinals: "4. November". */
  stopIsOrdinal: boolean;
  months: Readonly<Record<string, number>>;
  /** Words for one that are articles too: a number only before one of `oneBefore`, or between other numbers. */
  one: readonly string[];
  oneBefore: readonly string[];
  /** Halves of the day behind an hour: "morgens", "de la tarde", "du soir". */
  halves: Readonly<Record<string, 'am' | 'pm'>>;
  /** The longest that fits decides, of equally long ones the first. */
  patterns: readonly ReaderPattern[];
  /** Names of letters that count as letters in a row of three or more: "eme", "Martha". */
  letters: Readonly<Record<string, string>>;
  /** Words between a letter and the word that says it once more: "M wie Martha". */
  asIn: readonly string[];
  /** "doppel" L. */
  double: readonly string[];
  /** Words between a number and its decimals. */
  decimalComma: readonly string[];
}

/** A time of day in digits, so many minutes away from the full hour. */
export function clock(hour: number, minutes: number): string {
  const all = (((hour * 60 + minutes) % DAY) + DAY) % DAY;
  const [hours, rest] = [Math.trunc(all / 60), all % 60];
  // In words both halves of the day are meant up to noon, so "0:30" is half past twelve.
  const said = hours === 0 && hour <= 12 && hour > 0 ? 12 : hours > 12 && hour <= 12 ? hours - 12 : hours;
  return `${said}:${String(rest).padStart(2, '0')}`;
}

/** "Ein Uhr mittags", "las doce del mediodía": from an hour before noon to three hours behind it; else null. */
export function atNoon(hour: number): string | null {
  if (hour === 12 || (hour >= 1 && hour <= 3)) return `${hour}:00 pm`;
  return hour === 11 ? '11:00 am' : null;
}

const DAY = 1440;

/** Shortened: the readers take "november" before a figure for the letter of a code. */
const MONTHS = 'jan feb mar apr may june july aug sep oct nov dec'.split(' ');

/** A date in words of the readers, or null where there is no such month. */
export function dateOf(day: number, month: number, year?: number): string | null {
  const name = MONTHS[month - 1];
  if (name === undefined || day < 1 || day > 31) return null;
  return year === undefined ? `${day} ${name}` : `${day} ${name} ${fullYear(year)}`;
}

/** "58" is 1958, "26" is 2026: nobody says a year of birth before he was born. */
function fullYear(year: number): number {
  if (year >= 100) return year;
  return year <= 40 ? 2000 + year : 1900 + year;
}

/** An amount with its hundredths. */
export function amount(whole: number, cents: number): string {
  return `${whole}.${String(cents).padStart(2, '0')} euros`;
}

/** "Mardi 4", "martes veinticuatro": a weekday and a day, with its month and year where they are said. */
export function weekdayPatterns(
  weekdays: Readonly<Record<string, string>>,
  counted: string,
  hours: readonly string[],
): ReaderPattern[] {
  return Object.entries(weekdays).flatMap(([name, day]): ReaderPattern[] => [
    { said: `${name} {day}`, reads: (caught) => `${day} ${caught['day']}th` },
    { said: `${name} {day} [er/de/del] {month}`, reads: (caught) => withDate(day, caught) },
    { said: `${name} {day} [er/de/del] {month} [de/del] {year}`, reads: (caught) => withDate(day, caught) },
    { said: `${name} {number} ${counted}`, reads: (caught) => `${day} ${caught['number']} ${counted.split('/')[0]}` },
    ...hours.map((hour) => ({
      said: `${name} ${hour}`,
      reads: ({ hour: at = 0, minute = 0 }: Caught) => `${day} ${clock(at, minute)}`,
    })),
  ]);
}

function withDate(weekday: string, { day = 0, month = 0, year }: Caught): string | null {
  const date = dateOf(day, month, year);
  return date === null ? null : `${weekday} ${date}`;
}
