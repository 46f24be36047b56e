import type { ReactNode } from 'react';

/** Words spoken on a call: they stand larger than what is said about them. */
export function Quote({ children, by }: { children: ReactNode; by?: ReactNode }) {
  return (
    <figure className="max-w-[72ch] border-l-2 border-control pl-3">
      <blockquote className="text-quote break-words">{children}</blockquote>
      {by && <figcaption className="mt-0.5 text-sm text-ink-2">{by}</figcaption>}
    </figure>
  );
}
