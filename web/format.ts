/** Numbers, times and shares in the reader's own locale. */
const LOCALE = navigator.languages;

const integer = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 });
const wholePercent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 0 });
const percentWithTenths = new Intl.NumberFormat(LOCALE, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const money = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD' });
const fractions = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });
const dateAndTime = new Intl.DateTimeFormat(LOCALE, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});
const shortDateAndTime = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const dayOnly = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayOfYear = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' });

/** The reader's zone, for the heading of a column of times: "EST". */
export const ZONE = dateAndTime.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? 'local time';

/** What stands where there is no value. */
export const DASH = '–';

export const count = (value: number) => integer.format(value);
export const number = (value: number) => decimal.format(value);
export const usd = (value: number) => money.format(value);
/** Also what is less than a cent. */
export const smallUsd = (value: number) => fractions.format(value);
export const when = (iso: string) => dateAndTime.format(new Date(iso));
export const shortly = (iso: string) => shortDateAndTime.format(new Date(iso));
export const day = (iso: string) => dayOnly.format(new Date(iso));
/** With its year. */
export const date = (iso: string) => dayOfYear.format(new Date(iso));
/** The last day of what ends before this time. */
export const lastDay = (before: string) => dayOnly.format(Date.parse(before) - 1);
export const timeOf = (date: Date) => clock.format(date);

/** Tenths where they tell something: below a tenth of all. */
export function percent(share: number): string {
  return share > 0 && share < 0.0995 ? percentWithTenths.format(share) : wholePercent.format(share);
}

/** Of every interval that is shown. */
export const CONFIDENCE = percent(0.95);

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** `1:37`, `5:33:19` */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const start = hours === 0 ? String(minutes) : `${hours}:${twoDigits(minutes)}`;
  return `${start}:${twoDigits(seconds % 60)}`;
}

/** A latency: `970 ms`, `1.37 s`. */
export function latency(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${decimal.format(ms / 1000)} s`;
}

const cardinal = new Intl.PluralRules('en');

/** `1 cell`, `3 cells`. @param many where it is not the word with an s. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${cardinal.select(value) === 'one' ? one : many}`;
}

export const calls = (value: number) => plural(value, 'call');

/** Between two shares, of a hundred. */
export const points = (value: number) => plural(value, 'point');

const MINUTES = [
  ['year', 525_600],
  ['month', 43_200],
  ['week', 10_080],
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
] as const;

/** How long ago in its largest whole unit: `3 days`. */
export function age(iso: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(iso)) / 60_000);
  const [unit, size] = MINUTES.find(([, least]) => minutes >= least) ?? ['minute', 1];
  return plural(Math.max(1, Math.floor(minutes / size)), unit);
}

/** `not_established` as words. */
export function words(code: string): string {
  const text = code.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
