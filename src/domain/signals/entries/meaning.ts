import { entry } from '../entry.ts';

/** Codes that only a reader of the call can find: no detector computes them. */
export const INTENT_MISREAD = entry({
  code: 'intent_misread',
  title: 'Request misunderstood',
  klass: 'content',
  lane: 'understanding',
  severity: 'high',
  needs: ['words_of_the_talk', 'reader'],
  isNot: 'A routine question on the way to what was asked, or one clarifying question.',
  check: 'Compare at {place} what the caller asked for with what the agent went on to do.',
});

export const FACT_FABRICATED = entry({
  code: 'fact_fabricated',
  title: 'Made-up fact',
  klass: 'content',
  lane: 'understanding',
  severity: 'high',
  needs: ['words_of_the_talk', 'prompt', 'reader'],
  isNot: 'A courtesy, common knowledge, or a sum of values that the agent was given.',
  check:
    'Find out at {place} where the agent could have looked it up, and what it is told to say when it does not know.',
});

export const SELF_CONTRADICTION = entry({
  code: 'self_contradiction',
  title: 'Agent contradicts itself',
  klass: 'content',
  lane: 'understanding',
  severity: 'medium',
  needs: ['words_of_the_talk', 'reader'],
  isNot: 'A change after new information, or a mistake that the agent corrects openly.',
  check: 'Read both statements at {place}, and which of them the record supports.',
});

export const INSTRUCTION_NOT_FOLLOWED = entry({
  code: 'instruction_not_followed',
  title: 'Instruction not followed',
  klass: 'content',
  lane: 'understanding',
  severity: 'medium',
  needs: ['words_of_the_talk', 'prompt', 'reader'],
  isNot: 'An instruction for a case that did not come, or one that is kept in spirit.',
  check: 'Read the instruction that is quoted, and what the agent did at {place} instead.',
});

export const TRANSFER_AVOIDABLE = entry({
  code: 'transfer_avoidable',
  title: 'Transferred without need',
  klass: 'flow',
  lane: 'flow',
  severity: 'medium',
  needs: ['words_of_the_talk', 'prompt', 'reader'],
  isNot: 'A transfer that the caller asked for, or after a tool had failed.',
  check: 'Read why the agent transfers at {place} what it is told to handle itself.',
});

export const JAILBREAK_ACCEPTED = entry({
  code: 'jailbreak_accepted',
  title: "Agent leaves its role on a caller's order",
  klass: 'content',
  lane: 'understanding',
  severity: 'critical',
  needs: ['words_of_the_talk', 'reader'],
  isNot: 'A joke that the agent plays along with, or a polite refusal.',
  check: 'Read what the caller ordered at {place}, and which instruction should have held.',
});

export const RECONFIRMED_AFTER_YES = entry({
  code: 'reconfirmed_after_yes',
  title: 'Confirmed answer asked for again',
  klass: 'flow',
  lane: 'flow',
  severity: 'medium',
  needs: ['words_of_the_talk', 'reader'],
  isNot: 'A final summary, or a confirmation after something changed.',
  check: 'Read at {place} what the caller had confirmed before they were asked again.',
});

export const AGREED_STATE_CHANGED = entry({
  code: 'agreed_state_changed',
  title: 'Order differs from what was agreed',
  klass: 'content',
  lane: 'integrations',
  severity: 'high',
  needs: ['words_of_the_talk', 'reader'],
  isNot: 'A value that the caller corrected, or one value read back wrongly.',
  check: 'Compare what was agreed with what was ordered or repeated at {place}.',
});

export const REFERENCE_MISREAD = entry({
  code: 'reference_misread',
  title: 'Reference taken for something else',
  klass: 'content',
  lane: 'understanding',
  severity: 'medium',
  needs: ['words_of_the_talk', 'reader'],
  isNot: 'A reference that is unclear to anybody, or a clarifying question.',
  check: 'Read at {place} what the caller referred to and what the agent took it for.',
});

export const HANDOVER_LOCKED_OUT = entry({
  code: 'handover_locked_out',
  title: 'Promised person never reached',
  klass: 'flow',
  lane: 'flow',
  severity: 'high',
  needs: ['words_of_the_talk', 'reader'],
  isNot: 'A transfer that failed on the record, or a request for a person that got no promise.',
  check: 'Read at {place} what kept the caller from the person they were promised.',
});

export const MEANING_ENTRIES = [
  INTENT_MISREAD,
  FACT_FABRICATED,
  SELF_CONTRADICTION,
  INSTRUCTION_NOT_FOLLOWED,
  TRANSFER_AVOIDABLE,
  JAILBREAK_ACCEPTED,
  RECONFIRMED_AFTER_YES,
  AGREED_STATE_CHANGED,
  REFERENCE_MISREAD,
  HANDOVER_LOCKED_OUT,
];
