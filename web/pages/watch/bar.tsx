import { LABELS_NEEDED, PRECISION_NEEDED } from '../../../src/domain/vocabulary.ts';
import { PrecisionMeter } from '../../charts/precision-meter.tsx';
import type { Schemas } from '../../client/api.ts';
import { calls, count, percent } from '../../format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Backtest } from './backtest.tsx';

interface BarProps {
  watch: Schemas['Watch'];
  results: Schemas['WatchResults'] | undefined;
  unless: string | null;
}

/** What has to be shown before it judges new calls, and how far that is. */
export function Bar({ watch, results, unless }: BarProps) {
  const { labels, goLiveBlock, state, alarm } = watch;
  return (
    <Panel className="p-4 text-sm">
      <h2 className="mb-2 text-md font-semibold">Before it goes live</h2>
      <PrecisionMeter right={labels.right} labelled={labels.labelled} bar={PRECISION_NEEDED} />
      <p className="mt-1 text-xs text-ink-2">
        {count(labels.labelled)} of {neededOf(watch)} labelled, {count(labels.right)} right; at least{' '}
        {percent(PRECISION_NEEDED)} have to be.
      </p>
      <p className="mt-3">{goLiveBlock ?? standing(state)}</p>
      {alarm && (
        <p className="mt-3">Its limit: {limitInWords(alarm)}. From there on it fails, and one message says so.</p>
      )}
      <Backtest watch={watch} backtest={results?.backtest ?? null} unless={unless} />
    </Panel>
  );
}

function limitInWords(alarm: NonNullable<BarProps['watch']['alarm']>): string {
  const most = 'share' in alarm ? `${percent(alarm.share)} of the calls` : calls(alarm.breaks);
  return `${most} in ${alarm.days === 1 ? 'a day' : `${count(alarm.days)} days`}`;
}

/** Where fewer are flagged than the bar asks for, all of them. */
function neededOf({ backtest, revision }: BarProps['watch']): number {
  const flagged = backtest?.watchRevision === revision ? backtest.flagged : 0;
  return flagged === 0 ? LABELS_NEEDED : Math.min(LABELS_NEEDED, flagged);
}

function standing(state: BarProps['watch']['state']): string {
  return state === 'live' ? 'It is live: each newly analyzed call is judged.' : 'The bar is met: it may be turned on.';
}
