import { percent } from '../issues/sentences.ts';
import { share, wilson } from '../statistics.ts';
import { type BacktestStatus, LABELS_NEEDED, PRECISION_NEEDED } from '../vocabulary.ts';

/** So many calls in scope with none flagged show that a watch does not cry wolf. */
const CLEAN_CALLS = 50;

export interface Labels {
  right: number;
  wrong: number;
}

export interface BarFacts {
  /** Whether only a model can judge it. */
  isJudged: boolean;
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
export function goLiveBlock({ isJudged, isRead, backtest, labels }: BarFacts): string | null {
  if (isJudged && !isRead) return NEEDS_READER;
  if (backtest === null) return 'It was not backtested yet. Backtest it, then label what it flags.';
  if (backtest.status !== 'complete') return notComplete(backtest.status);
  const { inScope, flagged } = backtest;
  if (flagged === 0) {
    return inScope >= CLEAN_CALLS
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
  if (labelled < LABELS_NEEDED) {
    const few =
      flagged < LABELS_NEEDED
        ? ` The backtest flagged only ${flagged}: backtest it again when there are more calls.`
        : '';
    return `${LABELS_NEEDED} flagged samples have to be labelled, ${labelled} are.${shown}${few}`;
  }
  if (precision !== null && precision.value >= PRECISION_NEEDED) return null;
  return `Precision has to be at least ${percent(PRECISION_NEEDED)}.${shown} Edit the watch so that it leaves out calls on which nothing is wrong.`;
}
