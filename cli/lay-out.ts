import stringWidth from 'string-width';

export interface Table {
  headings: string[];
  rows: string[][];
  /** Lines of text under each row. */
  below: string[][];
}

const GAP = '  ';
/** A row that is taller is easier to read as one line a column. */
const TALLEST_ROW = 4;

/**
 * Columns as wide as they need; where that is too wide, the widest wrap between words, and where that makes rows too
 * tall or is still too wide, each row becomes a list of its columns. Nothing is ever cut. Numbers stand to the right.
 * Widths are columns of a terminal, of which a Chinese character takes two.
 */
export function layOut({ headings, rows, below }: Table, width: number): { head: string[]; lines: string[] } {
  const widths = fit([headings, ...rows], width);
  const tallest = Math.max(0, ...rows.map((row) => heightOf(row, widths ?? [])));
  if (widths === null || tallest > TALLEST_ROW) return { head: [], lines: asLists({ headings, rows, below }, width) };
  const right = headings.map((_, column) => rows.length > 0 && rows.every((row) => isNumber(row[column] ?? '')));
  const indent = ' '.repeat(headings[0] === '' ? (widths[0] ?? 0) + GAP.length : 4);
  return {
    head: linesOf(headings, widths, right),
    lines: rows.flatMap((row, at) => [
      ...linesOf(row, widths, right),
      ...underOf(below[at] ?? [], width - indent.length).map((line) => `${indent}${line}`),
    ]),
  };
}

/** Null where some word is too long for any of it. */
function fit(cells: string[][], width: number): number[] | null {
  const columns = (cells[0] ?? []).map((_, column) => cells.map((row) => row[column] ?? ''));
  const widths = columns.map((column) => Math.max(0, ...column.map(widthOf)));
  const least = columns.map((column) => Math.max(0, ...column.flatMap(words).map(widthOf)));
  const total = () => widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length);
  while (total() > width) {
    const yielding = widths.map((each, column) => (each > (least[column] ?? 0) ? each : 0));
    const widest = yielding.indexOf(Math.max(...yielding));
    if (!yielding[widest]) return null;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

const heightOf = (row: string[], widths: number[]) =>
  Math.max(...row.map((cell, column) => wrap(cell, widths[column] ?? Infinity).length));

function linesOf(row: string[], widths: number[], right: boolean[]): string[] {
  const wrapped = row.map((cell, column) => wrap(cell, widths[column] ?? Infinity));
  return Array.from({ length: heightOf(row, widths) }, (_, at) =>
    wrapped
      .map((lines, column) => {
        const text = lines[at] ?? '';
        const gap = ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(text)));
        return right[column] ? `${gap}${text}` : `${text}${gap}`;
      })
      .join(GAP)
      .trimEnd(),
  );
}

const underOf = (texts: string[], width: number) =>
  texts.filter((text) => text !== '').flatMap((text) => wrap(text, width));

/** A column without a heading numbers the rows: it stands left of all that belongs to one. */
function asLists({ headings, rows, below }: Table, width: number): string[] {
  const numbers = headings[0] === '' ? rows.map(([number = '']) => number) : null;
  const indent = numbers === null ? 0 : Math.max(...numbers.map(widthOf)) + GAP.length;
  const margin = Math.max(...headings.map(widthOf)) + GAP.length;
  const entry = (heading: string, cell: string) =>
    wrap(cell, width - indent - margin).map((line, at) => `${(at === 0 ? heading : '').padEnd(margin)}${line}`);
  return rows.flatMap((row, at) => {
    const lines = row.flatMap((cell, column) => {
      const heading = headings[column] ?? '';
      return cell === '' || heading === '' ? [] : entry(heading, cell);
    });
    const all = [...lines, ...underOf(below[at] ?? [], width - indent)];
    const numbered = all.map((line, n) => `${(n === 0 ? (numbers?.[at] ?? '') : '').padEnd(indent)}${line}`);
    return at === 0 ? numbered : ['', ...numbered];
  });
}

/**
 * A line that is too long, broken between words. What goes on stands under the beginning of the text: right of a label
 * that a gap parts from it, else under the line's own indent.
 */
export function fold(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  const label = /^ *\S+(?: \S+)* {2,}/.exec(line)?.[0] ?? '';
  const lead = label !== '' && widthOf(label) <= width / 2 ? label : (/^ */.exec(line)?.[0] ?? '');
  const lines = wrap(line.slice(lead.length), width - widthOf(lead));
  return lines.map((text, at) => `${at === 0 ? lead : ' '.repeat(widthOf(lead))}${text}`);
}

/** A text in lines of at most so many columns; a longer word keeps a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of words(text)) {
    const last = lines.at(-1);
    if (last === undefined || widthOf(last) + widthOf(word) + 1 > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.length === 0 ? [''] : lines;
}

const widthOf = (text: string) => stringWidth(text);

const words = (text: string) => text.split(' ').filter((word) => word !== '');

const isNumber = (text: string) => /^-?\d[\d.,]*( ?%)?$/.test(text) || text === '';
