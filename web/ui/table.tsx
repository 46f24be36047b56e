import type { ReactNode } from 'react';
import { classes } from './classes.ts';

/**
 * A table that scrolls by itself where the page is narrower than it. Headings for screen readers alone are placed within
 * it, and would else widen the page.
 */
export function Table({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div
      className="relative overflow-x-auto rounded-panel border border-line bg-surface"
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      <table className="w-full border-collapse text-sm [&_td:first-child]:min-w-36">{children}</table>
    </div>
  );
}

interface CellProps {
  children?: ReactNode;
  /** Figures stand at the right, so that their digits line up. */
  figure?: boolean;
  /** Sentences keep their width where the table scrolls. */
  wide?: boolean;
  className?: string;
}

export function HeadCell({ children, figure, className }: CellProps) {
  return (
    <th
      scope="col"
      className={classes(
        'border-b border-line px-3 py-2 text-xs font-medium whitespace-nowrap text-ink-2',
        figure ? 'text-right' : 'text-left',
        className,
      )}
    >
      {children}
    </th>
  );
}

export function Cell({ children, figure, wide, className }: CellProps) {
  return (
    <td
      className={classes(
        'border-b border-line/60 px-3 py-2 align-middle',
        figure && 'text-right',
        wide && 'min-w-56',
        className,
      )}
    >
      {children}
    </td>
  );
}
