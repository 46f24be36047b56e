import { Children, Fragment, type ReactNode } from 'react';

/** Facts behind each other; where the line breaks, the dot stays with the fact before it. */
export function Dotted({ children }: { children: ReactNode }) {
  const facts = Children.toArray(children);
  return facts.map((fact, at) => (
    <Fragment key={at}>
      {fact}
      {at < facts.length - 1 && '\u00a0· '}
    </Fragment>
  ));
}
