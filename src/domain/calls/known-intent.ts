export type IntentKind = 'intent' | 'use_case' | 'sub_use_case';

/** An intent that an agent's callers have, or the use case above it, or a sub use case below it. */
export interface KnownIntent {
  kind: IntentKind;
  /** Never changes once given. */
  slug: string;
  label: string;
  /** Of an intent the mean weight of each term over its calls, with the whole weight under `''`; of a sub use case its word. */
  terms: Record<string, number>;
  calls: number;
  /** Of an intent its use case, of a sub use case its intent. */
  parent?: string | null;
  /** A person named it or merged others into it: no discovery takes calls out of it or gives it another name. */
  kept?: boolean;
  /** Slugs that a person merged into it. */
  aliases?: string[];
}

/** Slugs that no discovery makes: a request that fits no group, a call on which nothing was asked for, and a wrong number. */
export const OTHER = 'other';
export const NO_REQUEST = 'no_request';
export const WRONG_NUMBER = 'wrong_number';
export const RESERVED: ReadonlyMap<string, string> = new Map([
  [OTHER, 'Other'],
  [NO_REQUEST, 'No request'],
  [WRONG_NUMBER, 'Wrong number'],
]);

export function isReserved(slug: string): boolean {
  return RESERVED.has(slug);
}
