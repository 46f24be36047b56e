import { readDraft } from '../domain/drafts/quick-checks.ts';
import { redactRecord } from '../domain/personal/redact-record.ts';
import { analyseAndJudge } from '../domain/signals/analyse-call.ts';
import { makeTest } from '../domain/tests/generate.ts';
import { readBrief } from '../domain/versions/brief.ts';
import { readWords } from '../domain/watches/read-words.ts';
import { suggestWatches } from '../domain/watches/suggest.ts';
import { readPayload } from './read-payload.ts';
import { readRecords } from './read-records.ts';
import { readSpans } from './read-spans.ts';

/** All that a process does with what somebody sent. */
export const WORK = {
  analyseAndJudge,
  makeTest,
  readBrief,
  readDraft,
  readPayload,
  readRecords,
  readSpans,
  readWords,
  redactRecord,
  suggestWatches,
};
export type Work = typeof WORK;

export interface WorkRequest {
  work: keyof Work;
  /** Of that function. */
  args: readonly unknown[];
}
/** A process says `ready` once, when its modules are loaded; then one answer a request. */
export type WorkAnswer = { ready: true } | { result: unknown } | { error: string };
