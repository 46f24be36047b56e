import { Problem } from '../problem.ts';
import { type Fault, FaultyCell, type Row, recordOf } from './call.ts';
import { type Columns, columnsOf } from './columns.ts';

const ROWS_OF_CALL_MAX = 5_000;

/** A call of the file as a record, at the line of its first row; or what keeps it from being one. */
export type TableCall = { line: number; text: string } | Fault;

export interface TableOptions {
  /** Which column holds what, as `field=Column name`; the rest is told by the names of the columns. */
  columns: readonly string[];
  /** Who speaks, by the names in the table. */
  roles: Readonly<Record<string, string>>;
  /** Of times without one. */
  timeZone: string | null;
}

/** Reads a table of calls, one row per turn or per call, call by call. */
export async function* readTable(
  file: string,
  rows: AsyncGenerator<Row | Fault>,
  { columns: given, roles, timeZone }: TableOptions,
): AsyncGenerator<TableCall> {
  const first = await rows.next();
  if (first.done || 'reason' in first.value) throw new Problem(`${file} holds no table.`);
  const header = first.value.cells.map((name) => name.trim());
  const columns = columnsOf(header, given);
  const about = { ...(Object.keys(roles).length > 0 ? { roles } : {}), ...(timeZone === null ? {} : { timeZone }) };
  for await (const call of callsOf(rows, columns, header.length)) {
    yield 'reason' in call ? call : callOf(call, columns, header, about);
  }
}

function callOf(rows: Row[], columns: Columns, header: readonly string[], about: object): TableCall {
  const line = rows[0]?.line ?? 0;
  try {
    return { line, text: JSON.stringify({ ...recordOf(rows, columns, header), ...about }) };
  } catch (error) {
    if (error instanceof FaultyCell) return error.fault;
    throw error;
  }
}

/** Rows of one id that follow one another; one that comes again later would take the place of the first. */
async function* callsOf(
  rows: AsyncIterable<Row | Fault>,
  columns: Columns,
  width: number,
): AsyncGenerator<Row[] | Fault> {
  const idOf = ({ cells }: Row) => cells[columns.get('id') ?? 0]?.trim() ?? '';
  const known = new Set<string>();
  const split = new Set<string>();
  let call: Row[] = [];
  for await (const given of rows) {
    const row = 'reason' in given ? given : checked(given, idOf(given), width);
    if ('reason' in row) {
      yield row;
      continue;
    }
    const id = idOf(row);
    if (call[0] && idOf(call[0]) === id && call.length < ROWS_OF_CALL_MAX) {
      call.push(row);
      continue;
    }
    if (call.length > 0) yield call;
    call = known.has(id) ? [] : [row];
    if (known.has(id) && !split.has(id)) {
      split.add(id);
      yield { line: row.line, field: null, reason: apart(id) };
    }
    known.add(id);
  }
  if (call.length > 0) yield call;
}

const apart = (id: string) =>
  `Rows of call ${id} stand apart, or are more than ${ROWS_OF_CALL_MAX}: sort the table by its calls.`;

function checked(row: Row, id: string, width: number): Row | Fault {
  const { line, cells } = row;
  if (cells.length !== width) {
    return { line, field: null, reason: `It has ${cells.length} cells, and the first line ${width}.` };
  }
  return id === '' ? { line, field: null, reason: 'It has no id of a call.' } : row;
}
