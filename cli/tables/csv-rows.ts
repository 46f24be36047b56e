import { createReadStream } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import { decoding, readHead } from '../files/encoding.ts';
import type { Fault, Row } from './call.ts';

/** As long as a record may be. */
const ROW_LENGTH_MAX = 1024 * 1024;

interface Parsed {
  record: string[];
  info: { lines: number };
}

/** The rows of a text whose cells commas, semicolons or tabs keep apart. @param encoding as `TextDecoder` names it. */
export async function* csvRows(file: string, encoding: string): AsyncGenerator<Row | Fault> {
  const parser = parse({
    bom: true,
    delimiter: delimiterIn(new TextDecoder(encoding).decode(await readHead(file))),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: ROW_LENGTH_MAX,
  });
  const text = createReadStream(file).pipe(decoding(encoding));
  text.on('error', (error) => parser.destroy(error));
  text.pipe(parser);
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
function delimiterIn(head: string): string {
  const [line = ''] = head.split(/\r\n?|\n/);
  const countOf = (sign: string) => line.replaceAll(/"[^"]*"/g, '').split(sign).length;
  return DELIMITERS.reduce((best, sign) => (countOf(sign) > countOf(best) ? sign : best));
}
