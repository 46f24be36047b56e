import { count } from '../format.ts';
import { classes } from './classes.ts';

interface FiguresProps {
  figures: readonly (readonly [name: string, value: number])[];
  /** How many stand beside each other, by the width of the page. */
  columns: string;
}

/** Counts beside each other, lined off also where the last row is not full; those of nothing stand back. */
export function Figures({ figures, columns }: FiguresProps) {
  return (
    <dl className={classes('grid gap-px overflow-hidden rounded-panel border border-line bg-surface', columns)}>
      {figures.map(([name, value]) => (
        <div key={name} className="px-4 py-3 ring-1 ring-line">
          <dt className="text-sm text-ink-2">{name}</dt>
          <dd className={classes('text-figure font-medium', value === 0 && 'text-ink-3')}>{count(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
