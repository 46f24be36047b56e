import type { CatalogueEntry } from './catalogue-entry.ts';
import { CAUSE_ROWS } from './cause-rows/index.ts';
import type { Thresholds } from './detector-input.ts';
import {
  CALLER_ABUSIVE,
  CALLER_DID_NOT_FOLLOW,
  CALLER_FRUSTRATED,
  CALLER_LEFT_MID_TASK,
  INSTANT_HANGUP,
  OPT_OUT_IGNORED,
  REPEAT_CALL_SAME_INTENT,
  SPAM_CALL,
  TEST_CALL,
  WRONG_NUMBER,
} from './entries/callers.ts';
import {
  CLAIMED_AFTER_FAILURE,
  CLAIMED_WITHOUT_TOOL,
  DISCLOSED_BEFORE_VERIFIED,
  FACT_CONTRADICTS_SOURCE,
  FORBIDDEN_PHRASE_SAID,
  PROMPT_LEAK,
  REQUIRED_PHRASE_MISSING,
  RESULT_MISREPORTED,
  SENSITIVE_DATA_SPOKEN,
  STEP_BLOCKED,
} from './entries/claims.ts';
import {
  AGENT_HUNG_UP_EARLY,
  AGENT_REPEATS_LINE,
  CLOSING_MISSING,
  DEAD_END_STEP,
  FLOW_LOOP,
  GOODBYE_LOOP,
  HUMAN_REQUEST_IGNORED,
  IVR_STUCK,
  MAX_DURATION_END,
  NO_PROGRESS,
  QUESTION_UNANSWERED,
  REASKED_KNOWN_SLOT,
  REPLY_OFF_TOPIC,
  SILENCE_TIMEOUT_END,
  STEP_SKIPPED,
  VOICEMAIL_TALKED_TO,
} from './entries/flow.ts';
import {
  AGENT_ASKED_TO_REPEAT,
  AUDIO_DROPOUT,
  BACKGROUND_NOISE,
  CALLER_NEVER_HEARD,
  CALLER_REPEATED_SELF,
  CALLER_TURN_EMPTY,
  CORRECTION_NOT_APPLIED,
  DTMF_IGNORED,
  ENTITY_MISTRANSCRIBED,
  LANGUAGE_MISMATCH,
  LOW_TRANSCRIPT_CONFIDENCE,
  READBACK_MISMATCH,
  SAID_ALREADY_TOLD,
  STT_PHANTOM_LOOP,
} from './entries/hearing.ts';
import { MEANING_ENTRIES } from './entries/meaning.ts';
import {
  CAPACITY_REFUSED,
  COST_OUTLIER,
  MARKUP_SPOKEN,
  PLACEHOLDER_SPOKEN,
  PLATFORM_ERROR_END,
  VARIABLE_UNFILLED,
} from './entries/platform.ts';
import {
  AGENT_INTERRUPTS_CALLER,
  BARGE_IN_IGNORED,
  CALLER_INTERRUPTS_OFTEN,
  FALSE_BARGE_IN,
  FILLER_HEAVY,
  MONOLOGUE,
  SPEECH_TOO_FAST,
  SPEECH_TOO_SLOW,
  TALK_RATIO_HIGH,
} from './entries/speaking.ts';
import { DEAD_AIR, FIRST_WORD_SLOW, LLM_SLOW, STT_SLOW, TTS_SLOW, TURN_LATENCY_HIGH } from './entries/timing.ts';
import {
  DUPLICATE_WRITE,
  KB_MISS,
  TOOL_ARGS_INVALID,
  TOOL_ARGS_PLACEHOLDER,
  TOOL_ARGS_UNSUPPORTED,
  TOOL_BESIDE_REQUEST,
  TOOL_CALL_REPEATED,
  TOOL_FAILED,
  TOOL_MISSING,
  TOOL_RESULT_IGNORED,
  TOOL_RETRY_STORM,
  TOOL_SLOW,
  TRANSFER_FAILED,
} from './entries/tools.ts';
import { otherEntry } from './other-code.ts';

