import { withReading } from '../../../src/domain/reading/merge-reading.ts';
import {
  type CallToRead,
  checkedReading,
  nextQuestion,
  type ReadingAnswers,
} from '../../../src/domain/reading/steps.ts';
import type { CallAnalysis } from '../../../src/domain/signals/call-analysis.ts';
import type { Analysed } from '../analysed.ts';

/** A call as an agent's reader is asked about it, before anybody has named or labelled anything. */
export const toRead = (
  { call, configuration }: Pick<Analysed, 'call' | 'configuration'>,
  analysis: CallAnalysis,
): CallToRead => ({
  call,
  configuration,
  analysis,
  knownOthers: [],
  trusted: new Set(),
});

/** The rules' reading with a recorded reader's merged in as production does; questions that nobody answered are left out. */
export function mergeRecorded(read: CallToRead, answers: ReadingAnswers): CallAnalysis {
  const question = nextQuestion(read, answers);
  if (question?.kind === 'window') return read.analysis;
  return withReading(read.analysis, checkedReading(read, answers), { mode: 'decide', returned: new Set() });
}
