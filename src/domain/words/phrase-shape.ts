/**
 * Lists of phrases for one language. A phrase is a row of words; in it `a/b` stands for either word, `[a/b]` for
 * either word or none, `a+b/c` for "a b" or "c", and `~3` for up to three words of any kind. Words are lower-case with
 * straight apostrophes; a short form such as "i'm" also stands for "i am" and for "im", as recognisers write it.
 */
export interface PhraseLists {
  /** BCP 47 primary tag. */
  language: string;
  caller: Record<string, readonly string[]>;
  agent: Record<string, readonly string[]>;
  /** Words over which no gap reaches because they turn the phrase round: "nicht", "kein". */
  barriers?: readonly string[];
}

/** A phrase found in a turn: words `from` to `to` (exclusive) of the turn. */
export interface PhraseHit {
  list: string;
  from: number;
  to: number;
}
