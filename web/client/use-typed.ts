import { useState } from 'react';

const PREFIX = 'earshot.typed ';

/**
 * What was typed and not saved stays in this tab until it is, also where the reader goes away and comes back.
 * @returns what was typed, null where nothing was; and what keeps it, or forgets it by null.
 */
export function useTyped<T>(name: string): [T | null, (next: T | null) => void] {
  const key = `${PREFIX}${name}`;
  const [typed, setTyped] = useState<T | null>(() => JSON.parse(sessionStorage.getItem(key) ?? 'null'));
  const keep = (next: T | null) => {
    setTyped(next);
    if (next === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(next));
  };
  return [typed, keep];
}
