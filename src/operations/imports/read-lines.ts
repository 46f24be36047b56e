import { type Analyser, AnalysisFailed } from '../../analyser/analyser.ts';
import {
  LINE_LIMIT_BYTES,
  RECORDS_LIMIT,
  type ReadingOfRecords,
  type ReadRecord,
  type SentLine,
} from '../../analyser/read-records.ts';
import { Failure } from '../failure.ts';

const UPLOAD_LIMIT_BYTES = 64 * 1024 * 1024;
/** What is handed over at once: a line of the longest, or as many short ones. */
const TOGETHER_BYTES = LINE_LIMIT_BYTES;
const TOGETHER_LINES = 200;

/** Who reads the lines: in turn with the other workspaces. */
export interface LineReader {
  analyser: Analyser;
  workspaceId: string;
}

/**
 * Reads an upload line by line as it arrives, in processes of the analyser; blank lines are none. A line that holds
 * several calls, such as a page of a platform's list, counts as so many lines.
 * @throws Failure `invalid_body` when the whole is too large, holds too many records, or can't be read in the time there is.
 */
export async function* readLines(
  reader: LineReader,
  chunks: AsyncIterable<Uint8Array>,
  reading: ReadingOfRecords,
): AsyncGenerator<ReadRecord> {
  let before = 0;
  let shift = 0;
  let records = 0;
  for await (const together of inBatches(cutLines(chunks))) {
    for (const record of await readSent(reader, together, reading)) {
      if (record.line === before) shift += 1;
      before = record.line;
      records += 1;
      if (records > RECORDS_LIMIT) throw tooMany();
      yield { ...record, line: record.line + shift };
    }
  }
}

const tooMany = () =>
  new Failure(
    'invalid_body',
    `An import takes ${RECORDS_LIMIT} records, and this body holds more. Send it in parts (\`earshot import\` does).`,
  );

async function* inBatches(lines: AsyncIterable<SentLine>): AsyncGenerator<SentLine[]> {
  let together: SentLine[] = [];
  let bytes = 0;
  for await (const line of lines) {
    together.push(line);
    bytes += line.bytes?.length ?? 0;
    if (bytes < TOGETHER_BYTES && together.length < TOGETHER_LINES) continue;
    yield together;
    together = [];
    bytes = 0;
  }
  if (together.length > 0) yield together;
}

/** @throws Failure `invalid_body` for what is no document of records, or can't be read in the time there is. */
export async function readSent(
  { analyser, workspaceId }: LineReader,
  sent: readonly SentLine[] | Uint8Array,
  reading: ReadingOfRecords,
): Promise<ReadRecord[]> {
  const read = await orRefused(analyser.readRecords(workspaceId, sent, reading));
  if ('unreadable' in read) throw new Failure('invalid_body', read.unreadable);
  return read.records;
}

/**
 * @throws Failure `invalid_body` where the analyser had to give up; `request_timeout` where it was out of time, which on a
 * busy machine says nothing of the body: its sender would drop it for a refusal.
 */
export async function orRefused<Read>(reading: Promise<Read>): Promise<Read> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof AnalysisFailed)) throw error;
    if (!error.wasLate) throw new Failure('invalid_body', `The body can't be read. ${error.message}`);
    throw new Failure('request_timeout', `${error.message} Send it again, or in smaller parts.`);
  }
}

/** Never more than one line is held. */
async function* cutLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SentLine> {
  let bytes = 0;
  let line = 0;
  let records = 0;
  let parts: Buffer[] = [];
  let size = 0;

  const take = (): SentLine | null => {
    line += 1;
    const whole = size > LINE_LIMIT_BYTES ? null : Buffer.concat(parts);
    parts = [];
    size = 0;
    if (whole !== null && isBlank(whole)) return null;
    records += 1;
    if (records > RECORDS_LIMIT) throw tooMany();
    return { line, bytes: whole };
  };

  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > UPLOAD_LIMIT_BYTES) {
      throw new Failure('invalid_body', `The body is larger than ${UPLOAD_LIMIT_BYTES / 1024 / 1024} MiB.`);
    }
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = rest.indexOf(0x0a); at >= 0; at = rest.indexOf(0x0a)) {
      size += at;
      if (size <= LINE_LIMIT_BYTES) parts.push(rest.subarray(0, at));
      const taken = take();
      if (taken) yield taken;
      rest = rest.subarray(at + 1);
    }
    size += rest.length;
    // Of a line that is too long nothing needs to be kept but its length.
    if (size <= LINE_LIMIT_BYTES) parts.push(Buffer.from(rest));
    else parts = [];
  }
  if (size > 0) {
    const taken = take();
    if (taken) yield taken;
  }
}

const isBlank = (bytes: Buffer) => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
