import { analyseCall } from '../../src/domain/signals/analyse-call.ts';
import type { CallAnalysis } from '../../src/domain/signals/signal.ts';
import { type LabelledCall, readSet } from './records.ts';

export interface Analysed extends LabelledCall {
  analysis: CallAnalysis;
  /** What intervals are drawn over: calls of one group are not independent. */
  group: string;
}

/** The label that names the group of a set; a set that is not here is drawn over its records. */
const GROUP_LABEL: Record<string, string> = {
  star: 'callerId',
  tau_airline: 'taskId',
  tau_retail: 'callerId',
  eva_progression: 'scenario',
  eva_faithfulness: 'scenario',
  evi: 'callerId',
  tm4_thumbs: 'opening',
};

/** Analyses every record of a set. @returns null where the set is absent. */
export function analyseSet(folder: string, set: string): Analysed[] | null {
  const records = readSet(folder, set);
  if (records === null) return null;
  return records.map((record) => ({
    ...record,
    analysis: analyseCall({ call: record.call, configuration: record.configuration }, {}),
    group: String(record.labels[GROUP_LABEL[set] ?? ''] ?? record.id),
  }));
}
