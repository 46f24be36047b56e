import { cutWords } from '../text.ts';
import type { Direction, Outcome } from '../vocabulary.ts';
import { STOP_WORDS } from '../words/en/words.ts';
import { isReserved, OTHER } from './known-intent.ts';
import { stem } from './word-stem.ts';

/** What is known of the other calls of a call's caller. Times are ISO 8601. */
export interface CallerHistory {
  direction: Direction;
  /** Null where the call has no start time: then nothing is earlier than it. */
  startedAt: string | null;
  /** The intent that the call is placed under; null until it is. A merged slug is given as the one that it stands for. */
  intent: string | null;
  /** What the caller asked for first, in their words; null where it is not known yet. */
  request: string | null;
  /** Analysed calls that the same caller made and that began before this one, at most `HISTORY_DAYS` earlier; in any order. */
  earlier: EarlierCall[];
}

export interface EarlierCall {
  startedAt: string;
  intent: string | null;
  /** A person named the intent or merged others into it, and so said what belongs together. */
  kept: boolean;
  request: string | null;
  outcome: Outcome | null;
}

/** How far back anybody looks, whatever the agent's threshold says. */
export const HISTORY_DAYS = 31;
const DAY_MS = 86_400_000;

export type RepeatVerdict =
  | { verdict: 'none' }
  /** The call's own intent decides, and nobody knows it: not placed yet, or it fits no intent. */
  | { verdict: 'intent_unknown'; placed: boolean }
  | { verdict: 'repeat'; intent: string; daysSince: number };

/**
 * Whether the caller had called about the same thing within the days before, on a call that counted as resolved. Without
 * such a call the answer is no whatever this one is about, so only few calls have to wait for their intent.
 */
export function repeatVerdict(history: CallerHistory & { startedAt: string }, withinDays: number): RepeatVerdict {
  const startedMs = Date.parse(history.startedAt);
  const resolved = history.earlier.filter(({ startedAt, outcome }) => {
    const sinceMs = startedMs - Date.parse(startedAt);
    return outcome === 'resolved' && sinceMs > 0 && sinceMs <= Math.min(withinDays, HISTORY_DAYS) * DAY_MS;
  });
  if (resolved.length === 0) return { verdict: 'none' };
  const { intent } = history;
  if (intent === null || intent === OTHER) return { verdict: 'intent_unknown', placed: intent !== null };
  if (isReserved(intent)) return { verdict: 'none' };
  const same = resolved.filter(
    (call) => call.intent === intent && (call.kept || isSure(history.request, call.request)),
  );
  const times = same.map(({ startedAt }) => Date.parse(startedAt));
  if (times.length === 0) return { verdict: 'none' };
  return { verdict: 'repeat', intent, daysSince: Math.floor((startedMs - Math.max(...times)) / DAY_MS) };
}

/** A word of matter in common, or two where both requests are long enough to hold more. */
const WORDS_IN_COMMON = 2;

/**
 * An intent is a group that a request was sorted into, some of them by chance. That two calls are about the same is sure
 * only where the requests also share words that carry matter.
 */
function isSure(request: string | null, before: string | null): boolean {
  if (request === null || before === null) return false;
  const [here, there] = [matterOf(request), matterOf(before)];
  const common = [...here].filter((word) => there.has(word)).length;
  return common >= Math.max(1, Math.min(WORDS_IN_COMMON, here.size, there.size));
}

function matterOf(request: string): Set<string> {
  const { words } = cutWords(request);
  return new Set(words.filter((word) => word.length > 2 && !STOP_WORDS.has(word)).map((word) => stem(word)));
}
