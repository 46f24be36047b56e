import { entry } from '../entry.ts';
import { textOf } from '../tool-causes.ts';

export const VARIABLE_UNFILLED = entry({
  code: 'variable_unfilled',
  title: 'Variable without a value',
  klass: 'technical',
  lane: 'integrations',
  severity: 'high',
  needs: ['prompt', 'start_variables'],
  fact: true,
  isNot: 'A variable with a default, one that a tool fills later, or one of the platform itself.',
  selfCause: true,
  selfLabel: 'The configuration names a variable that no call fills',
  check: 'Find out who starts these calls, and pass the variable that {place} needs.',
});

export const PLATFORM_ERROR_END = entry({
  code: 'platform_error_end',
  title: 'Call ended by a fault',
  klass: 'technical',
  lane: 'integrations',
  severity: 'critical',
  needs: ['end_reason'],
  fact: true,
  ending: true,
  isNot: 'A caller who hangs up, a time limit, or a call that nobody answered.',
  causes: [
    {
      code: 'part_failed',
      label: 'A part of the platform failed',
      category: 'system_failure',
      party: 'platform',
      outside: true,
      recommendation: 'Take the ids of these calls to the provider of {place}, or set a fallback for it.',
      evidence: (facts) =>
        textOf(facts['part']) === ''
          ? null
          : `The end reason "${textOf(facts['reason'])}" names ${textOf(facts['part'])}.`,
    },
  ],
  check: 'Look up the end reason of these calls at the provider of {place}.',
});

export const CAPACITY_REFUSED = entry({
  code: 'capacity_refused',
  title: 'Call refused for lack of capacity',
  klass: 'technical',
  lane: 'integrations',
  severity: 'critical',
  needs: ['end_reason'],
  fact: true,
  ending: true,
  isNot: 'A caller who was on another line, or a call that nobody answered.',
  causes: [
    {
      code: 'payment_missing',
      label: 'The account has no valid payment',
      category: 'account',
      party: 'platform',
      outside: false,
      recommendation: 'Renew the payment of the account at the platform.',
      evidence: (facts) =>
        /payment|credit|billing|quota|subscription/i.test(textOf(facts['reason']))
          ? `The end reason is "${textOf(facts['reason'])}".`
          : null,
    },
    {
      code: 'concurrency_limit',
      label: 'More calls at once than the plan allows',
      category: 'account',
      party: 'platform',
      outside: false,
      recommendation: 'Raise the number of calls at once in {place}.',
      evidence: (facts) =>
        /concurren|limit/i.test(textOf(facts['reason'])) ? `The end reason is "${textOf(facts['reason'])}".` : null,
    },
  ],
  check: 'Compare the calls at once and the balance of the account with {place}.',
});

export const COST_OUTLIER = entry({
  code: 'cost_outlier',
  title: 'Call far more expensive than usual',
  klass: 'technical',
  lane: 'integrations',
  severity: 'low',
  thresholds: { timesMedian: 5, timesMedianLeast: 2, calls: 100 },
  needs: ['cost'],
  // What a call cost is known when it is over: it causes nothing on it.
  ending: true,
  isNot:
    'A long call of an agent whose calls are long, the most expensive of calls that all cost about the same, or an expensive call among too few to compare it with.',
  section: 'improve',
  metric: 'duration_ms',
  check: 'See what the call spent its time and its model calls on.',
});

export const PLACEHOLDER_SPOKEN = entry({
  code: 'placeholder_spoken',
  meaning: false,
  title: 'Placeholder spoken',
  klass: 'technical',
  lane: 'speaking',
  severity: 'high',
  needs: ['words_of_the_agent'],
  isNot: '"Null and void", or a caller who says such words.',
  selfCause: true,
  selfLabel: 'A template reaches the voice before its variable is filled',
  fact: true,
  check: 'Find the line of {place} that holds the placeholder, and the value that was missing.',
});

export const MARKUP_SPOKEN = entry({
  code: 'markup_spoken',
  meaning: false,
  title: 'Formatting read out',
  klass: 'technical',
  lane: 'speaking',
  severity: 'low',
  needs: ['words_of_the_agent', 'spoken_channel'],
  isNot: 'Lists and bold words in a text conversation.',
  selfCause: true,
  selfLabel: 'The agent writes formatting that the voice reads out',
  check: 'Write at {place}: speak in plain sentences, no lists, no asterisks.',
});
