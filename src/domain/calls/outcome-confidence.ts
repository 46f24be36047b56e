/** On how many labelled calls of several businesses the outcome by a rule was right, of how many it decided. */
const OBSERVED: Readonly<Record<string, readonly [right: number, calls: number]>> = {
  no_caller_speech: [36, 36],
  answering_machine: [5, 5],
  transfer_tool: [21, 21],
  transfer_last_act: [4, 4],
  handed_over_in_words: [8, 9],
  caller_gave_up: [36, 40],
  claim_not_backed: [6, 6],
  record_differs: [11, 12],
  request_withdrawn: [1, 3],
  called_back_instead: [15, 18],
  done_otherwise: [14, 14],
  told_otherwise: [2, 2],
  part_not_done: [5, 6],
  done_twice: [1, 2],
  write_succeeded: [93, 117],
  answer_accepted: [47, 61],
  answered_last: [11, 13],
  done_in_words: [34, 60],
  told_and_left: [68, 90],
  not_accepted: [14, 17],
  refused_and_accepted: [21, 27],
  refused_last: [10, 10],
  refused_by_rule: [1, 5],
  tools_failed: [3, 3],
  left_with_goal_open: [35, 37],
  nobody_answered: [12, 12],
  nothing_decides: [21, 28],
};

/** Rules were made on the same calls, and no call is like the next: a count is drawn towards this by so many calls' weight. */
const PRIOR = 0.7;
const WEIGHT = 20;

/** How often the outcome by a rule is right; a rule that was never observed states what its author thinks. */
export function confidenceOf(rule: string, stated: number): number {
  const seen = OBSERVED[rule];
  if (seen === undefined) return stated;
  const [right, calls] = seen;
  return Math.round(((right + PRIOR * WEIGHT) / (calls + WEIGHT)) * 100) / 100;
}
