import { GERMAN_ORDERS } from './de/orders.ts';
import { ENGLISH_ORDERS } from './en/orders.ts';
import { SPANISH_ORDERS } from './es/orders.ts';
import { FRENCH_ORDERS } from './fr/orders.ts';
import type { PromptOrders } from './prompt-orders.ts';

const ALL = [ENGLISH_ORDERS, GERMAN_ORDERS, SPANISH_ORDERS, FRENCH_ORDERS];

/** Prompts name no language, and many are in another one than the talk: words of all languages count. */
export const PROMPT_ORDERS: PromptOrders = {
  says: ALL.flatMap(({ says }) => says),
  never: ALL.flatMap(({ never }) => never),
  not: ALL.flatMap(({ not }) => not),
  always: ALL.flatMap(({ always }) => always),
  whole: ALL.flatMap(({ whole }) => whole),
  before: ALL.flatMap(({ before }) => before),
  beforeEnd: ALL.flatMap(({ beforeEnd }) => beforeEnd),
};
