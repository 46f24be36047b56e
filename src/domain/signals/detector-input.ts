import type { CallInput } from '../calls/call-base.ts';
import type { CallerHistory } from '../calls/repeat-calls.ts';

/** A setting of the agent by code, such as `{tool_slow: {slowMs: 3000}}`; what is not set keeps the catalogue's default. */
export type Thresholds = Record<string, Record<string, number>>;

export interface DetectorInput extends CallInput {
  /** Wordings that a person has made a rule for this agent, beside those that its prompt orders. */
  phraseRules?: { required: string[]; forbidden: string[] };
  /** What the agent's calls cost; null where they are compared later, all at once; left out where nobody does. */
  agentCosts?: AgentCosts | null;
  /** The caller's other calls; null or left out where nobody knows who called. */
  callerHistory?: CallerHistory | null;
}

/** What an agent's calls cost: those with contact that cost anything. Figures are rounded up to two digits, in USD. */
export interface AgentCosts {
  calls: number;
  /** Half of the calls cost at most this. */
  medianUsd: number;
  /** 99 in 100 cost at most this. */
  p99Usd: number;
}
