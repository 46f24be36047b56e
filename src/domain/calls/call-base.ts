import type { TalkState } from '../acts/act.ts';
import type { SpokenTurn } from '../acts/spoken-turn.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import type { Side } from '../vocabulary.ts';
import type { AnsweredBy } from './answered.ts';
import type { NormalisedCall, Turn } from './call.ts';
import type { NodeEntry } from './nodes.ts';
import type { Standing } from './outcome-standing.ts';
import type { SideRecord } from './side-record.ts';
import type { TimingFacts } from './timing.ts';
import type { ToolResultRule } from './tool-result-rules.ts';
import type { ToolUse } from './tool-uses.ts';

/** What a call is read from. */
export interface CallInput {
  call: NormalisedCall;
  /** The configuration that holds for the version that the call ran on; null when none was captured. */
  configuration: AgentConfiguration | null;
  /** What answers of its tools mean, as a person taught it. */
  toolRules?: readonly ToolResultRule[];
}

/** What one pass over the turns gives; claims and outcome are read from it. */
export interface CallBase {
  call: NormalisedCall;
  configuration: AgentConfiguration | null;
  spoken: readonly SpokenTurn[];
  caller: readonly SpokenTurn[];
  agent: readonly SpokenTurn[];
  /** Spoken turn by turn index. */
  spokenAt: ReadonlyMap<number, SpokenTurn>;
  /** Every turn by its index. */
  turnAt: ReadonlyMap<number, Turn>;
  tools: readonly ToolUse[];
  /** Steps of the flow in the order in which they were entered; empty where the agent has none. */
  nodes: readonly NodeEntry[];
  /** Who was on the far side; what machines said is among no caller's turns. */
  answered: AnsweredBy;
  /** What the record holds of each side's words. */
  sides: Record<Side, SideRecord>;
  /** True where the caller's words or times show it; a caller who was not recorded may have spoken. */
  callerSpoke: boolean;
  /** The caller's last word on each value, and what was corrected. */
  talk: TalkState;
  /** Language of the talk (BCP 47 primary tag): by its words, else as declared, else null. */
  language: string | null;
  /** Null where phrase lists exist for the call's language, else why they do not apply. */
  phrasesMissing: string | null;
  /** Waiting, yielding and cutting in; null where the call has no exact times. */
  timing: TimingFacts | null;
  /** What stands after each of the agent's turns; read when a rule first asks. */
  standings: () => readonly Standing[];
  /** Index of the last turn; 0 on a call without turns. */
  lastIndex: number;
}
