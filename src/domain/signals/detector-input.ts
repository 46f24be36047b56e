import type { NormalisedCall } from '../calls/call.ts';
import type { CallerHistory } from '../calls/repeat-calls.ts';
import type { ToolResultRule } from '../calls/tool-result-rules.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';

/** A setting of the agent by code, such as `{tool_slow: {slowMs: 3000}}`; what is not set keeps the catalogue's default. */
export type Thresholds = Record<string, Record<string, number>>;

export interface DetectorInput {
  call: NormalisedCall;
  /** The configuration that holds for the version that the call ran on; null when none was captured. */
  configuration: AgentConfiguration | null;
  /** Wordings that a person has made a rule for this agent, beside those that its prompt orders. */
  phraseRules?: { required: string[]; forbidden: string[] };
  /** What answers of its tools mean, as a person taught it. */
  toolRules?: readonly ToolResultRule[];
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
