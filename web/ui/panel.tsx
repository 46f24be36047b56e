import type { ReactNode } from 'react';
import { classes } from './classes.ts';

const TONES = {
  plain: 'border-line bg-surface',
  good: 'border-good/40 bg-good-soft',
  bad: 'border-bad/40 bg-bad-soft',
  caution: 'border-caution/40 bg-caution-soft',
} as const;

interface PanelProps {
  children: ReactNode;
  className?: string | undefined;
  tone?: keyof typeof TONES;
}

export function Panel({ children, className, tone = 'plain' }: PanelProps) {
  return <div className={classes('rounded-panel border', TONES[tone], className)}>{children}</div>;
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
