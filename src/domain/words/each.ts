/** Words of a row with slashes, each for the same form, or for itself. */
export function each(row: string, form?: string): Record<string, string> {
  return Object.fromEntries(row.split('/').map((word) => [word, form ?? word]));
}
