import { CATALOGUE } from '../signals/catalogue.ts';
import type { Signal } from '../signals/signal.ts';

const WEIGHT = { critical: 0, high: 1, medium: 2, low: 3 } as const;

/**
 * What a call that is played as text can not show: times, sound, the recogniser's mistakes, faults of the platform, and
 * what callers did.
 */
const NOT_IN_TEXT = new Set([
  'tool_slow',
  'platform_error_end',
  'capacity_refused',
  'cost_outlier',
  'caller_turn_empty',
  'low_transcript_confidence',
  'entity_mistranscribed',
  'stt_phantom_loop',
  'dtmf_ignored',
  'caller_never_heard',
  'repeat_call_same_intent',
  'silence_timeout_end',
  'max_duration_end',
  'voicemail_talked_to',
  'caller_left_mid_task',
  'caller_frustrated',
  'first_word_slow',
  'turn_latency_high',
  'dead_air',
  'llm_slow',
  'tts_slow',
  'stt_slow',
  'agent_interrupts_caller',
  'barge_in_ignored',
  'caller_interrupts_often',
  'speech_too_fast',
  'speech_too_slow',
]);

/** Whether a call that is played as text can show what a code names. */
export function canShow(code: string): boolean {
  const entry = CATALOGUE.get(code);
  return entry !== undefined && entry.klass !== 'behaviour' && !NOT_IN_TEXT.has(code);
}

/** Whether our detectors by themselves tell such a call with it from one without: what they only note they don't. */
export const canFind = (code: string): boolean =>
  CATALOGUE.has(code) && canShow(code) && CATALOGUE.get(code)?.observation !== true;

/** The gravest first, each code once, without those that no simulated call could show. */
export function signalsByWeight<S extends Pick<Signal, 'code' | 'severity' | 'turnIndex'>>(signals: readonly S[]): S[] {
  const sorted = signals
    .filter(({ code }) => canShow(code))
    .toSorted((a, b) => WEIGHT[a.severity] - WEIGHT[b.severity] || a.turnIndex - b.turnIndex);
  return sorted.filter(({ code }, at) => sorted.findIndex((other) => other.code === code) === at);
}
