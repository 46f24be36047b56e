/**
 * Words of one language that carry values or turn them round. All keys are lower-case words as recognisers write them, with
 * straight apostrophes; several words are joined by a space.
 */
export interface ActWords {
  /** BCP 47 primary tag. */
  language: string;
  /**
   * Words of the language in the words of the value readers, beside what its grammar reads: `dienstag` is `tuesday`, `punkt`
   * is `dot`; what says no value although a word of it would ("guten Morgen") is `_`. Empty for English.
   */
  readers: Readonly<Record<string, string>>;
  /** By slot, the words of which only one can hold, each with the form in which equal ones are equal. */
  choices: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Nouns after a number, with the unit in which counts of them compare: `guests` and `of us` are `people`. */
  units: Readonly<Record<string, string>>;
  /** Words that deny the value behind them. */
  denials: readonly string[];
  /** Nouns that an ordinal counts, so that it names no day: "the fourth time", "fifth avenue". */
  notDays: readonly string[];
  /** Words that are a number only beside another one: "oh". */
  notAlone: readonly string[];
  /** Words that are a number beside another one, or where they stand between signs: "the large one" is none, "no, one." is. */
  numberBetweenSigns: readonly string[];
  /** Words that may stand between a denial and its value, or between the parts of a date. */
  between: readonly string[];
}
