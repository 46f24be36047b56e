import { wilson } from '../statistics.ts';

/** Of outcomes that a rule decided on calls of businesses that it was not made from: how many were right, of how many. */
const JUDGED: Readonly<Record<string, readonly [right: number, calls: number]>> = {
  write_succeeded: [98, 114],
  told_and_left: [69, 99],
  answer_accepted: [47, 76],
  done_in_words: [52, 73],
  outweighed: [43, 60],
  caller_gave_up: [22, 42],
  done_otherwise: [26, 32],
  not_accepted: [21, 31],
  no_caller_speech: [28, 28],
  refused_and_accepted: [15, 23],
  left_with_goal_open: [16, 21],
  transfer_tool: [18, 19],
  refused_last: [10, 16],
  nobody_answered: [14, 14],
  claim_not_backed: [13, 13],
  told_otherwise: [11, 13],
  called_back_instead: [6, 13],
  nothing_decides: [8, 12],
  answering_machine: [10, 10],
  handed_over_in_words: [7, 7],
  transfer_last_act: [7, 7],
  answered_last: [3, 4],
  request_withdrawn: [2, 4],
  not_taken_up: [3, 3],
};

/** Rules that read a fact of the record and no words; what their author states holds until they are observed. */
const FACTS = new Set(['transfer_end_reason']);

/** The lower end of what the counts leave plausible, so that a rule seen on few calls claims little. */
const STANDARD_ERRORS = 1;
const NOT_OBSERVED_AT_MOST = 0.6;

/** How often an outcome by the rule is right at least; of a rule that was never observed what its author states, within limits. */
export function confidenceOf(rule: string, stated: number): number {
  const seen = JUDGED[rule];
  if (seen === undefined) return FACTS.has(rule) ? stated : Math.min(stated, NOT_OBSERVED_AT_MOST);
  const [k, n] = seen;
  return Math.round(wilson({ k, n }, STANDARD_ERRORS).lower * 100) / 100;
}

/** Of outcomes at this confidence and above, 85 of 100 are right on unfamiliar businesses. */
export const UNSURE_BELOW = 0.7;

/** Of such an outcome a model that may decide is asked; of a surer one never. */
export function isUnsure(outcomeConfidence: number): boolean {
  return outcomeConfidence < UNSURE_BELOW;
}
