/** Phrases by their first word, the longest first. */
export type PhraseTable<T> = ReadonlyMap<string, readonly { words: readonly string[]; value: T }[]>;

/** @param fold the pieces in which each word is compared; without it, words stand as they are. */
export function phraseTable<T>(
  entries: readonly (readonly [phrase: string, value: T])[],
  fold: (word: string) => readonly string[] = (word) => [word],
): PhraseTable<T> {
  const made = new Map<string, { words: string[]; value: T }[]>();
  for (const [phrase, value] of entries) {
    const words = phrase.split(' ').flatMap(fold);
    const first = words[0] ?? '';
    const rows = made.get(first);
    if (rows === undefined) made.set(first, [{ words, value }]);
    else rows.push({ words, value });
  }
  for (const rows of made.values()) rows.sort((a, b) => b.words.length - a.words.length);
  return made;
}

/** The longest phrase of a table that begins at a place in a row of words. */
export function phraseAt<T>(
  phrases: PhraseTable<T>,
  word: (at: number) => string,
  at: number,
): { next: number; value: T } | null {
  for (const row of phrases.get(word(at)) ?? []) {
    if (row.words.every((one, place) => place === 0 || word(at + place) === one))
      return { next: at + row.words.length, value: row.value };
  }
  return null;
}

/** The same in a row of tokens; most begin no phrase, and cost one look-up. */
export function phraseAtToken<T>(
  phrases: PhraseTable<T>,
  tokens: readonly { text: string }[],
  at: number,
): { next: number; value: T } | null {
  const rows = phrases.get(tokens[at]?.text ?? '');
  return rows === undefined ? null : phraseAt(phrases, (place) => tokens[place]?.text ?? '', at);
}
