import { withReading } from '../../../src/domain/reading/merge-reading.ts';
import { type CallToRead, type ReadingAnswers, readingSteps } from '../../../src/domain/reading/steps.ts';
import type { CallAnalysis } from '../../../src/domain/signals/call-analysis.ts';
import type { Analysed } from '../analysed.ts';

/** A call as an agent's reader is asked about it, before anybody has named or labelled anything. */
export const toRead = (
  { call, configuration, isCallerKnown }: Pick<Analysed, 'call' | 'configuration'> & { isCallerKnown: boolean },
  analysis: CallAnalysis,
): CallToRead => ({
  call,
  configuration,
  isCallerKnown,
  analysis,
  knownOthers: [],
  trusted: new Set(),
});

/** The rules' reading with a recorded reader's merged in as production does; questions that nobody answered are left out. */
export function mergeRecorded(read: CallToRead, answers: ReadingAnswers): CallAnalysis {
  const { checked } = readingSteps(read)(answers);
  return withReading(read.analysis, checked, { mode: 'decide', returned: new Set() });
}
