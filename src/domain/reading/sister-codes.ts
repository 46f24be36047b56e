/** Codes that name one fault from different sides: each counts for the other. */
const SISTERS: readonly (readonly string[])[] = [
  [
    'correction_not_applied',
    'readback_mismatch',
    'entity_mistranscribed',
    'tool_args_unsupported',
    'agreed_state_changed',
  ],
  ['reasked_known_slot', 'said_already_told', 'caller_repeated_self', 'reconfirmed_after_yes'],
  ['agent_repeats_line', 'flow_loop', 'no_progress', 'caller_repeated_self', 'reasked_known_slot'],
  [
    'claimed_after_failure',
    'claimed_without_tool',
    'result_misreported',
    'fact_contradicts_source',
    'fact_fabricated',
    'self_contradiction',
  ],
  ['tool_failed', 'transfer_failed', 'platform_error_end'],
  ['tool_slow', 'dead_air', 'turn_latency_high', 'first_word_slow', 'silence_timeout_end'],
  ['agent_interrupts_caller', 'barge_in_ignored', 'false_barge_in', 'caller_interrupts_often'],
  ['question_unanswered', 'reply_off_topic', 'intent_misread', 'caller_did_not_follow', 'kb_miss', 'reference_misread'],
  ['required_phrase_missing', 'instruction_not_followed', 'step_skipped', 'disclosed_before_verified'],
  ['forbidden_phrase_said', 'instruction_not_followed'],
  ['placeholder_spoken', 'markup_spoken', 'prompt_leak'],
  ['duplicate_write', 'tool_call_repeated', 'tool_retry_storm'],
  ['monologue', 'filler_heavy'],
  ['human_request_ignored', 'transfer_failed', 'handover_locked_out'],
  ['tool_missing', 'claimed_without_tool'],
  ['caller_left_mid_task', 'dead_end_step', 'silence_timeout_end'],
];

export function areSisters(code: string, other: string): boolean {
  return code === other || SISTERS.some((list) => list.includes(code) && list.includes(other));
}
