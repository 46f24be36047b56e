const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `28 November 2026` */
export const dateInWords = (at: Date) => `${dayOf(at)} ${at.getUTCFullYear()}`;

const dayOf = (at: Date) => `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()] ?? ''}`;

/** `28 November, 14:05 UTC`; at midnight `28 November`. */
export function dayInWords(at: Date): string {
  const day = dayOf(at);
  const time = at.toISOString().slice(11, 16);
  return time === '00:00' ? day : `${day}, ${time} UTC`;
}