/** In the order in which signals are listed where turns are equal. */
const LISTED: readonly CatalogueEntry[] = [
  TOOL_FAILED,
  TOOL_SLOW,
  TOOL_RETRY_STORM,
  TOOL_CALL_REPEATED,
  TOOL_ARGS_INVALID,
  DUPLICATE_WRITE,
  STEP_BLOCKED,
  CLAIMED_AFTER_FAILURE,
  CLAIMED_WITHOUT_TOOL,
  RESULT_MISREPORTED,
  TOOL_MISSING,
  TOOL_ARGS_PLACEHOLDER,
  TOOL_BESIDE_REQUEST,
  TOOL_ARGS_UNSUPPORTED,
  FACT_CONTRADICTS_SOURCE,
  TOOL_RESULT_IGNORED,
  TRANSFER_FAILED,
  VARIABLE_UNFILLED,
  PLATFORM_ERROR_END,
  CAPACITY_REFUSED,
  COST_OUTLIER,
  CALLER_TURN_EMPTY,
  AGENT_ASKED_TO_REPEAT,
  CALLER_REPEATED_SELF,
  LOW_TRANSCRIPT_CONFIDENCE,
  BACKGROUND_NOISE,
  AUDIO_DROPOUT,
  BACKGROUND_NOISE,
  AUDIO_DROPOUT,
  ENTITY_MISTRANSCRIBED,
  CORRECTION_NOT_APPLIED,
  READBACK_MISMATCH,
  STT_PHANTOM_LOOP,
  DTMF_IGNORED,
  LANGUAGE_MISMATCH,
  CALLER_NEVER_HEARD,
  SAID_ALREADY_TOLD,
  CALLER_DID_NOT_FOLLOW,
  REPLY_OFF_TOPIC,
  QUESTION_UNANSWERED,
  REASKED_KNOWN_SLOT,
  KB_MISS,
  DISCLOSED_BEFORE_VERIFIED,
  REQUIRED_PHRASE_MISSING,
  FORBIDDEN_PHRASE_SAID,
  SENSITIVE_DATA_SPOKEN,
  PROMPT_LEAK,
  CALLER_FRUSTRATED,
  CALLER_ABUSIVE,
  WRONG_NUMBER,
  SPAM_CALL,
  TEST_CALL,
  AGENT_REPEATS_LINE,
  FLOW_LOOP,
  NO_PROGRESS,
  STEP_SKIPPED,
  DEAD_END_STEP,
  HUMAN_REQUEST_IGNORED,
  AGENT_HUNG_UP_EARLY,
  GOODBYE_LOOP,
  CALLER_LEFT_MID_TASK,
  INSTANT_HANGUP,
  MAX_DURATION_END,
  VOICEMAIL_TALKED_TO,
  OPT_OUT_IGNORED,
  REPEAT_CALL_SAME_INTENT,
  CLOSING_MISSING,
  IVR_STUCK,
  SILENCE_TIMEOUT_END,
  FIRST_WORD_SLOW,
  TURN_LATENCY_HIGH,
  DEAD_AIR,
  LLM_SLOW,
  TTS_SLOW,
  STT_SLOW,
  AGENT_INTERRUPTS_CALLER,
  BARGE_IN_IGNORED,
  CALLER_INTERRUPTS_OFTEN,
  FALSE_BARGE_IN,
  MONOLOGUE,
  TALK_RATIO_HIGH,
  SPEECH_TOO_FAST,
  SPEECH_TOO_SLOW,
  FILLER_HEAVY,
  PLACEHOLDER_SPOKEN,
  MARKUP_SPOKEN,
  ...MEANING_ENTRIES,
];

/** Codes that only a model names are not listed, and can be looked up all the same. */
class Catalogue extends Map<string, CatalogueEntry> {
  override get(code: string): CatalogueEntry | undefined {
    return super.get(code) ?? otherEntry(code);
  }
}

/**
 * Every code that the analysis or a reader can find, by code, without what finds it. Each has all rows of the cause table: those
 * of its own facts before those that ask the call.
 */
export const CATALOGUE: ReadonlyMap<string, CatalogueEntry> = new Catalogue(
  LISTED.map((entry) => [entry.code, { ...entry, causes: [...entry.causes, ...(CAUSE_ROWS[entry.code] ?? [])] }]),
);

/** The thresholds of one code: the catalogue's defaults under what the agent has set. Names that the code does not know are ignored. */
export function thresholdsOf(entry: CatalogueEntry, settings: Thresholds): Record<string, number> {
  const given = settings[entry.code];
  if (given === undefined) return entry.thresholds;
  const merged: Record<string, number> = {};
  for (const [name, usual] of Object.entries(entry.thresholds)) {
    const value = given[name];
    merged[name] = typeof value === 'number' && Number.isFinite(value) ? value : usual;
  }
  return merged;
}
