import { wilson } from '../../src/domain/statistics.ts';
import { count, DASH, percent } from '../format.ts';

/** A rate never stands alone: its denominator and its interval stand beside it. */
export function Rate({ k, n }: { k: number; n: number }) {
  if (n === 0) return <span>{DASH}</span>;
  const { lower, upper } = wilson({ k, n });
  return (
    <span className="whitespace-nowrap">
      <span className="font-medium">{percent(k / n)}</span>{' '}
      <span className="text-xs text-ink-2">
        {count(k)} of {count(n)} · {percent(lower)}–{percent(upper)}
      </span>
    </span>
  );
}
