/** Small words that tell questions and what follows on them; lower-case, as recognisers write them. */
export interface QuestionWords {
  /** With which a question for an answer begins; not those with which people ask for a deed ("can you"). */
  asks: ReadonlySet<string>;
  /** That stand before them: "and", "so", "well". */
  leads: ReadonlySet<string>;
  /** With which a speaker goes back to something: "but", "so", "and". */
  goesOn: ReadonlySet<string>;
  /** With which a speaker insists: "but". */
  insists: ReadonlySet<string>;
  /** Answers in one word. */
  yesOrNo: ReadonlySet<string>;
  /** Question words that ask for one value: "which", "how many". */
  open: ReadonlySet<string>;
  /** "Isn't it" behind a sentence: first and second word. */
  tags: readonly [ReadonlySet<string>, ReadonlySet<string>];
  /** Verb and subject of a question, in this order inside of a turn: "is there", "do I". */
  inverted: readonly [ReadonlySet<string>, ReadonlySet<string>];
  /** Words with which no sentence ends, two of them joined by `+`: whose turn ends so was cut off. */
  unfinished: ReadonlySet<string>;
  /** Words that name nothing that one could ask about. */
  empty: ReadonlySet<string>;
}

/** A set of the words of a text, for the lists of a language. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}
