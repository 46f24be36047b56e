/**
 * Words by which a prompt orders or forbids a wording that it quotes. Rows of lower-case words; one that ends in `*` stands
 * for every word that begins so.
 */
export interface PromptOrders {
  /** Saying: "say", "use the words". */
  says: readonly string[];
  /** Forbidding, wherever the sentence has it. */
  never: readonly string[];
  /** Forbidding in a clause that sets no condition: "if they do not know it, say …" forbids nothing. */
  not: readonly string[];
  /** Ordering without exception: "always", "word for word". */
  always: readonly string[];
  /** The talk as a whole: "in every call", "greet the caller". What else an order names makes it due at times only. */
  whole: readonly string[];
  /** Due before something happens. */
  before: readonly string[];
  /** Of these, before the end of the talk, which makes nothing due before anything. */
  beforeEnd: readonly string[];
}
