import { LINE_LIMIT_BYTES, type ReadRecord } from '../../analyser/read-records.ts';
import { Failure } from '../failure.ts';
import { type LineReader, readLines, readSent } from '../imports/read-lines.ts';
import type { RawBody } from '../json-body.ts';
import { collectUpTo, mediaType, unpacked } from './read-body.ts';

const JSON_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * The records of a body: one, a list of them, or one per line. A list counts like lines, from 1.
 * @param count is told of the bytes, unpacked, as they arrive
 * @throws Failure `invalid_body` for what is none of these.
 */
export async function* readSentRecords(
  reader: LineReader,
  body: RawBody,
  nowMs: number,
  count: (bytes: number) => void,
): AsyncGenerator<ReadRecord> {
  if (body.kind !== 'bytes') throw new Failure('invalid_body', 'The body holds no records.');
  const type = mediaType(body.contentType);
  const reading = { nowMs, calls: false };
  if (type === 'application/json') {
    yield* await readSent(reader, await collectUpTo(JSON_LIMIT_BYTES, unpacked(body, count)), reading);
  } else if (type === 'application/x-ndjson' || type === 'application/jsonl') {
    yield* readLines(reader, unpacked(body, count), reading);
  } else if (TEXTS.has(type)) {
    const document = await asDocument(await collectUpTo(LINE_LIMIT_BYTES, unpacked(body, count)));
    yield* await readSent(reader, document, reading);
  } else {
    throw new Failure(
      'invalid_body',
      'Send one record or a list of them as application/json, one per line as application/x-ndjson, or a transcript as text/vtt, application/x-subrip or text/plain.',
    );
  }
}

/** Transcripts that are no JSON. */
const TEXTS: ReadonlySet<string> = new Set(['text/plain', 'text/vtt', 'application/x-subrip', 'text/srt']);

/** A text as the record that holds it. @throws Failure `invalid_body` */
async function asDocument(bytes: Uint8Array): Promise<Uint8Array> {
  const text = decoded(bytes);
  if (text === null) throw new Failure('invalid_body', 'The body is not valid UTF-8.');
  if (text.trim() === '') throw new Failure('invalid_body', 'The body holds no records.');
  if (/^[[{]/.test(text.trimStart())) throw new Failure('invalid_body', 'JSON is sent as application/json.');
  const { handOver } = await import('../../platforms/formats/handed-over.ts');
  return new TextEncoder().encode(JSON.stringify(handOver(text, {})));
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
