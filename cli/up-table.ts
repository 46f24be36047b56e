interface Row {
  cells: string[];
  /** A line under the row, cut to the width. */
  below: string;
}

/** A plain table; the second column gives way when the width is short, and numbers stand to the right. */
export function table(headings: string[], rows: Row[], width: number): string[] {
  const all = [headings, ...rows.map((row) => row.cells)];
  const widths = headings.map((_, column) => Math.max(...all.map((cells) => (cells[column] ?? '').length)));
  const spare = width - widths.reduce((sum, each) => sum + each + 2, 2);
  if (spare < 0 && widths[1] !== undefined) widths[1] = Math.max(20, widths[1] + spare);
  const line = (cells: string[]) =>
    `  ${cells.map((cell, column) => fit(cell, widths[column] ?? 0, isNumber(rows[0]?.cells[column]))).join('  ')}`.trimEnd();
  const indent = ' '.repeat((widths[0] ?? 0) + 4);
  return [
    line(headings),
    ...rows.flatMap((row) => [line(row.cells), `${indent}${cut(row.below, width - indent.length)}`]),
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
