interface Row {
  cells: string[];
  /** Lines under the row, cut to the width. */
  below: string[];
}

/** Columns that give way, the longer first, when the width is short. */
const YIELDING = [1, 2];
const SHORTEST = 12;

/** A plain table; numbers stand to the right. */
export function table(headings: string[], rows: Row[], width: number): string[] {
  const all = [headings, ...rows.map((row) => row.cells)];
  const widths = headings.map((_, column) => Math.max(...all.map((cells) => (cells[column] ?? '').length)));
  for (let over = widths.reduce((sum, each) => sum + each + 2, 0) - width; over > 0; over -= 1) {
    const widest = YIELDING.reduce((a, b) => ((widths[a] ?? 0) >= (widths[b] ?? 0) ? a : b));
    if ((widths[widest] ?? 0) <= SHORTEST) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const line = (cells: string[]) =>
    `  ${cells.map((cell, column) => fit(cell, widths[column] ?? 0, isNumber(rows[0]?.cells[column]))).join('  ')}`.trimEnd();
  const indent = ' '.repeat((widths[0] ?? 0) + 4);
  return [
    line(headings),
    ...rows.flatMap((row) => [
      line(row.cells),
      ...row.below.map((each) => `${indent}${cut(each, width - indent.length)}`),
    ]),
  ];
}

function fit(text: string, width: number, right: boolean): string {
  const shown = cut(text, width);
  return right ? shown.padStart(width) : shown.padEnd(width);
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(1, width - 1)).trimEnd()}…`;
}

function isNumber(text: string | undefined): boolean {
  return text !== undefined && /^\d[\d.,]*( %)?$/.test(text);
}
