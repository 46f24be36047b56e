/**
 * Words by which a prompt orders or forbids a wording that it quotes. Rows of lower-case words; one that ends in `*` stands
 * for every word that begins so.
 */
export interface PromptOrders {
  /** Saying: "say", "use the words". */
  says: readonly string[];
  /** Forbidding. */
  never: readonly string[];
  /** Ordering without exception: "always", "word for word". */
  always: readonly string[];
  /** Only at times, whichever. */
  condition: readonly string[];
  /** Of the conditions, those that make it due before something happens. */
  before: readonly string[];
}
