import { Failure } from '../failure.ts';
import { DEPTH_LIMIT, deeperThan } from '../json-body.ts';

const UPLOAD_LIMIT_BYTES = 64 * 1024 * 1024;
export const LINE_LIMIT_BYTES = 1024 * 1024;
export const RECORDS_LIMIT = 1000;

/** One line of an upload that is not blank: its record's text, or why it is not taken. Lines count from 1. */
export type UploadLine =
  | { line: number; state: 'record'; text: string }
  | { line: number; state: 'bad'; reason: string; text: string | null };

/**
 * Cuts an upload into lines as it arrives; never more than one line is held.
 * @throws Failure `invalid_body` when the whole is too large or holds too many records.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<UploadLine> {
  let bytes = 0;
  let line = 0;
  let records = 0;
  let parts: Buffer[] = [];
  let size = 0;

  const take = (): UploadLine | null => {
    line += 1;
    const whole = size > LINE_LIMIT_BYTES ? null : Buffer.concat(parts);
    parts = [];
    size = 0;
    if (whole !== null && isBlank(whole)) return null;
    records += 1;
    if (records > RECORDS_LIMIT) {
      throw new Failure(
        'invalid_body',
        `An import takes ${RECORDS_LIMIT} records, and this body holds more. Send it in parts (\`earshot import\` does).`,
      );
    }
    return judge(line, whole);
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

function judge(line: number, bytes: Buffer | null): UploadLine {
  const bad = (reason: string, text: string | null = null): UploadLine => ({ line, state: 'bad', reason, text });
  if (bytes === null) return bad(`The line is longer than ${LINE_LIMIT_BYTES / 1024 / 1024} MiB.`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    return bad('The line is not valid UTF-8.');
  }
  if (deeperThan(bytes, DEPTH_LIMIT)) return bad(`The line nests deeper than ${DEPTH_LIMIT} levels.`);
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return bad('The line is not JSON.', text);
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    return bad('The line is no JSON object.', text);
  }
  // Labels are the truth of a test set: no analysis may ever see them.
  if ('labels' in record) {
    const { labels: _labels, ...rest } = record;
    text = JSON.stringify(rest);
  }
  return { line, state: 'record', text };
}
