import type { Turn, Word } from '../domain/calls/call.ts';
import { isJsonObject } from '../domain/json.ts';
import { numberOf, textOf } from './lenient.ts';

const LONGEST_CALL_SECONDS = 7 * 86_400;

export function emptyTurn(index: number, role: Turn['role'], nodeId: string | null): Turn {
  return {
    index,
    role,
    text: '',
    startMs: null,
    endMs: null,
    words: null,
    interrupted: false,
    nodeId,
    toolCall: null,
    toolResult: null,
    dtmf: null,
    alternatives: null,
  };
}

/** Words with a sane start and end; null where none has. Seconds of audio time come in, milliseconds go out. */
export function readWords(value: unknown): Word[] | null {
  if (!Array.isArray(value)) return null;
  const words: Word[] = [];
  for (const entry of value) {
    if (!isJsonObject(entry)) continue;
    const startMs = milliseconds(entry.start);
    const endMs = milliseconds(entry.end);
    if (startMs === null || endMs === null || endMs < startMs) continue;
    const confidence = numberOf(entry.confidence);
    words.push({
      text: textOf(entry.word) ?? '',
      startMs,
      endMs,
      confidence: confidence !== null && confidence >= 0 && confidence <= 1 ? confidence : null,
    });
  }
  return words.length > 0 ? words : null;
}

/** Seconds from the start of the call, as milliseconds; null where negative or absent. */
export function milliseconds(seconds: unknown): number | null {
  const value = numberOf(seconds);
  return value === null || value < 0 || value > LONGEST_CALL_SECONDS ? null : Math.round(value * 1000);
}
