import { GERMAN_ORDERS } from './de/orders.ts';
import { ENGLISH_ORDERS } from './en/orders.ts';
import { SPANISH_ORDERS } from './es/orders.ts';
import { FRENCH_ORDERS } from './fr/orders.ts';

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

const ALL = [ENGLISH_ORDERS, GERMAN_ORDERS, SPANISH_ORDERS, FRENCH_ORDERS];

/** Prompts name no language, and many are in another one than the talk: words of all languages count. */
export const PROMPT_ORDERS: PromptOrders = {
  says: ALL.flatMap(({ says }) => says),
  never: ALL.flatMap(({ never }) => never),
  always: ALL.flatMap(({ always }) => always),
  condition: ALL.flatMap(({ condition, before }) => [...condition, ...before]),
  before: ALL.flatMap(({ before }) => before),
};
