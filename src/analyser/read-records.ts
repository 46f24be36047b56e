import type { NormalisedCall } from '../domain/calls/call.ts';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';
import { jsonExceeds } from '../domain/json-shape.ts';
import type { CallAnalysis } from '../domain/signals/call-analysis.ts';
import { SPAN_RECORD } from '../domain/spans/span.ts';

export const LINE_LIMIT_BYTES = 1024 * 1024;
export const RECORDS_LIMIT = 1000;
export const DEPTH_LIMIT = 32;

/** A line of a body; null: longer than a line may be. Lines count from 1, in a list the records do. */
export interface SentLine {
  line: number;
  bytes: Uint8Array | null;
}

/** What becomes of a record: its text, with the call that it is where that was asked for, or what is wrong with it. */
export type ReadRecord =
  | { line: number; state: 'record'; text: string; call: UnderstoodCall | null }
  | { line: number; state: 'bad'; field: string | null; reason: string; text: string | null };

/** A call with what its record was recognized as. */
export interface UnderstoodCall {
  format: string;
  call: NormalisedCall;
  /** Codes that can't be computed on it, with why; null where that was not looked at. */
  gaps: CallAnalysis['notComputable'] | null;
}

export interface ReadingOfRecords {
  /** For platforms' times without a zone, in milliseconds. Null: only whether each is a JSON object. */
  nowMs: number | null;
  /** Whether the calls are answered too. */
  calls: boolean;
  /** Of the records up to this line it is looked at which codes can be computed. */
  gapsTo?: number;
}

/** @param sent lines, or the bytes of one JSON document: a record or a list of them. */
export async function readRecords(
  sent: readonly SentLine[] | Uint8Array,
  { nowMs, calls, gapsTo = 0 }: ReadingOfRecords,
): Promise<{ records: ReadRecord[] } | { unreadable: string }> {
  const { cutIntoCalls } = await import('../platforms/formats/cut.ts');
  const judged =
    sent instanceof Uint8Array ? ofDocument(sent, cutIntoCalls) : sent.flatMap((line) => ofLine(line, cutIntoCalls));
  if ('unreadable' in judged) return judged;
  // Spans are kept as records of their own, which nobody else sends.
  const sentOnly = judged.map(
    (one): Judged =>
      one.record?.['object'] === SPAN_RECORD
        ? { read: bad(one.read.line, 'Spans are sent to `/otlp/v1/traces`.', { field: 'object' }), record: null }
        : one,
  );
  if (nowMs === null) return { records: sentOnly.map(({ read }) => read) };
  const { readRecord } = await import('../platforms/file/reader.ts');
  const { UnreadableCall } = await import('../platforms/port.ts');
  const { analyseCall } = await import('../domain/signals/analyse-call.ts');
  const records = sentOnly.map(({ read, record }): ReadRecord => {
    if (record === null || read.state === 'bad') return read;
    try {
      const { format, call } = readRecord(record, nowMs);
      if (!calls) return read;
      const analysis = read.line > gapsTo ? null : analyseCall({ call, configuration: null }, {});
      return { ...read, call: { format, call, gaps: analysis?.notComputable ?? null } };
    } catch (error) {
      if (error instanceof UnreadableCall) return bad(read.line, error.message, { field: error.field });
      return bad(read.line, 'The record could not be read.');
    }
  });
  return { records };
}

/** A document as the records of its calls. */
type Cut = (document: Json) => Json[];

/** A record as text and as the object that it is, null where it is none. */
interface Judged {
  read: ReadRecord;
  record: JsonObject | null;
}

function bad(line: number, reason: string, more: { field?: string | null; text?: string } = {}): ReadRecord {
  return { line, state: 'bad', field: more.field ?? null, reason, text: more.text ?? null };
}

const isBad = (line: number, reason: string, text?: string): Judged => ({
  read: bad(line, reason, text === undefined ? {} : { text }),
  record: null,
});

/** A line may be a page of several calls. */
function ofLine({ line, bytes }: SentLine, cutIntoCalls: Cut): Judged[] {
  if (bytes === null) return [isBad(line, `The line is longer than ${LINE_LIMIT_BYTES / 1024 / 1024} MiB.`)];
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    return [isBad(line, 'The line is not valid UTF-8.')];
  }
  if (jsonExceeds(bytes, { depth: DEPTH_LIMIT })) {
    return [isBad(line, `The line nests deeper than ${DEPTH_LIMIT} levels.`)];
  }
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return [isBad(line, 'The line is not JSON.', text)];
  }
  const records = cutIntoCalls(value);
  if (records.length === 0) return [isBad(line, 'The line is no JSON object.', text)];
  return records.map((record): Judged => {
    if (!isJsonObject(record)) return isBad(line, 'The line is no JSON object.', text);
    const own = record === value ? text : JSON.stringify(record);
    return { read: { line, state: 'record', text: own, call: null }, record };
  });
}

function ofDocument(bytes: Uint8Array, cutIntoCalls: Cut): Judged[] | { unreadable: string } {
  // A list around the records is one level more.
  if (jsonExceeds(bytes, { depth: DEPTH_LIMIT + 1 })) {
    return { unreadable: `The body nests deeper than ${DEPTH_LIMIT} levels.` };
  }
  let value: Json;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return { unreadable: 'The body is not valid JSON in UTF-8.' };
  }
  const records = cutIntoCalls(value);
  if (records.length > RECORDS_LIMIT) {
    return { unreadable: `A request takes ${RECORDS_LIMIT} records, and this one holds ${records.length}.` };
  }
  return records.map((record, at) => ofEntry(record, at + 1));
}

function ofEntry(record: Json, line: number): Judged {
  if (!isJsonObject(record)) return isBad(line, 'The record is no JSON object.');
  const text = JSON.stringify(record);
  const bytes = Buffer.from(text);
  if (bytes.length > LINE_LIMIT_BYTES) {
    return isBad(line, `The record is longer than ${LINE_LIMIT_BYTES / 1024 / 1024} MiB.`);
  }
  if (jsonExceeds(bytes, { depth: DEPTH_LIMIT })) {
    return isBad(line, `The record nests deeper than ${DEPTH_LIMIT} levels.`);
  }
  return { read: { line, state: 'record', text, call: null }, record };
}
