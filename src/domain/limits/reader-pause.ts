import type { ReaderTrouble } from '../vocabulary.ts';

/** Calls in a row, each at its first question, on which the model brought nothing: by then it is the model, not a call. */
export const CALLS_IN_A_ROW = 5;

const FIRST_GAP_MS = 60_000;
const LONGEST_GAP_MS = 3_600_000;

/** How the reader of an agent stands with its model. */
export interface ReaderStanding {
  /** Calls in a row whose first question brought nothing. */
  troubles: number;
  /** Null: it does not pause. */
  trouble: ReaderTrouble | null;
  /** Calls that were tried since it pauses. */
  tries: number;
}

/** What the key, the money or the name of the model is refused for holds for all calls alike. */
const isCertain = (trouble: ReaderTrouble): boolean => trouble !== 'unusable' && trouble !== 'away';

/**
 * How it stands after a question that brought nothing. `isTry`: it was the one by which a pause is ended.
 * @returns also how long until one call is tried again, where it pauses now.
 */
export function afterTrouble(
  before: ReaderStanding,
  { trouble, isFirst, isTry }: { trouble: ReaderTrouble; isFirst: boolean; isTry: boolean },
): ReaderStanding & { gapMs: number | null } {
  const troubles = before.troubles + (isFirst ? 1 : 0);
  if (before.trouble !== null) {
    // What was out when the pause began says nothing new.
    if (!isTry) return { ...before, troubles, gapMs: null };
    const tries = before.tries + 1;
    return { troubles, trouble, tries, gapMs: gapAfter(tries) };
  }
  const pauses = isCertain(trouble) || troubles >= CALLS_IN_A_ROW;
  return { troubles, trouble: pauses ? trouble : null, tries: 0, gapMs: pauses ? gapAfter(0) : null };
}

/** A minute, then twice as long each time, up to an hour. */
const gapAfter = (tries: number): number => Math.min(FIRST_GAP_MS * 2 ** Math.min(tries, 16), LONGEST_GAP_MS);
