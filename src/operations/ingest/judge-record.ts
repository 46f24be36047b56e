import { setImmediate } from 'node:timers/promises';
import type { NormalisedCall } from '../../domain/calls/call.ts';
import { isJsonObject, type Json } from '../../domain/json.ts';
import { SPAN_RECORD } from '../../domain/spans/span.ts';
import { UnreadableCall } from '../../platforms/port.ts';
import type { UploadLine } from '../imports/read-lines.ts';

export interface RefusedRecord {
  /** Counts from 1; in a list the record's place. */
  line: number;
  field: string | null;
  reason: string;
}

/** What becomes of a line: the call that it holds, or what is wrong with it. */
export type Judged = { text: string; call: NormalisedCall } | { refused: RefusedRecord };

/** One record at a time: whoever else waits for the event loop comes between two. */
export async function judgeRecord(entry: UploadLine, nowMs: number): Promise<Judged> {
  await setImmediate();
  const { line } = entry;
  if (entry.state === 'bad') return { refused: { line, field: null, reason: entry.reason } };
  const { createFileReader } = await readers();
  try {
    const record: Json = JSON.parse(entry.text);
    if (isJsonObject(record) && record.object === SPAN_RECORD) {
      throw new UnreadableCall('Spans are sent to `/otlp/v1/traces`.', 'object');
    }
    const call = createFileReader(() => nowMs).normalise(record);
    return { text: entry.text, call };
  } catch (error) {
    if (error instanceof UnreadableCall) return { refused: { line, field: error.field, reason: error.message } };
    return { refused: { line, field: null, reason: 'The record could not be read.' } };
  }
}

/** Loaded where somebody sends a record: they read tool results, for which they need the words of all languages. */
const readers = () => import('../../platforms/file/reader.ts');
