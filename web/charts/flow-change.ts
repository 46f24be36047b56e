import { wilson } from '../../src/domain/statistics.ts';
import { percent } from '../format.ts';

interface Share {
  k: number;
  n: number;
}

export type Change = 'more' | 'less' | 'same';

/** Whether a share is surely another than before: their intervals do not meet. */
export function changeOf(now: Share, before: Share): Change {
  if (now.n === 0 || before.n === 0) return 'same';
  const [one, other] = [wilson(now), wilson(before)];
  if (one.lower > other.upper) return 'more';
  return one.upper < other.lower ? 'less' : 'same';
}

export const shareInWords = ({ k, n }: Share) => (n === 0 ? 'no calls' : percent(k / n));
