import { createReadStream } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { EXIT, Problem } from './problem.ts';

/** A line of a file that is not blank; lines count from 1. */
export interface SourceLine {
  file: string;
  line: number;
  text: string;
}

const ENDINGS = ['.jsonl', '.ndjson', '.json', '.csv'];

/** The files that are meant: one, or those of a folder with a known ending. */
export async function filesAt(path: string): Promise<string[]> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(path)).isDirectory();
  } catch {
    throw new Problem(`There is no file or folder ${path}.`);
  }
  if (!isFolder) return [path];
  const names = (await readdir(path)).filter((name) => ENDINGS.includes(extname(name).toLowerCase())).toSorted();
  if (names.length === 0)
    throw new Problem(`The folder ${path} holds no .jsonl, .ndjson, .json or .csv file.`, EXIT.failed);
  return names.map((name) => join(path, name));
}

/** The name that an agent gets from a path. */
export const nameOfPath = (path: string) =>
  basename(path).replace(/(\.dev)?\.(jsonl|ndjson|json|csv)$/i, '') || 'calls';

/** What is no record, so that it is not sent. */
export interface RefusedLine {
  file: string;
  line: number;
  field: string | null;
  reason: string;
}

export const inWords = ({ file, line, field, reason }: RefusedLine): string =>
  `${file}, line ${line}${field === null ? '' : `, ${field}`}: ${reason}`;

/**
 * Line by line, tables call by call; only an export that is one JSON array or one document over several lines is read
 * whole. What of a table is no record is added to `refused`.
 */
export async function* readRecords(
  files: string[],
  { columns, refused }: { columns: string[]; refused: RefusedLine[] },
): AsyncGenerator<SourceLine> {
  for (const file of files) {
    if (extname(file).toLowerCase() === '.csv') {
      const { readCsv } = await import('./csv/read-csv.ts');
      for await (const call of readCsv(file, columns)) {
        if ('reason' in call) refused.push({ file, ...call });
        else yield { file, ...call };
      }
      continue;
    }
    if (await isOneDocument(file)) {
      yield* readDocument(file);
      continue;
    }
    let line = 0;
    // Byte for byte: what is no UTF-8 would be replaced before anybody could refuse it.
    const input = createReadStream(file, 'latin1');
    for await (const bytes of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      line += 1;
      const text = decoded(Buffer.from(bytes, 'latin1'));
      if (text === null) refused.push({ file, line, field: null, reason: 'The line is not valid UTF-8.' });
      else if (text.trim() !== '') yield { file, line, text };
    }
  }
}

/** Null where it is not UTF-8; a mark of its byte order is left out. */
function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** JSON lines begin with a brace and end their first line with one. */
async function isOneDocument(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0);
    const start = buffer
      .subarray(0, bytesRead)
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trimStart();
    return start.startsWith('[') || /^\{\s*\n/.test(start);
  } finally {
    await handle.close();
  }
}

async function* readDocument(file: string): AsyncGenerator<SourceLine> {
  let document: unknown;
  try {
    document = JSON.parse(decoded(await readFile(file)) ?? '');
  } catch {
    throw new Problem(`${file} is neither JSON lines nor one JSON document.`, EXIT.failed);
  }
  const records: unknown[] = Array.isArray(document) ? document : [document];
  for (const [at, record] of records.entries()) yield { file, line: at + 1, text: JSON.stringify(record) };
}
