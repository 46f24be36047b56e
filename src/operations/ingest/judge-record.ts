import type { NormalisedCall } from '../../domain/calls/call.ts';
import type { Json } from '../../domain/json.ts';
import { createFileReader } from '../../platforms/file/reader.ts';
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

export function judgeRecord(entry: UploadLine, nowMs: number): Judged {
  const { line } = entry;
  if (entry.state === 'bad') return { refused: { line, field: null, reason: entry.reason } };
  try {
    const call = createFileReader(() => nowMs).normalise(JSON.parse(entry.text) as Json);
    return { text: entry.text, call };
  } catch (error) {
    if (error instanceof UnreadableCall) return { refused: { line, field: error.field, reason: error.message } };
    return { refused: { line, field: null, reason: 'The record could not be read.' } };
  }
}
