import type { CatalogueEntry } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';

export const CALLER_DID_NOT_FOLLOW = entry({
  code: 'caller_did_not_follow',
  title: 'Caller does not follow the agent',
  klass: 'content',
  lane: 'understanding',
  severity: 'medium',
  needs: ['words_of_the_talk'],
  suspected: true,
  isNot:
    'A question that takes the talk further ("how much is it?"), or something else that the caller does not understand.',
  check: 'Read what the agent had said just before at {place}, and whether it answers what was asked.',
});

export const CALLER_FRUSTRATED = entry({
  code: 'caller_frustrated',
  title: 'Caller frustrated',
  klass: 'content',
  lane: 'understanding',
  severity: 'medium',
  needs: ['words_of_the_caller', 'reader'],
  ending: true,
  isNot: 'A caller who is annoyed about the matter before the agent has said anything.',
  check: 'Read the two turns before at {place}: what was the caller made to do?',
});

export const CALLER_ABUSIVE = entry({
  code: 'caller_abusive',
  title: 'Caller abusive',
  klass: 'behaviour',
  lane: null,
  severity: 'low',
  needs: ['words_of_the_caller'],
  isNot: 'Strong words about the matter itself.',
  check: 'See whether something in the call led to it.',
});

export const CALLER_LEFT_MID_TASK = entry({
  code: 'caller_left_mid_task',
  title: 'Caller left mid-task',
  klass: 'flow',
  lane: 'flow',
  severity: 'medium',
  thresholds: { turns: 3 },
  needs: ['words_of_the_talk', 'end_reason'],
  ending: true,
  isNot: 'A caller who hangs up after the goal is met without a goodbye, or in the first seconds.',
  check: 'Read what stood before at {place}: what was the caller asked or told last?',
});

export const INSTANT_HANGUP = entry({
  code: 'instant_hangup',
  title: 'Caller hung up at once',
  klass: 'behaviour',
  lane: 'flow',
  severity: 'low',
  thresholds: { withinMs: 10_000 },
  needs: ['end_reason'],
  ending: true,
  isNot: 'A short call on which the request was met.',
  check: 'Listen to the first seconds: what does the caller hear?',
});

export const OPT_OUT_IGNORED = entry({
  code: 'opt_out_ignored',
  title: 'Opt-out ignored',
  klass: 'content',
  lane: 'flow',
  severity: 'critical',
  thresholds: { furtherTurns: 1 },
  needs: ['words_of_the_talk'],
  isNot: 'One closing sentence that confirms the wish, or a question about how to leave the list.',
  check: 'Write at {place}: when somebody does not want to be called, confirm it in one sentence and end the call.',
});

export const REPEAT_CALL_SAME_INTENT = entry({
  code: 'repeat_call_same_intent',
  title: 'Caller calls again about what counted as resolved',
  klass: 'content',
  lane: 'flow',
  severity: 'high',
  thresholds: { withinDays: 7 },
  needs: ['caller_history'],
  // What it tells of is the end of the call before: it causes nothing on this one.
  ending: true,
  isNot:
    'A second call about something else, a call after one that was not resolved, or somebody who needs the same kind of thing anew: where that is usual, set the days lower.',
  check: 'Listen to the call before: what was left open although it sounded settled?',
});

export const WRONG_NUMBER = callerKind({
  code: 'wrong_number',
  title: 'Wrong number',
  isNot: 'A wrong order or account number that the caller speaks of.',
  check: 'Where it happens often, see where the number is printed.',
});

export const SPAM_CALL = callerKind({
  code: 'spam_call',
  title: 'Sales or robot call',
  isNot: 'A caller who asks about an offer of the business.',
  check: 'Where it happens often, block the numbers at the carrier.',
});

export const TEST_CALL = callerKind({
  code: 'test_call',
  title: 'Test call',
  isNot: 'A caller who asks about a test: a blood test, a driving test, a test drive.',
  check: 'Leave such calls out when rates are read.',
});

/** Of a kind of call that is nobody's fault. */
function callerKind(given: Pick<CatalogueEntry, 'code' | 'title' | 'isNot' | 'check'>): CatalogueEntry {
  return entry({
    ...given,
    klass: 'behaviour',
    lane: null,
    severity: 'low',
    needs: ['words_of_the_caller'],
    observation: true,
  });
}
