import type { Outcome } from '../vocabulary.ts';

/** What a comparison says of one measure: shares in points, times by their medians. */
export interface MetricDefinition {
  metric: string;
  label: string;
  unit: 'share' | 'ms';
  better: 'higher' | 'lower' | 'neither';
  /** Smallest difference that counts as a change: absolute for shares, relative to the version before for medians. */
  minimum: number;
  /** Calls that the measure is taken over, for people. */
  over: string;
  /** The call's own reading; null where the call does not count or could not be read. */
  read(call: ComparedCall): number | null;
  /** True when the call would count but could not be read: shown as `notRead`. */
  isNotRead?(call: ComparedCall): boolean;
}

/** What the comparison knows of one analysed call. */
export interface ComparedCall {
  id: string;
  /** ISO 8601, or null where the platform gave no start. */
  startedAt: string | null;
  /** Null where nobody can know it: in no share that asks for it. */
  outcome: Outcome | null;
  /** Left open, and nobody's failure: in no share of how calls end. */
  isNobodysFailure: boolean;
  intentSlug: string;
  durationMs: number;
  /** Tool results on the call and how many of them failed. */
  toolResults: number;
  toolFailures: number;
  frictions: number;
  /** Another call of the same caller within seven days; null where the caller is unknown. */
  calledAgain: boolean | null;
  /** False while the seven days after the call are not over. */
  calledAgainSettled: boolean;
  responseP50Ms: number | null;
  responseP90Ms: number | null;
}

const POINTS = 0.05;
const TENTH = 0.1;

const isUnknown = (call: ComparedCall) => call.outcome === null;
const hadContact = (call: ComparedCall) => call.outcome !== null && call.outcome !== 'no_contact';
/** Whether how it ended tells of the agent. */
export const isCounted = (call: ComparedCall) => hadContact(call) && !call.isNobodysFailure;
const isOutcome = (outcome: Outcome) => (call: ComparedCall) =>
  isCounted(call) ? Number(call.outcome === outcome) : null;

const share = { unit: 'share', minimum: POINTS } as const;
const median = { unit: 'ms', minimum: TENTH } as const;
const CONTACT = 'calls with contact';

/** In the order in which they are shown; the first one leads. */
export const COMPARISON_METRICS: readonly MetricDefinition[] = [
  {
    ...share,
    metric: 'got_it_done',
    label: 'Got it done',
    better: 'higher',
    over: CONTACT,
    read: isOutcome('resolved'),
    isNotRead: isUnknown,
  },
  {
    ...share,
    metric: 'unresolved',
    label: 'Unresolved',
    better: 'lower',
    over: CONTACT,
    read: isOutcome('unresolved'),
    isNotRead: isUnknown,
  },
  {
    ...share,
    metric: 'abandoned',
    label: 'Abandoned',
    better: 'lower',
    over: CONTACT,
    read: isOutcome('abandoned'),
    isNotRead: isUnknown,
  },
  {
    ...share,
    metric: 'handed_off',
    label: 'Handed off',
    better: 'neither',
    over: CONTACT,
    read: isOutcome('transferred'),
    isNotRead: isUnknown,
  },
  {
    ...share,
    metric: 'no_contact',
    label: 'No contact',
    better: 'lower',
    over: 'all calls',
    read: (call) => (isUnknown(call) ? null : Number(!hadContact(call))),
    isNotRead: isUnknown,
  },
  {
    ...share,
    metric: 'tool_failure',
    label: 'Tool failure',
    better: 'lower',
    over: 'calls with a tool result',
    read: (call) => (call.toolResults > 0 ? Number(call.toolFailures > 0) : null),
  },
  {
    ...share,
    metric: 'friction',
    label: 'Friction',
    better: 'lower',
    over: 'all calls',
    read: (call) => Number(call.frictions > 0),
  },
  {
    ...share,
    metric: 'repeat_call',
    label: 'Called again within 7 days',
    better: 'lower',
    over: 'calls of known callers that are at least 7 days old',
    read: (call) => (call.calledAgain !== null && call.calledAgainSettled ? Number(call.calledAgain) : null),
    isNotRead: (call) => call.calledAgain !== null && !call.calledAgainSettled,
  },
  {
    ...median,
    metric: 'response_latency_p50_ms',
    label: 'Response time, median',
    better: 'lower',
    over: 'calls with times of turns',
    read: (call) => call.responseP50Ms,
    isNotRead: (call) => hadContact(call) && call.responseP50Ms === null,
  },
  {
    ...median,
    metric: 'response_latency_p90_ms',
    label: 'Response time, slowest tenth',
    better: 'lower',
    over: 'calls with times of turns',
    read: (call) => call.responseP90Ms,
    isNotRead: (call) => hadContact(call) && call.responseP90Ms === null,
  },
  {
    ...median,
    metric: 'duration_ms',
    label: 'Duration',
    better: 'neither',
    over: CONTACT,
    read: (call) => (hadContact(call) ? call.durationMs : null),
  },
];
