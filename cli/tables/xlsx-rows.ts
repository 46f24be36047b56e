import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import { Problem } from '../problem.ts';
import type { Fault, Row } from './call.ts';

/** Of a workbook, unpacked: a sheet of a hundred thousand turns has a tenth of it. */
const UNPACKED_MAX = 256 * 1024 * 1024;
const ENTRIES_MAX = 2_000;
const CELLS_MAX = 20_000_000;
const COLUMNS_MAX = 1_000;

/** The rows of the first sheet that holds any. @throws Problem for what is no workbook, or unpacks to too much. */
export async function* xlsxRows(file: string): AsyncGenerator<Row | Fault> {
  const bytes = await readFile(file);
  checkSize(file, bytes);
  const { default: readWorkbook } = await import('read-excel-file/universal');
  const sheets = await readWorkbook(new Uint8Array(bytes).buffer).catch((error: unknown) => {
    throw unreadable(file, error instanceof Error ? error.message : 'unknown');
  });
  const rows = sheets.find(({ data }) => data.length > 0)?.data ?? [];
  for (const [at, row] of rows.entries()) {
    const cells = row.map(textOf);
    if (cells.some((cell) => cell !== '')) yield { line: at + 1, cells };
  }
}

const unreadable = (file: string, why: string) => new Problem(`${file} is no workbook that can be read: ${why}`);

/** Times of a sheet are clock times without a zone. */
function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().replace(/(\.000)?Z$/, '');
  return String(cell);
}

/** Reads what the archive says of its entries and unpacks each to no more than that, before anything else is done with it. */
function checkSize(file: string, zip: Buffer): void {
  let total = 0;
  const entries = entriesOf(file, zip);
  if (entries.length > ENTRIES_MAX) throw unreadable(file, `it holds ${entries.length} parts.`);
  for (const { name, unpackedBytes, data, isDeflated } of entries) {
    total += unpackedBytes;
    if (total > UNPACKED_MAX) throw unreadable(file, `unpacked it is larger than ${UNPACKED_MAX / 1024 / 1024} MiB.`);
    if (/^xl\/worksheets\/.*\.xml$/i.test(name)) checkCells(file, unpacked(file, { data, isDeflated, unpackedBytes }));
  }
}

interface Entry {
  name: string;
  data: Buffer;
  isDeflated: boolean;
  unpackedBytes: number;
}

function unpacked(file: string, { data, isDeflated, unpackedBytes }: Omit<Entry, 'name'>): Buffer {
  if (!isDeflated) return data;
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, unpackedBytes) });
  } catch {
    throw unreadable(file, 'a sheet of it is damaged.');
  }
}

/** A cell far out makes a sheet of as many cells as lie before it. */
function checkCells(file: string, sheet: Buffer): void {
  let columns = 0;
  let rows = 0;
  for (const [, letters = '', row] of sheet
    .toString('latin1')
    .matchAll(/<c\b[^<>]{0,80}\br="([A-Z]{1,4})(\d{1,9})"/g)) {
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
    columns = Math.max(columns, column);
    rows = Math.max(rows, Number(row));
  }
  if (columns <= COLUMNS_MAX && rows * columns <= CELLS_MAX) return;
  throw unreadable(file, `a sheet of it reaches to row ${rows} and column ${columns}.`);
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;

/** The directory of a ZIP archive. @throws Problem where there is none. */
function entriesOf(file: string, zip: Buffer): Entry[] {
  const lost = () => unreadable(file, 'the file is cut off, or no .xlsx.');
  let end = -1;
  for (let at = zip.length - 22; at >= Math.max(0, zip.length - 22 - 65_535) && end < 0; at -= 1) {
    if (zip.readUInt32LE(at) === END) end = at;
  }
  if (end < 0) throw lost();
  const entries: Entry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== CENTRAL) throw lost();
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    if (local + 30 > zip.length) throw lost();
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    entries.push({
      name,
      data: zip.subarray(from, from + zip.readUInt32LE(at + 20)),
      isDeflated: zip.readUInt16LE(at + 10) === 8,
      unpackedBytes: zip.readUInt32LE(at + 24),
    });
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}
