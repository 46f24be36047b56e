import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { buttonLook } from './button.tsx';
import { classes } from './classes.ts';

type AnchorProps = ComponentProps<'a'>;

/** A link within text or a table. */
export const TextLink = createLink(({ className, ...props }: AnchorProps) => (
  <a {...props} className={classes('text-accent hover:underline', className)} />
));

/** The name of a thing in a list, which leads to its page. */
export const NameLink = createLink(({ className, ...props }: AnchorProps) => (
  <a {...props} className={classes('font-medium hover:underline', className)} />
));

/** To another site or program, in a tab of its own. */
export const ExternalLink = ({ className, ...props }: AnchorProps) => (
  <a {...props} target="_blank" rel="noreferrer" className={classes('text-accent hover:underline', className)} />
);

/** Above the title of a page: to the list that it belongs to. */
export const BackLink = createLink(({ className, children, ...props }: AnchorProps) => (
  <a {...props} className={classes('hover:text-ink hover:underline', className)}>
    ← {children}
  </a>
));

/** A link that looks like the button that it stands beside. */
export const ButtonLink = createLink(({ className, ...props }: AnchorProps) => (
  <a {...props} className={classes(buttonLook('plain'), className)} />
));
export const PrimaryLink = createLink(({ className, ...props }: AnchorProps) => (
  <a {...props} className={classes(buttonLook('primary'), className)} />
));

/** One of the choices that a list is narrowed by. */
export const TabLink = createLink(({ className, chosen, ...props }: AnchorProps & { chosen: boolean }) => (
  <a
    {...props}
    aria-current={chosen ? 'true' : undefined}
    className={classes(
      'inline-flex min-h-8 items-center rounded-control px-2.5 text-sm',
      chosen ? 'bg-accent-soft font-medium text-accent' : 'text-ink-2 hover:bg-sunken hover:text-ink',
      className,
    )}
  />
));
