import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { Hint } from './hint.tsx';

type Kind = 'primary' | 'plain' | 'danger' | 'quiet';

const LOOKS: Record<Kind, string> = {
  primary: 'bg-accent text-on-accent border-transparent hover:brightness-110',
  plain: 'bg-surface border-control/60 hover:border-control hover:bg-sunken',
  danger: 'bg-surface text-bad border-bad/50 hover:bg-bad-soft',
  quiet: 'border-transparent text-ink-2 hover:bg-sunken hover:text-ink',
};

export const buttonLook = (kind: Kind = 'plain') =>
  classes(
    'inline-flex min-h-8 items-center gap-1.5 rounded-control border px-3 py-1 text-sm font-medium whitespace-nowrap',
    LOOKS[kind],
  );

export interface ButtonProps {
  children: ReactNode;
  kind?: Kind;
  type?: 'button' | 'submit';
  onClick?: () => void;
  /** Why it cannot be pressed now; said on hover and focus. */
  unless?: string | null | undefined;
  busy?: boolean;
  label?: string;
  /** Of a button that is on or off. */
  pressed?: boolean;
}

/** A button that cannot be pressed says why, and stays within reach of the keyboard. */
export function Button({ children, kind, type = 'button', onClick, unless, busy, label, pressed }: ButtonProps) {
  const off = Boolean(unless) || busy === true;
  const button = (
    <button
      type={type}
      aria-pressed={pressed}
      aria-label={label}
      aria-disabled={off || undefined}
      className={classes(
        buttonLook(kind),
        pressed && 'bg-accent-soft text-accent',
        off && 'cursor-not-allowed opacity-60',
      )}
      onClick={(event) => {
        if (off) event.preventDefault();
        else onClick?.();
      }}
    >
      {children}
    </button>
  );
  return unless ? <Hint text={unless}>{button}</Hint> : button;
}
