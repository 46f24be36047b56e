import { median, round } from '../measure.ts';

/** One thing that a budget is set on, beside an empty page of the same frame. */
export interface Figure {
  name: string;
  unit: string;
  ours: number;
  /** Of the empty page; null where an empty page has no such thing. */
  empty: number | null;
  goal: number;
  met: boolean;
}

/** A figure whose goal is the most that it may be. */
export function figure(name: string, unit: string, ours: number, empty: number | null, goal: number): Figure {
  return { name, unit, ours: round(ours, 2), empty: empty === null ? null : round(empty, 2), goal, met: ours <= goal };
}

/** The median of alternating rounds of both, so that a busy machine slows both. */
export async function paired<T extends Record<string, number>>(
  rounds: number,
  ours: () => Promise<T>,
  empty: () => Promise<T>,
): Promise<{ ours: T; empty: T }> {
  const found = { ours: [] as T[], empty: [] as T[] };
  for (let at = 0; at < rounds; at += 1) {
    found.ours.push(await ours());
    found.empty.push(await empty());
  }
  return { ours: medians(found.ours), empty: medians(found.empty) };
}

function medians<T extends Record<string, number>>(all: T[]): T {
  const names = Object.keys(all[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(all.map((each) => each[name] ?? Number.NaN))])) as T;
}

const ratioOf = ({ ours, empty }: Figure) => (empty ? `${round(ours / empty, 2)} ×` : '–');

/** As the table in the documents has it. */
export function printFigures(figures: readonly Figure[]): string {
  const rows = figures.map((each) => {
    const { name, unit, ours, empty, goal, met } = each;
    return `| ${name} | ${ours} ${unit} | ${empty ?? '–'} | ${ratioOf(each)} | ${goal} ${unit} | ${met ? 'met' : 'missed'} |`;
  });
  return ['| what | ours | empty page | ratio | budget | |', '| - | - | - | - | - | - |', ...rows].join('\n');
}
