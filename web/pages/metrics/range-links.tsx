import { Link } from '@tanstack/react-router';
import { classes } from '../../ui/classes.ts';
import { type MetricFilters, RANGE_LABELS, RANGES } from './filters.ts';

/** The ranges as links, so that each has an address. */
export function RangeLinks({ shown }: { shown: MetricFilters['range'] | 'custom' }) {
  return (
    <nav aria-label="Range" className="mb-4 flex flex-wrap gap-1">
      {RANGES.map((range) => (
        <Link
          key={range}
          to="."
          search={({ from: _from, to: _to, ...before }: MetricFilters) => ({ ...before, range })}
          aria-current={shown === range ? 'true' : undefined}
          className={classes(
            'inline-flex min-h-8 items-center rounded-control px-2.5 text-sm',
            shown === range ? 'bg-accent-soft font-medium text-accent' : 'text-ink-2 hover:bg-sunken hover:text-ink',
          )}
        >
          {RANGE_LABELS[range]}
        </Link>
      ))}
    </nav>
  );
}
