/** On how many labelled calls of several businesses the outcome by a rule was right, of how many it decided. */
const OBSERVED: Readonly<Record<string, readonly [right: number, calls: number]>> = {
  told_and_left: [116, 151],
  // Counted with weights that the calls of the same voice agent had no part in.
  outweighed: [52, 113],
  write_succeeded: [98, 107],
  done_in_words: [68, 95],
  answer_accepted: [56, 74],
  caller_gave_up: [50, 58],
  not_accepted: [40, 47],
  done_otherwise: [38, 42],
  left_with_goal_open: [36, 39],
  no_caller_speech: [37, 37],
  nothing_decides: [27, 32],
  refused_and_accepted: [24, 30],
  transfer_tool: [22, 22],
  called_back_instead: [16, 20],
  told_otherwise: [13, 15],
  transfer_last_act: [12, 12],
  record_differs: [11, 12],
  nobody_answered: [12, 12],
  claim_not_backed: [8, 9],
  question_left_open: [6, 9],
  handed_over_in_words: [9, 9],
  wrong_number: [6, 6],
  refused_last: [6, 6],
  answered_last: [2, 5],
  answering_machine: [5, 5],
  refused_by_rule: [1, 5],
  done_twice: [2, 3],
  request_withdrawn: [1, 3],
  tools_failed: [3, 3],
  part_not_done: [2, 2],
  not_taken_up: [1, 1],
};

/** Rules that read a fact of the record and no words. */
const PROVEN = new Set(['no_caller_speech', 'transfer_tool', 'transfer_end_reason']);

/**
 * Rules were made on the same calls, and on calls of other businesses they are right less often: a count is drawn towards
 * this by so many calls' weight.
 */
const PRIOR = 0.65;
const WEIGHT = 35;
const WEIGHT_OF_PROVEN = 5;

/** How often the outcome by a rule is right; a rule that was never observed states what its author thinks. */
export function confidenceOf(rule: string, stated: number): number {
  const seen = OBSERVED[rule];
  if (seen === undefined) return stated;
  const [right, calls] = seen;
  const weight = PROVEN.has(rule) ? WEIGHT_OF_PROVEN : WEIGHT;
  return Math.round(((right + PRIOR * weight) / (calls + weight)) * 100) / 100;
}

export const UNSURE_BELOW = 0.6;

/** Of such an outcome a model that may decide is asked; of a surer one never. */
export function isUnsure(outcomeConfidence: number): boolean {
  return outcomeConfidence < UNSURE_BELOW;
}
