import type { CheckedReading } from './answer.ts';
import type { AskedExpectation, ReadVerdict } from './expected-of-watches.ts';
import type { ReadingAnswers } from './steps.ts';

/** What is kept of a call's reading by a model: the answers as they came, and what of them stands. */
export interface StoredReading {
  /** Of what was asked: the same record and agent's text are not asked about again. */
  questionDigest: string;
  answers: ReadingAnswers;
  /** Watches whose expectations the question carried; left out where there were none. */
  asked?: AskedExpectation[];
  /** What it said of them. */
  verdicts?: ReadVerdict[];
  /** Names were left out of it and of the call: what was proved on them is not looked at again. */
  leftOutNames?: true;
  /** Null while a question is open. */
  checked: CheckedReading | null;
}
