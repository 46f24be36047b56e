const STEM = 4;

/** Words that somebody has said; one that begins alike counts as the same word in another form. */
export class KnownWords {
  readonly #words = new Set<string>();
  readonly #stems = new Set<string>();

  add(words: readonly string[]): void {
    for (const word of words) {
      this.#words.add(word);
      if (word.length >= STEM) this.#stems.add(word.slice(0, STEM));
      // "Iced" also makes "ice" known.
      if (word.length === STEM) this.#words.add(word.slice(0, STEM - 1));
    }
  }

  has(word: string): boolean {
    return this.#words.has(word) || this.#stems.has(word.slice(0, STEM));
  }
}
