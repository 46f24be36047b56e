import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse';
import { Problem } from '../problem.ts';
import { type Fault, FaultyCell, type Row, recordOf } from './call.ts';
import { type Columns, columnsOf } from './columns.ts';

/** As long as a record may be. */
const ROW_LENGTH_MAX = 1024 * 1024;
const ROWS_OF_CALL_MAX = 5_000;

/** A call of the file as a record, at the line of its first row; or what keeps it from being one. */
export type CsvCall = { line: number; text: string } | Fault;

/**
 * Reads a table of calls, a row a turn or a row a call, call by call.
 * @param given which column holds what, as `field=Column name`; the rest is told by the names of the columns.
 */
export async function* readCsv(file: string, given: readonly string[]): AsyncGenerator<CsvCall> {
  const rows = rowsOf(file);
  const first = await rows.next();
  if (first.done || 'reason' in first.value) throw new Problem(`${file} holds no table.`);
  const header = first.value.cells.map((name) => name.trim());
  const columns = columnsOf(header, given);
  for await (const call of callsOf(rows, columns, header.length)) {
    yield 'reason' in call ? call : callOf(call, columns, header);
  }
}

function callOf(rows: Row[], columns: Columns, header: readonly string[]): CsvCall {
  const line = rows[0]?.line ?? 0;
  try {
    return { line, text: JSON.stringify(recordOf(rows, columns, header)) };
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

interface Parsed {
  record: string[];
  info: { lines: number };
}

async function* rowsOf(file: string): AsyncGenerator<Row | Fault> {
  const parser = createReadStream(file).pipe(
    parse({
      bom: true,
      delimiter: await delimiterOf(file),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: ROW_LENGTH_MAX,
    }),
  );
  let ended = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const inner = record.reduce((lines, cell) => lines + (cell.match(/\n/g)?.length ?? 0), 0);
      yield { line: info.lines - inner, cells: record };
      ended = info.lines;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield { line: ended + 1, field: null, reason: `The table can't be read from here on: ${error.message}.` };
  }
}

const DELIMITERS = [',', ';', '\t'] as const;

/** The one that the first line has most of. */
async function delimiterOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(8192), 0, 8192, 0);
    const [line = ''] = buffer.subarray(0, bytesRead).toString('utf8').split(/\r?\n/);
    const countOf = (sign: string) => line.replaceAll(/"[^"]*"/g, '').split(sign).length;
    return DELIMITERS.reduce((best, sign) => (countOf(sign) > countOf(best) ? sign : best));
  } finally {
    await handle.close();
  }
}
