import type { ActKind } from './act.ts';

/** What having said a phrase of a list does. Lists that are not here qualify something else. */
export const CALLER_ACTS: Readonly<Record<string, ActKind>> = {
  ask_human: 'asks_for_person',
  already_told: 'already_told',
  opt_out: 'opts_out',
  frustrated: 'complains',
  reproaches: 'complains',
  abusive: 'complains',
  not_answered: 'complains',
  ask_again: 'asks_again',
  corrects: 'corrects',
  thanks: 'thanks',
  goodbye: 'closes',
  no_more: 'closes',
  gives_up: 'gives_up',
  goes_elsewhere: 'gives_up',
  request: 'requests',
  request_strong: 'requests',
};

/** These count where the turn begins with them: inside a sentence "right" and "no" are something else. */
export const CALLER_ANSWERS: Readonly<Record<string, ActKind>> = {
  yes: 'confirms',
  go_ahead: 'confirms',
  accepts: 'confirms',
  no: 'denies',
};

/** These count as the first words alone: "I'm not quite sure" denies nothing. */
export const CALLER_BEGINNINGS: Readonly<Record<string, ActKind>> = { not_quite: 'denies' };

/** These count where the turn says little else. */
export const CALLER_WORDS: Readonly<Record<string, ActKind>> = { person_word: 'asks_for_person' };

export const AGENT_ACTS: Readonly<Record<string, ActKind>> = {
  done: 'claims_done',
  promises: 'promises',
  refuses: 'cannot',
  sorry: 'apologises',
  offers_action: 'offers',
  offers_more: 'offers_more',
  reads_back: 'reads_back',
  ask_repeat: 'asks_again',
  offers_transfer: 'hands_over',
  calls_back: 'calls_back',
  filler: 'holds',
  closing: 'closes',
  goodbye: 'closes',
};
