import type { ToolUse } from '../calls/tool-uses.ts';
import type { CallReading } from './reading.ts';
import type { Place } from './signal.ts';

/** Places that every call reaches: the base of a rate there is every computable call. */
export const AGENT: Place = { kind: 'agent', id: 'agent', label: 'the agent' };
export const PROMPT: Place = { kind: 'prompt', id: 'prompt', label: 'the prompt' };
export const RECOGNISER: Place = { kind: 'platform', id: 'speech_recognition', label: 'speech recognition' };
export const MODEL: Place = { kind: 'platform', id: 'language_model', label: 'the language model' };
export const VOICE: Place = { kind: 'platform', id: 'speech_synthesis', label: 'speech synthesis' };
export const TURN_TAKING: Place = { kind: 'platform', id: 'turn_taking', label: 'turn taking' };
export const CALL_LIMITS: Place = { kind: 'platform', id: 'call_limits', label: 'call limits' };
export const TELEPHONY: Place = { kind: 'platform', id: 'telephony', label: 'telephony' };
export const PLATFORM: Place = { kind: 'platform', id: 'platform', label: 'the voice platform' };

export function toolPlace(use: ToolUse): Place {
  return { kind: 'tool', id: use.definition?.id ?? use.name, label: use.name };
}

/** The step of the flow that was active at a turn, or null where the agent has no steps. */
export function nodePlaceAt(reading: CallReading, turn: number): Place | null {
  const { nodes } = reading;
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nodes[middle]?.turn ?? 0) <= turn) low = middle + 1;
    else high = middle;
  }
  const entry = nodes[Math.max(0, low - 1)];
  return entry === undefined ? null : { kind: 'node', id: entry.nodeId, label: entry.label };
}

/** The smallest thing that a person can change about what was said at a turn: the step, else the prompt. */
export function placeAt(reading: CallReading, turn: number): Place {
  return nodePlaceAt(reading, turn) ?? PROMPT;
}
