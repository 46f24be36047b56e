/** What callers lose by a fault whether or not their call ends well. */
export interface Loss {
  /** The share of a lost call that one such call counts as, 0 to 1. */
  share: number;
  /** Completes "ranked by what callers lose:". */
  words: string;
}

const NOT_DONE = 'they were told of something that was not done';
const UNTRUE = 'they were told something untrue';
const PRIVACY = 'their privacy';

/** By code. A fault that is not named here counts by its severity and by how its calls end. */
const LOSSES: Readonly<Record<string, Loss>> = {
  claimed_after_failure: { share: 1, words: NOT_DONE },
  claimed_without_tool: { share: 1, words: NOT_DONE },
  transfer_failed: { share: 1, words: 'the person who was promised to them' },
  handover_locked_out: { share: 0.8, words: 'the person who was promised to them' },
  tool_missing: { share: 0.6, words: 'what they had asked for was not done' },
  agreed_state_changed: { share: 0.8, words: 'they got something else than was agreed' },
  duplicate_write: { share: 0.8, words: 'something was booked or charged twice' },
  sensitive_data_spoken: { share: 1, words: PRIVACY },
  disclosed_before_verified: { share: 1, words: PRIVACY },
  opt_out_ignored: { share: 1, words: PRIVACY },
  jailbreak_accepted: { share: 1, words: 'their safety, as the agent takes orders against its rules' },
  result_misreported: { share: 1, words: UNTRUE },
  fact_contradicts_source: { share: 0.6, words: UNTRUE },
  fact_fabricated: { share: 0.6, words: UNTRUE },
};

export function lossOf(code: string): Loss | null {
  return LOSSES[code] ?? null;
}
