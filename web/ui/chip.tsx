import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export type Tone = 'neutral' | 'good' | 'bad' | 'caution' | 'accent';

const LOOKS: Record<Tone, string> = {
  neutral: 'border-line bg-sunken text-ink-2',
  good: 'border-transparent bg-good-soft text-good',
  bad: 'border-transparent bg-bad-soft text-bad',
  caution: 'border-transparent bg-caution-soft text-caution',
  accent: 'border-transparent bg-accent-soft text-accent',
};

/** A word or two with a state; the icon or the word says it, the colour only repeats it. */
export function Chip({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1 rounded-control border px-1.5 text-xs leading-5 font-medium whitespace-nowrap',
        LOOKS[tone],
      )}
    >
      {children}
    </span>
  );
}
