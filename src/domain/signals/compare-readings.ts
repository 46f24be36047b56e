import type { Signal } from './signal.ts';

/** What two readings of one call have in common and what not, by code and turn. */
export interface SignalChanges {
  added: Signal[];
  withdrawn: Signal[];
  kept: Signal[];
}

/** Two signals of one code at one turn are the same to a reader; a person's label names them so. */
export function compareReadings(before: readonly Signal[], after: readonly Signal[]): SignalChanges {
  const [was, is] = [byName(before), byName(after)];
  const pick = (from: ReadonlyMap<string, Signal>, keep: (name: string) => boolean) =>
    [...from].filter(([name]) => keep(name)).map(([, signal]) => signal);
  return {
    added: pick(is, (name) => !was.has(name)),
    withdrawn: pick(was, (name) => !is.has(name)),
    kept: pick(is, (name) => was.has(name)),
  };
}

function byName(signals: readonly Signal[]): Map<string, Signal> {
  const named = new Map<string, Signal>();
  for (const signal of signals) {
    const name = `${signal.turnIndex} ${signal.code}`;
    if (!named.has(name)) named.set(name, signal);
  }
  return named;
}
