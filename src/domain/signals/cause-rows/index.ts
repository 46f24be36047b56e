import type { CauseRow } from '../catalogue-entry.ts';
import { CORRECTION_NOT_APPLIED, FACT_CONTRADICTS_SOURCE, RESULT_MISREPORTED, TOOL_BESIDE_REQUEST } from './claims.ts';
import {
  COST_OUTLIER,
  FILLER_HEAVY,
  LEFT_OR_STANDING,
  MAX_DURATION_END,
  OPT_OUT_IGNORED,
  SILENCE_TIMEOUT_END,
  STEP_SKIPPED,
  TOOL_CALL_REPEATED,
  VOICEMAIL_TALKED_TO,
} from './flow.ts';
import {
  CALLER_NEVER_HEARD,
  CALLER_REPEATED_SELF,
  CALLER_TURN_EMPTY,
  DTMF_IGNORED,
  ENTITY_MISTRANSCRIBED,
  LOW_CONFIDENCE,
  READBACK_MISMATCH,
  SAID_ALREADY_TOLD,
} from './hearing.ts';
import { AGENT_INTERRUPTS_CALLER, BARGE_IN_IGNORED, CALLER_INTERRUPTS_OFTEN, FIRST_WORD_SLOW } from './speaking.ts';
import {
  CALLER_DID_NOT_FOLLOW,
  CALLER_FRUSTRATED,
  QUESTION_UNANSWERED,
  REASKED_KNOWN_SLOT,
  REPLY_OFF_TOPIC,
  REQUIRED_PHRASE_MISSING,
} from './understanding.ts';

/**
 * Causes whose evidence lies in the call and in what its agent is told, by code; those whose evidence is a fact that the
 * detector found stand with the detector. A code in neither is always `not_established`.
 */
export const CAUSE_ROWS: Readonly<Record<string, readonly CauseRow[]>> = {
  agent_interrupts_caller: AGENT_INTERRUPTS_CALLER,
  barge_in_ignored: BARGE_IN_IGNORED,
  caller_did_not_follow: CALLER_DID_NOT_FOLLOW,
  caller_frustrated: CALLER_FRUSTRATED,
  caller_interrupts_often: CALLER_INTERRUPTS_OFTEN,
  caller_left_mid_task: LEFT_OR_STANDING,
  caller_never_heard: CALLER_NEVER_HEARD,
  caller_repeated_self: CALLER_REPEATED_SELF,
  caller_turn_empty: CALLER_TURN_EMPTY,
  correction_not_applied: CORRECTION_NOT_APPLIED,
  cost_outlier: COST_OUTLIER,
  dtmf_ignored: DTMF_IGNORED,
  entity_mistranscribed: ENTITY_MISTRANSCRIBED,
  fact_contradicts_source: FACT_CONTRADICTS_SOURCE,
  filler_heavy: FILLER_HEAVY,
  first_word_slow: FIRST_WORD_SLOW,
  low_transcript_confidence: LOW_CONFIDENCE,
  max_duration_end: MAX_DURATION_END,
  no_progress: LEFT_OR_STANDING,
  opt_out_ignored: OPT_OUT_IGNORED,
  question_unanswered: QUESTION_UNANSWERED,
  readback_mismatch: READBACK_MISMATCH,
  reasked_known_slot: REASKED_KNOWN_SLOT,
  reply_off_topic: REPLY_OFF_TOPIC,
  required_phrase_missing: REQUIRED_PHRASE_MISSING,
  result_misreported: RESULT_MISREPORTED,
  said_already_told: SAID_ALREADY_TOLD,
  silence_timeout_end: SILENCE_TIMEOUT_END,
  step_skipped: STEP_SKIPPED,
  tool_beside_request: TOOL_BESIDE_REQUEST,
  tool_call_repeated: TOOL_CALL_REPEATED,
  voicemail_talked_to: VOICEMAIL_TALKED_TO,
};
