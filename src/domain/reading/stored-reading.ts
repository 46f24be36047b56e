import type { CheckedReading } from './answer.ts';
import type { ReadingAnswers } from './steps.ts';

/** What is kept of a call's reading by a model: the answers as they came, and what of them stands. */
export interface StoredReading {
  /** Of what was asked: the same record, agent's text and expectations are not asked about again. */
  questionDigest: string;
  answers: ReadingAnswers;
  /** Null while a question is open. */
  checked: CheckedReading | null;
}
