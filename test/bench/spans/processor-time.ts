import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { round } from '../measure.ts';

/** The kernel counts in hundredths of a second, whatever the machine. */
const TICK_MS = 10;

type Spent = Record<string, number>;

/**
 * Milliseconds of processor time that named processes and all that they started have taken so far. Nothing where the
 * kernel does not say it in files. A wall clock on a busy machine says less than this.
 */
export function spentBy(pids: Record<string, number>): () => Spent {
  if (!existsSync('/proc/self/stat')) return () => ({});
  return () => {
    const byParent = Map.groupBy(allStats(), ({ parent }) => parent);
    const below = (pid: number): number =>
      (byParent.get(pid) ?? []).reduce((sum, child) => sum + child.ticks + below(child.pid), 0);
    return Object.fromEntries(
      Object.entries(pids).map(([name, pid]) => [name, ((statOf(pid)?.ticks ?? 0) + below(pid)) * TICK_MS]),
    );
  };
}

/** Such as `12.5 (API 4.5, worker 8)`. */
export function spentACall(before: Spent, after: Spent, calls: number): string {
  const parts = Object.entries(after).map(
    ([name, ms]) => [name, round((ms - (before[name] ?? 0)) / calls, 1)] as const,
  );
  if (parts.length === 0) return '-';
  const all = parts.reduce((sum, [, ms]) => sum + ms, 0);
  return `${round(all, 1)} (${parts.map(([name, ms]) => `${name} ${ms}`).join(', ')})`;
}

const allStats = () =>
  (existsSync('/proc/self/stat') ? readdirSync('/proc') : [])
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? []);

/** Its parent, and the ticks of itself and of its children that have ended. */
function statOf(pid: number): { pid: number; name: string; parent: number; ticks: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
    return { pid, name, parent, ticks: fields.slice(11, 15).reduce((sum, each) => sum + each, 0) };
  } catch {
    return null;
  }
}

/** The server that the backend of a connection belongs to. */
export const parentOf = (pid: number): number => statOf(pid)?.parent ?? pid;

/** What this process started under a name; 0 where that runs elsewhere. */
export const childNamed = (name: string): number =>
  allStats().find((each) => each.parent === process.pid && each.name === name)?.pid ?? 0;
