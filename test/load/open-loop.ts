import { setTimeout as sleep } from 'node:timers/promises';

/** What came of one request. `status` 0: no answer. */
export interface Answer {
  /** What was asked for. */
  name: string;
  status: number;
  retryAfter: string | null;
}

export interface TimedAnswer extends Answer {
  /** Milliseconds from when the request was due: a late start is part of what a client waits. */
  ms: number;
}

export interface Load {
  answers: TimedAnswer[];
  /** How many requests waited for their answer at one time. */
  mostAtOnce: number;
}

/** Asks at a fixed rate, whatever is still unanswered: a loop that waits for answers would hide how they queue. */
export async function askAtRate(
  aSecond: number,
  seconds: number,
  ask: (nth: number) => Promise<Answer>,
): Promise<Load> {
  const startMs = performance.now();
  let atOnce = 0;
  let mostAtOnce = 0;
  const answers = await Promise.all(
    Array.from({ length: Math.round(aSecond * seconds) }, async (_, nth): Promise<TimedAnswer> => {
      const dueMs = startMs + (nth * 1_000) / aSecond;
      await sleep(Math.max(0, dueMs - performance.now()));
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      const answer = await ask(nth);
      atOnce -= 1;
      return { ...answer, ms: performance.now() - dueMs };
    }),
  );
  return { answers, mostAtOnce };
}

export interface Summary {
  asked: number;
  /** Answered with 2xx; the times are theirs alone. */
  answered: number;
  /** Answered with 429. */
  refused: number;
  /** Anything else, and what had no answer. */
  failed: number;
  /** Milliseconds; null where nothing was answered. */
  p50: number | null;
  p95: number | null;
  p99: number | null;
  /** Refused without a whole number of seconds, 1 or more, to wait. */
  withoutRetryAfter: number;
}

export function summaryOf(answers: readonly TimedAnswer[]): Summary {
  const times = answers
    .filter(isAnswered)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b);
  const refused = answers.filter(({ status }) => status === 429);
  return {
    asked: answers.length,
    answered: times.length,
    refused: refused.length,
    failed: answers.length - times.length - refused.length,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
    withoutRetryAfter: refused.filter(({ retryAfter }) => !/^[1-9]\d*$/.test(retryAfter ?? '')).length,
  };
}

const isAnswered = ({ status }: Answer) => status >= 200 && status < 300;

/** The smallest value that is not below this share of all. */
function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
