import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import type { CallAnalysis } from '../../src/domain/signals/call-analysis.ts';
import type { Signal } from '../../src/domain/signals/signal.ts';
import type { AgentConfiguration } from '../../src/domain/versions/configuration.ts';
import type { LabelledRecord, RecordSet } from './records.ts';

/** Of an analysis, what figures are taken from: the fields that an export shows, and the requests that intents are found in. */
export interface Measured
  extends Pick<
    CallAnalysis,
    | 'outcome'
    | 'outcomeConfidence'
    | 'badEndingScore'
    | 'observations'
    | 'toolResults'
    | 'rating'
    | 'turnRatings'
    | 'rootCause'
    | 'timing'
    | 'requests'
  > {
  counts: Pick<CallAnalysis['counts'], 'frictions' | 'toolFailures'>;
  signals: (Pick<Signal, 'code' | 'klass' | 'lane' | 'confidence' | 'turnIndex' | 'quote' | 'proof'> & {
    cause: object | null;
  })[];
}

export interface Analysed extends LabelledRecord {
  /** As it was stored. */
  call: NormalisedCall;
  configuration: AgentConfiguration | null;
  analysis: Measured;
  /** What the rules alone say, where a reader's reading is merged in. */
  rules?: Measured;
}

/** A row of an agent's board. */
export interface BoardRow {
  code: string;
  place: string;
  calls: number;
}

export interface AnalysedSet extends Omit<RecordSet, 'records' | 'configuration'> {
  calls: Analysed[];
  /** In its order; null where nothing was grouped. */
  board: BoardRow[] | null;
}

/** How records are analysed. */
export interface Way {
  /** Printed with the figures. */
  name: string;
  analyse(set: RecordSet): Promise<AnalysedSet>;
  /** What else is to be said once all sets are analysed, in sentences. */
  notes?(): Promise<string[]>;
  close(): Promise<void>;
}
