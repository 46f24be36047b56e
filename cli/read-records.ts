import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { brokenOff } from '../src/platforms/formats/broken-off.ts';
import { loggedCall } from '../src/platforms/formats/conversation-logs.ts';
import { cutIntoCalls, hasId, isPart, startsCall } from '../src/platforms/formats/cut.ts';
import { givenIn, handOver } from '../src/platforms/formats/handed-over.ts';
import { decoding, encodingOf, markedEncoding, readHead } from './files/encoding.ts';
import { EXIT, Problem } from './problem.ts';
import type { Json } from './tables/cells.ts';

/** A record of a file; lines count from 1. */
export interface SourceLine {
  file: string;
  line: number;
  text: string;
}

const ENDINGS = ['.jsonl', '.ndjson', '.json', '.csv', '.tsv', '.xlsx', '.vtt', '.srt', '.txt'];

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
    throw new Problem(`The folder ${path} holds no file that ends in ${ENDINGS.join(', ')}.`, EXIT.failed);
  return names.map((name) => join(path, name));
}

/** The name that an agent gets from a path, and a call from the file that holds nothing else. */
export const nameOfPath = (path: string) =>
  basename(path).replace(/(\.dev)?\.(jsonl|ndjson|json|csv|tsv|xlsx|vtt|srt|txt)$/i, '') || 'calls';

/** What is no record, so that it is not sent. */
export interface RefusedLine {
  file: string;
  line: number;
  field: string | null;
  reason: string;
}

const inWords = ({ file, line, field, reason }: RefusedLine): string =>
  `${file}, line ${line}${field === null ? '' : `, ${field}`}: ${reason}`;

/** Faults in words, equal ones of a file once with how many there are; of very many the first ones. */
export function faultsInWords(faults: readonly RefusedLine[]): string[] {
  const groups = Map.groupBy(faults, ({ file, field, reason }) => `${file}\n${field}\n${reason}`);
  const told = [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const more =
      others.length === 0
        ? ''
        : ` (and in ${others.length.toLocaleString('en-US')} more, up to line ${others.at(-1)?.line})`;
    return [`${inWords(first)}${more}`];
  });
  const rest = told.length - FAULTS_TOLD;
  return rest <= 0 ? told : [...told.slice(0, FAULTS_TOLD), `… and ${rest} other faults; --json lists them all.`];
}

const FAULTS_TOLD = 20;

export interface ReadOptions {
  /** `field=Column name` of tables. */
  columns: readonly string[];
  /** Who speaks, by the names that calls give their speakers. */
  roles: Readonly<Record<string, string>>;
  /** Of times without one. */
  timeZone: string | null;
  /** What of a table or a file of lines is no record is added to it. */
  refused: RefusedLine[];
  note(text: string): void;
}

/** Longer than a record may be is no record, whatever it holds. */
const RECORD_BYTES_MAX = 1024 * 1024;

/**
 * Record by record, of whatever kind a file is: line by line, tables call by call; only what is one document is read
 * whole, and cut into its calls.
 */
export async function* readRecords(files: readonly string[], options: ReadOptions): AsyncGenerator<SourceLine> {
  for (const file of files) yield* readOne(file, options);
}

