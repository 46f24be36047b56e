import type { Json } from '../json.ts';
import type { HeardCall } from '../sound/heard-call.ts';
import type { Channel, Direction, Outcome, Side, Timing, TurnRole } from '../vocabulary.ts';
import type { FieldValue } from './call-fields.ts';

/**
 * A call as every later stage sees it: the platform adapters translate into this shape and nothing behind them
 * knows a provider's words. Times are milliseconds from the start of the call unless a name says otherwise.
 */
export interface NormalisedCall {
  /** The platform's own id of the call; unique within the agent. */
  providerCallId: string;
  /** The agent version that the call ran on. 1 where a file record names none. */
  version: number;
  /**
   * Set where `version` is not the call's own: the platform's label of the version, or `at_start` for whichever was
   * current when the call began. Storage then puts the number of that version into `version`.
   */
  versionBy?: { ref: string } | 'at_start';
  /** ISO 8601 UTC with milliseconds, or null where the platform gives no start (the call never connected, or a file without times). */
  startedAt: string | null;
  endedAt: string | null;
  durationMs: number;
  direction: Direction;
  channel: Channel;
  /** BCP 47 tag such as `en-US`, or null where nobody says it. */
  language: string | null;
  /** The platform's own text, kept as it came; `unknown` where there is none. */
  disconnectionReason: string;
  ending: Ending;
  /** The caller's number as dialled, in memory only: storage keeps a keyed hash of it. */
  callerNumber: string | null;
  turns: Turn[];
  transitions: Transition[];
  timing: Timing;
  /** The platform's latency figures in milliseconds, one per agent answer, where it gives any. */
  latency: LatencyFigures | null;
  costUsd: number | null;
  /** Dynamic variables with which the call began; null where the platform does not say. */
  variables: Record<string, string> | null;
  /** What was sent beside it, such as a campaign or a customer's tier, bounded; left out where nothing was. */
  metadata?: Record<string, FieldValue>;
  /** What the platform concluded itself. A hint to show beside our own reading, never evidence. */
  platformAnalysis: PlatformAnalysis | null;
  /** True when the transcript is known to be incomplete (redacted, not stored, cut). */
  partial: boolean;
  /**
   * Sides of which the record holds nothing, not even when they spoke, although they may have spoken: what is not
   * recorded is no silence. Left out where both were recorded.
   */
  notRecorded?: readonly Side[];
  /** How often each kind of personal data was left out at import; left out where nothing was. */
  redacted?: Record<string, number>;
  /** Oddities met while translating, in words; shown beside the call. */
  warnings: string[];
  /** What its recording shows, where it was heard; never part of a stored record. */
  heard?: HeardCall;
  /** Traces whose spans it was made of, by their sender's ids; left out where it came otherwise. */
  traceIds?: string[];
}

export interface Turn {
  /** Zero-based position in the imported record; every signal, claim and quote points at it. */
  index: number;
  role: TurnRole;
  /** What was said; empty on tool turns and on agent turns that only call a tool. */
  text: string;
  /**
   * Set where somebody spoke and what was said did not arrive, so that only the times are known: `text` is then empty.
   * A turn that only calls a tool has none to miss.
   */
  wordsMissing?: true;
  startMs: number | null;
  endMs: number | null;
  words: Word[] | null;
  /** True when the other side cut this turn off. */
  interrupted: boolean;
  /** The step of the agent's flow that was active, or null where the agent has none. */
  nodeId: string | null;
  toolCall: ToolCall | null;
  toolResult: ToolResult | null;
  /** A key the caller pressed, on turns of role `other`. */
  dtmf: string | null;
  /** Other hypotheses of the speech recogniser for the same turn. */
  alternatives: string[] | null;
}

export interface Word {
  text: string;
  startMs: number;
  endMs: number;
  confidence: number | null;
}

/** Sits on an agent turn. `turn` of the matching result is found by `id`, else by name in order. */
export interface ToolCall {
  id: string | null;
  name: string;
  args: Json;
}

export interface ToolResult {
  id: string | null;
  name: string | null;
  /**
   * Decided by the platform's own rule. Null where the platform says nothing: then the body decides, and where that says
   * nothing either the result is unknown, which is neither success nor failure. A refusal by the business is ok.
   */
  ok: boolean | null;
  okSource: 'flag' | 'body' | 'missing' | 'unknown';
  body: Json;
  /** From call to result; null when the platform gives no times. */
  latencyMs: number | null;
}

export interface Transition {
  /** The transition happened before this turn. */
  atTurn: number;
  atMs: number | null;
  fromId: string | null;
  toId: string;
  toLabel: string | null;
  kind: string;
}

export interface LatencyFigures {
  e2eMs: number[];
  llmMs: number[];
  ttsMs: number[];
  asrMs: number[];
}

export interface PlatformAnalysis {
  summary: string | null;
  successful: boolean | null;
  sentiment: string | null;
  inVoicemail: boolean | null;
}

export type EndingFamily =
  | 'caller_end'
  | 'agent_end'
  | 'transfer'
  | 'machine'
  | 'silence'
  | 'limit'
  | 'setup'
  | 'dial'
  | 'capacity'
  | 'technical'
  | 'operator'
  | 'unknown';

/** The platform's end reason, translated. A prior for the outcome, used only where the transcript decides nothing. */
export interface Ending {
  hint: Outcome | 'unknown';
  family: EndingFamily;
  endedBy: 'caller' | 'agent' | 'platform' | 'unknown';
}
