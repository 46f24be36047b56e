import { isJsonObject } from '../../domain/json.ts';
import { Failure } from '../failure.ts';
import { LINE_LIMIT_BYTES, RECORDS_LIMIT, readLines, type UploadLine } from '../imports/read-lines.ts';
import { DEPTH_LIMIT, deeperThan, type RawBody } from '../json-body.ts';
import { collectUpTo, mediaType, unpacked } from './read-body.ts';

const JSON_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * The records of a body: one, a list of them, or one a line. A list counts like lines, from 1.
 * @throws Failure `invalid_body` for what is none of these.
 */
export async function* readSentRecords(body: RawBody): AsyncGenerator<UploadLine> {
  if (body.kind !== 'bytes') throw new Failure('invalid_body', 'The body holds no records.');
  const type = mediaType(body.contentType);
  if (type === 'application/json') yield* readJson(await collectUpTo(JSON_LIMIT_BYTES, unpacked(body)));
  else if (type === 'application/x-ndjson' || type === 'application/jsonl') yield* readLines(unpacked(body));
  else {
    throw new Failure(
      'invalid_body',
      'Send one record or a list of them as application/json, or one a line as application/x-ndjson.',
    );
  }
}

function* readJson(bytes: Uint8Array): Generator<UploadLine> {
  // A list around the records is one level more.
  if (deeperThan(bytes, DEPTH_LIMIT + 1)) {
    throw new Failure('invalid_body', `The body nests deeper than ${DEPTH_LIMIT} levels.`);
  }
  const value = parse(bytes);
  const records = Array.isArray(value) ? value : [value];
  if (records.length > RECORDS_LIMIT) {
    throw new Failure(
      'invalid_body',
      `A request takes ${RECORDS_LIMIT} records, and this one holds ${records.length}.`,
    );
  }
  for (const [at, record] of records.entries()) yield lineOf(record, at + 1);
}

function lineOf(record: unknown, line: number): UploadLine {
  const bad = (reason: string): UploadLine => ({ line, state: 'bad', reason, text: null });
  if (!isJsonObject(record)) return bad('The record is no JSON object.');
  const { labels: _labels, ...rest } = record;
  const text = JSON.stringify(rest);
  const bytes = Buffer.from(text);
  if (bytes.length > LINE_LIMIT_BYTES) return bad(`The record is longer than ${LINE_LIMIT_BYTES / 1024 / 1024} MiB.`);
  if (deeperThan(bytes, DEPTH_LIMIT)) return bad(`The record nests deeper than ${DEPTH_LIMIT} levels.`);
  return { line, state: 'record', text };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Failure('invalid_body', 'The body is not valid JSON in UTF-8.');
  }
}
