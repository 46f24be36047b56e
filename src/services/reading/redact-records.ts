import { type Analyser, AnalysisFailed } from '../../analyser/analyser.ts';
import type { RedactionRules } from '../../domain/personal/redact.ts';
import type { RecordToRedact } from '../../domain/personal/redact-record.ts';

/**
 * A record without what the settings of its agent leave out, worked out in the analyser's processes: one that takes too
 * long holds nobody else up, and is kept as a reason alone.
 */
export async function redactRecord(
  analyser: Analyser,
  workspaceId: string,
  rules: RedactionRules,
  record: RecordToRedact,
): Promise<RecordToRedact> {
  if (rules.kinds.length + rules.patterns.length === 0) return record;
  try {
    return await analyser.redactRecord(workspaceId, rules, record);
  } catch (error) {
    if (!(error instanceof AnalysisFailed)) throw error;
    const reason = `The record could not be redacted, so nothing of it is stored. ${error.message}`;
    return { state: 'failed', reason, payload: null };
  }
}
