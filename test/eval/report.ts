import type { HealthyRow } from './healthy.ts';
import type { Line } from './line.ts';

export interface Report {
  way: string;
  folder: string;
  figures: readonly { part: string; lines: readonly Line[] }[];
  absent: readonly string[];
  healthy: readonly HealthyRow[];
}

/** The figures as lines of text: one column with its intervals, or both parts beside each other with their gap. */
export function report({ way, folder, figures, absent, healthy }: Report): string[] {
  const [first, second] = figures;
  if (first === undefined) return [];
  const table = second === undefined ? first.lines.map(oneColumn) : twoColumns(first, second);
  const all = figures.flatMap(({ lines }) => lines);
  const below = all.filter((line) => line.belowFloor).length;
  return [
    `Taken ${way}.`,
    ...table,
    '',
    `${below} of ${all.length} figures are below their floor (marked with !).`,
    ...(absent.length > 0 ? [`Not in ${folder}, so not measured: ${absent.join(', ')}.`] : []),
    '',
    'Codes on healthy calls (more than one call in twenty is marked):',
    ...healthy.map(
      (row) => `${row.often ? '!' : ' '} ${row.code.padEnd(40)} ${row.set.padEnd(18)} ${row.calls} of ${row.of}`,
    ),
  ];
}

function oneColumn(line: Line): string {
  const name = nameOf(line, line.belowFloor);
  if (line.ours === null) return `${name} not scored: ${line.notScored}`;
  const range = line.interval === null ? '' : ` [${line.interval.map((value) => value.toFixed(3)).join(', ')}]`;
  const published = line.published === null ? '' : `  published ${line.published}`;
  return `${name} ${line.ours.toFixed(3)}${range}${countOf(line)}${floorOf(line)}${published}${directionOf(line)}`;
}

type Column = Report['figures'][number];

/** A set that lies in one part alone has one figure, and no gap. */
function twoColumns(first: Column, second: Column): string[] {
  const keyOf = (line: Line) => `${line.metric}\n${line.set}\n${line.figure}`;
  const others = new Map(second.lines.map((line) => [keyOf(line), line]));
  const known = new Set(first.lines.map(keyOf));
  const alone = second.lines.filter((line) => !known.has(keyOf(line)));
  const rows = [
    ...first.lines.map((line) => ({ line, a: line, b: others.get(keyOf(line)) ?? null })),
    ...alone.map((line) => ({ line, a: null, b: line })),
  ].toSorted((x, y) => (x.line.set < y.line.set ? -1 : x.line.set > y.line.set ? 1 : 0));
  return [
    `${' '.repeat(HEADING)} ${first.part.padStart(COLUMN)} ${second.part.padStart(COLUMN)}    gap`,
    ...rows.map(({ line, a, b }) => {
      const gap = a?.ours == null || b?.ours == null ? '     -' : signed(b.ours - a.ours);
      const name = nameOf(line, a?.belowFloor === true || b?.belowFloor === true);
      return `${name} ${shown(a)} ${shown(b)} ${gap}${countOf(b ?? line)}${floorOf(line)}${directionOf(line)}`;
    }),
  ];
}

const HEADING = 84;
const COLUMN = 18;

function nameOf(line: Line, below: boolean): string {
  return `${below ? '!' : ' '} ${line.metric.padEnd(17)} ${line.set.padEnd(24)} ${line.figure.padEnd(38)}`;
}

function shown(line: Line | null): string {
  const range = line?.interval == null ? '' : ` [${line.interval.map((value) => value.toFixed(2)).join(', ')}]`;
  return (line?.ours == null ? '-' : `${line.ours.toFixed(3)}${range}`).padStart(COLUMN);
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
}

function countOf({ count }: Line): string {
  return count === null ? '' : `  of ${count}`;
}

function floorOf(line: Line): string {
  return line.floor === null ? '' : `  floor ${line.floor.toFixed(3)}`;
}

function directionOf(line: Line): string {
  return line.better === 'lower' ? '  (lower is better)' : '';
}
