import type { Ending, LatencyFigures, ToolCall, ToolResult, Transition } from '../../domain/calls/call.ts';
import type { Direction, Side } from '../../domain/vocabulary.ts';

/** One thing that was said or done, as the spans of one library tell it. Times are milliseconds since 1970. */
export interface DraftTurn {
  role: 'caller' | 'agent' | 'tool';
  text: string;
  /** Somebody spoke, and what was said is on no span. */
  wordless: boolean;
  /** Where it stands among the others. */
  atMs: number;
  /** When it was heard; null where the spans do not tell. */
  spoken: { fromMs: number; toMs: number } | null;
  interrupted: boolean;
  toolCall: ToolCall | null;
  toolResult: ToolResult | null;
}

/** What the spans of one library say about a call, before its clock is laid from zero. */
export interface CallDraft {
  turns: DraftTurn[];
  /** False where spoken times are only near. */
  exact: boolean;
  /** Something was heard or synthesised: else the talk was typed. */
  aloud: boolean;
  latency: LatencyFigures;
  disconnectionReason: string | null;
  ending: Ending;
  callerNumber: string | null;
  direction: Direction | null;
  language: string | null;
  transitions: { atMs: number; fromId: string | null; toId: string; kind: Transition['kind'] }[];
  warnings: string[];
  /** Whether these spans tell by one of theirs that a call is over. */
  tellsEnd: boolean;
  /** Sides of which the spans tell nothing, although they may have spoken. */
  notRecorded: Side[];
}

export const UNKNOWN_ENDING: Ending = { hint: 'unknown', family: 'unknown', endedBy: 'unknown' };

export const noLatency = (): LatencyFigures => ({ e2eMs: [], llmMs: [], ttsMs: [], asrMs: [] });

export function emptyDraft(): CallDraft {
  return {
    turns: [],
    exact: false,
    aloud: false,
    latency: noLatency(),
    disconnectionReason: null,
    ending: UNKNOWN_ENDING,
    callerNumber: null,
    direction: null,
    language: null,
    transitions: [],
    warnings: [],
    tellsEnd: true,
    notRecorded: [],
  };
}

export function said(
  role: 'caller' | 'agent',
  text: string,
  atMs: number,
  spoken: DraftTurn['spoken'] = null,
  interrupted = false,
): DraftTurn {
  const wordless = text.trim() === '';
  return { role, text: text.trim(), wordless, atMs, spoken, interrupted, toolCall: null, toolResult: null };
}

/** Speech of which only the times are known. */
export const spokeAt = (role: 'caller' | 'agent', spoken: { fromMs: number; toMs: number }): DraftTurn =>
  said(role, '', spoken.fromMs, spoken);

export function called(toolCall: ToolCall, atMs: number): DraftTurn {
  const spoken = { fromMs: atMs, toMs: atMs };
  return { role: 'agent', text: '', wordless: false, atMs, spoken, interrupted: false, toolCall, toolResult: null };
}

export function answered(toolResult: ToolResult, atMs: number): DraftTurn {
  const spoken = { fromMs: atMs, toMs: atMs };
  return { role: 'tool', text: '', wordless: false, atMs, spoken, interrupted: false, toolCall: null, toolResult };
}

/** Seconds as figures of latency; what is not above zero was not measured. */
export function addSeconds(figures: number[], seconds: number | null): void {
  if (seconds !== null && seconds > 0 && seconds < 3_600) figures.push(Math.round(seconds * 1000));
}
