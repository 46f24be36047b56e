import type { NormalisedCall } from '../calls/call.ts';
import type { Json } from '../json.ts';
import { openRedactor, type RedactionRules } from './redact.ts';

/** A record that was read as a call, or why it could not be. */
export type RecordToRedact =
  | { state: 'call'; call: NormalisedCall; payload: Json }
  | { state: 'failed'; reason: string; payload: Json | null };

/** The same without what the rules leave out. */
export function redactRecord(rules: RedactionRules, record: RecordToRedact): RecordToRedact {
  const redactor = openRedactor(rules);
  if (redactor === null) return record;
  if (record.state === 'call') return redactor.call(record);
  const { reason, payload } = record;
  return { ...record, reason: redactor.text(reason), payload: payload === null ? null : redactor.json(payload) };
}
