const numbers = new Intl.NumberFormat('en-US');
const plurals = new Intl.PluralRules('en-US');
const lists = new Intl.ListFormat('en-US', { type: 'conjunction' });

/** "1 call", "2 calls", "1,200 calls". @param many where it is not the one thing with an s. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${numbers.format(count)} ${plurals.select(count) === 'one' ? one : many}`;

/** "a", "a and b", "a, b, and c". */
export const listed = (parts: readonly string[]): string => lists.format(parts);
