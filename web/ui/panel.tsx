import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export function Panel({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={classes('rounded-panel border border-line bg-surface', className)}>{children}</div>;
}

export interface SectionProps {
  title: string;
  children: ReactNode;
  /** What stands at the right of the heading. */
  aside?: ReactNode;
  note?: ReactNode;
}

export function Section({ title, children, aside, note }: SectionProps) {
  return (
    <section aria-label={title} className="mt-8 first:mt-0">
      <div className="mb-2 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="text-lg font-semibold">{title}</h2>
        {note && <p className="text-sm text-ink-2">{note}</p>}
        {aside && <div className="ml-auto">{aside}</div>}
      </div>
      {children}
    </section>
  );
}
