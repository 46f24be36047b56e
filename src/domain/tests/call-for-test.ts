import type { NormalisedCall } from '../calls/call.ts';
import type { CallAnalysis } from '../signals/call-analysis.ts';
import type { DetectorInput, Thresholds } from '../signals/detector-input.ts';
import type { Signal } from '../signals/signal.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';

/** One production call with what the analysis says about it. */
export interface CallForTest {
  call: NormalisedCall;
  analysis: Pick<CallAnalysis, 'outcome' | 'objective' | 'requests' | 'claims'>;
  /** In the order in which they were read. */
  signals: readonly Pick<Signal, 'code' | 'lane' | 'severity' | 'detail' | 'quote' | 'turnIndex'>[];
  /** Of the call's version; null where it was not captured. */
  configuration: AgentConfiguration | null;
  /** By which the agent's calls are read; left out: those of the catalogue. */
  rules?: { thresholds: Thresholds; phraseRules?: DetectorInput['phraseRules'] };
}
