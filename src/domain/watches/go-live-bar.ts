import { percent } from '../issues/sentences.ts';
import { share, wilson } from '../statistics.ts';
import { type BacktestStatus, LABELS_NEEDED, PRECISION_NEEDED } from '../vocabulary.ts';
import type { WatchForm } from './watch.ts';

/** So many calls in scope with none flagged show that a watch does not cry wolf. */
const CLEAN_CALLS = 50;

/**
 * Whether it is about what should never be: a ban, a bound, an emergency, or something that callers seldom say. Such a watch
 * is an alarm, and silent until it rings.
 */
export function isAlarm({ scope, expectation, polarity }: WatchForm): boolean {
  if (polarity === 'must_not' || scope.kind === 'caller_said' || scope.kind === 'tool_failed') return true;
  if (expectation.kind === 'judged')
    return /\b(?:never|not|no|911|112|999|emergency)\b|n['’]t\b/i.test(expectation.text);
  return 'atMost' in expectation || ('times' in expectation && expectation.times?.atMost !== undefined);
}

export interface Labels {
  right: number;
  wrong: number;
}

export interface BarFacts {
  /** Whether only a model can judge it. */
  isJudged: boolean;
  isAlarm: boolean;
  /** Whether a model reads the calls of the agent, and so judges new ones. */
  isRead: boolean;
  /** Of the revision in force; null before it was ever backtested. */
  backtest: { status: BacktestStatus; inScope: number; flagged: number } | null;
  labels: Labels;
}

/** Share labelled right, with its 95 % interval; null until something is labelled. */
export function precisionOf({ right, wrong }: Labels) {
  const n = right + wrong;
  return n === 0 ? null : { value: share(right, n), ...wilson({ k: right, n }), n };
}

const NEEDS_READER =
  'Only a model can judge what it expects, and no model reads the calls of this agent. Configure one and set modelReading, or say it in one of the forms that code decides.';
export const NOT_EVALUATED =
  'Only a model can judge what it expects, and no judge model is configured, so it is not evaluated. Say it in one of the forms that code decides, or configure a model.';

/** Why a watch may not be turned on, and what is missing, in words; null where the bar is met. */
export function goLiveBlock({ isJudged, isAlarm, isRead, backtest, labels }: BarFacts): string | null {
  if (isJudged && !isRead) return NEEDS_READER;
  if (backtest === null) return 'It was not backtested yet. Backtest it, then label what it flags.';
  if (backtest.status !== 'complete') return notComplete(backtest.status);
  const { inScope, flagged } = backtest;
  if (flagged === 0) {
    return isAlarm || inScope >= CLEAN_CALLS
      ? null
      : `The backtest flagged none, which says enough from ${CLEAN_CALLS} calls in scope on; there were ${inScope}. Backtest it again when there are more.`;
  }
  return labelsMissing(labels, flagged);
}

function notComplete(status: BacktestStatus): string {
  if (status === 'failed') return 'Its backtest failed. Start it again.';
  return status === 'cancelled'
    ? 'Its backtest was cancelled. Start it again.'
    : `Its backtest is ${status}. Wait until it has finished.`;
}

function labelsMissing(labels: Labels, flagged: number): string | null {
  const precision = precisionOf(labels);
  const labelled = precision?.n ?? 0;
  const shown =
    precision === null
      ? ''
      : ` So far ${labels.right} of ${labelled} were right: precision ${percent(precision.value)}, at least ${percent(precision.lower)}.`;
  // Where fewer are flagged than that, all of them say what there is to say.
  const needed = Math.min(LABELS_NEEDED, flagged);
  if (labelled < needed) {
    return needed === LABELS_NEEDED
      ? `${needed} flagged samples have to be labelled, ${labelled} are.${shown}`
      : needed === 1
        ? `The one flagged sample has to be labelled.${shown}`
        : `All ${needed} flagged samples have to be labelled, ${labelled} are.${shown}`;
  }
  if (precision !== null && precision.value >= PRECISION_NEEDED) return null;
  return `Precision has to be at least ${percent(PRECISION_NEEDED)}.${shown} Edit the watch so that it leaves out calls on which nothing is wrong.`;
}