async function* readOne(file: string, options: ReadOptions): AsyncGenerator<SourceLine> {
  const head = await readHead(file);
  if (head.length === 0) return;
  const ending = extname(file).toLowerCase();
  const isZip = head[0] === 0x50 && head[1] === 0x4b;
  if (isZip || ending === '.csv' || ending === '.tsv') yield* readRows(file, isZip, options);
  else if (head[0] === 0x1f && head[1] === 0x8b) throw new Problem(`${file} is packed with gzip: unpack it first.`);
  // `[00:04] Agent: Hello` is no list.
  else if (/^\s*(?:\{|\[(?!\d{1,2}:\d\d))/.test(textOfHead(head))) yield* readJson(file, head, options);
  else yield* readText(file, options);
}

const textOfHead = (head: Uint8Array) => new TextDecoder(markedEncoding(head) ?? 'utf-8').decode(head);

async function* readRows(file: string, isWorkbook: boolean, options: ReadOptions): AsyncGenerator<SourceLine> {
  const { readTable } = await import('./tables/read-table.ts');
  const rows = isWorkbook
    ? (await import('./tables/xlsx-rows.ts')).xlsxRows(file)
    : (await import('./tables/csv-rows.ts')).csvRows(file, await encodingTold(file, options));
  for await (const call of readTable(file, rows, options)) {
    if ('reason' in call) options.refused.push({ file, ...call });
    else yield { file, ...call };
  }
}

async function encodingTold(file: string, { note }: ReadOptions): Promise<string> {
  const encoding = await encodingOf(file);
  if (encoding === 'windows-1252') note(`${file} is not valid UTF-8: it is read as Windows-1252.`);
  return encoding;
}

async function* readText(file: string, options: ReadOptions): AsyncGenerator<SourceLine> {
  if ((await stat(file)).size > RECORD_BYTES_MAX) {
    throw new Problem(`${file} is no JSON and no table, and longer than a call may be (1 MiB).`, EXIT.failed);
  }
  const text = new TextDecoder(await encodingTold(file, options)).decode(await readFile(file));
  if (text.trim() !== '') yield recordOf(file, 1, text, options, nameOfPath(file));
}

/** One document, or one in each line; lines that are messages or events are one call together. */
async function* readJson(file: string, head: Uint8Array, options: ReadOptions): AsyncGenerator<SourceLine> {
  const before = options.refused.length;
  const lines = linesOf(file, markedEncoding(head), options);
  const first = await lines.next();
  if (first.done) return;
  const second = await lines.next();
  const isDamaged = first.value.value === undefined && !isObject(second.value?.value);
  const isAlone = second.done === true && options.refused.length === before;
  if (isDamaged || isAlone) {
    await lines.return(undefined);
    yield* readDocument(file, options);
    return;
  }
  async function* all(): AsyncGenerator<Line> {
    if (!first.done) yield first.value;
    if (!second.done) yield second.value;
    yield* lines;
  }
  if (first.value.value !== undefined && isPart(first.value.value)) yield* readParts(file, all(), options);
  else yield* readLines(file, all(), options);
}

interface Line {
  line: number;
  text: string;
  /** Undefined where the line is not JSON. */
  value: Json | undefined;
}

/** Lines that are not blank. What is no UTF-8 is refused: it would be stored broken. */
async function* linesOf(file: string, encoding: string | null, { refused }: ReadOptions): AsyncGenerator<Line> {
  let line = 0;
  // Byte for byte: what is no UTF-8 would be replaced before anybody could refuse it.
  const bytes = createReadStream(file);
  const input = encoding === null || encoding === 'utf-8' ? bytes : bytes.pipe(decoding(encoding));
  input.setEncoding('latin1');
  for await (const part of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    const text = decoded(Buffer.from(part, 'latin1'));
    if (text === null) refused.push({ file, line, field: null, reason: 'The line is not valid UTF-8.' });
    else if (text.trim() !== '') yield { line, text, value: parsed(text) };
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

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* readLines(file: string, lines: AsyncIterable<Line>, options: ReadOptions): AsyncGenerator<SourceLine> {
  for await (const { line, text, value } of lines) {
    // What is no JSON is sent as it is, so that it is kept with its reason.
    if (value === undefined) yield { file, line, text };
    else for (const call of cutIntoCalls(value)) yield recordOf(file, line, call, options, null);
  }
}

/** Messages or events one per line are one call, until one tells that another begins. */
async function* readParts(file: string, lines: AsyncIterable<Line>, options: ReadOptions): AsyncGenerator<SourceLine> {
  const calls: { line: number; parts: Json[]; bytes: number }[] = [];
  const byName = new Map<string, (typeof calls)[number]>();
  for await (const { line, text, value } of lines) {
    if (value === undefined) {
      options.refused.push({ file, line, field: null, reason: 'The line is not JSON.' });
      continue;
    }
    const named = loggedCall(value);
    const last = named === null ? calls.at(-1) : byName.get(named);
    if (last === undefined || (startsCall(value) && last.parts.some(startsCall))) {
      const call = { line, parts: [value], bytes: text.length };
      calls.push(call);
      if (named !== null) byName.set(named, call);
    } else {
      last.bytes += text.length;
      if (last.bytes <= RECORD_BYTES_MAX) last.parts.push(value);
    }
  }
  const name = calls.length === 1 ? nameOfPath(file) : null;
  for (const { line, parts, bytes } of calls) {
    if (bytes <= RECORD_BYTES_MAX) yield recordOf(file, line, parts, options, name);
    else options.refused.push({ file, line, field: null, reason: 'The lines are one call of more than 1 MiB.' });
  }
}

async function* readDocument(file: string, options: ReadOptions): AsyncGenerator<SourceLine> {
  const bytes = await readFile(file);
  const encoding = markedEncoding(bytes.subarray(0, 256)) ?? 'utf-8';
  const text = encoding === 'utf-8' ? (decoded(bytes) ?? '') : new TextDecoder(encoding).decode(bytes);
  const document = parsed(text);
  if (document === undefined) {
    const looks = brokenOff(text);
    throw new Problem(
      `${file} is neither JSON lines nor one JSON document.${looks === null ? '' : ` ${looks}`}`,
      EXIT.failed,
    );
  }
  const calls = cutIntoCalls(document);
  const name = calls.length === 1 && !isListOfCalls(document, calls) ? nameOfPath(file) : null;
  for (const [at, call] of calls.entries()) yield recordOf(file, at + 1, call, options, name);
}

const isObject = (value: Json | undefined) => typeof value === 'object' && value !== null;

const isListOfCalls = (document: Json, calls: readonly Json[]) => Array.isArray(document) && calls[0] === document[0];

function recordOf(
  file: string,
  line: number,
  call: Json,
  { roles, timeZone, note }: ReadOptions,
  name: string | null,
): SourceLine {
  // A list of messages comes wrapped already, and a sender may have said something about a call.
  const given = givenIn(call);
  const about = { name: given.name, roles: { ...given.roles, ...roles }, timeZone: timeZone ?? given.timeZone };
  const isNamed = about.name === null && name !== null && !hasId(handOver(given.value, about));
  if (isNamed) {
    note(`${file}: the call has no id; it is called ${name}, after its file.`);
    about.name = name;
  }
  const isBare = about.name === null && Object.keys(about.roles).length === 0 && about.timeZone === null;
  const isRecord = isObject(given.value) && !Array.isArray(given.value);
  return { file, line, text: JSON.stringify(isBare && isRecord ? given.value : handOver(given.value, about)) };
}
