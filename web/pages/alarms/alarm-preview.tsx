import type { Schemas } from '../../client/api.ts';
import { count } from '../../format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { AlarmStateChip } from './alarm-state.tsx';

type Preview = Schemas['AlarmPreview'];

const WIDTH = 480;
const HEIGHT = 96;
const RINGS_SHOWN = 20;

/** How often an alarm would have rung in the last 30 days, and when. */
export function AlarmPreview({ preview }: { preview: Preview | undefined }) {
  if (!preview) return null;
  const { windows, noData, rings } = preview;
  return (
    <Panel className="h-fit space-y-4 p-4">
      <p role="status" className="font-medium">
        {inWords(preview)}
      </p>
      {noData > 0 && noData < windows && (
        <p className="text-sm text-ink-2">
          {count(noData)} of {count(windows)} windows say nothing: they have too few calls, or too few to be held
          against.
        </p>
      )}
      <Line series={preview.series} />
      <ul className="space-y-3 text-sm">
        {rings.slice(0, RINGS_SHOWN).map(({ from, to, level, message }) => (
          <li key={from} className="space-y-1">
            <span className="flex flex-wrap items-center gap-2">
              <AlarmStateChip state={level} />
              <Time at={from} short /> {to === null ? 'until now' : <>to {<Time at={to} short />}</>}
            </span>
            <p className="text-ink-2">{message}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function inWords({ rang, windows, noData }: Preview): string {
  if (noData === windows)
    return 'No window of the last 30 days had enough calls: choose longer windows or fewer calls.';
  if (rang === 0) return 'It would not have rung in the last 30 days.';
  return `It would have rung ${rang === 1 ? 'once' : `${count(rang)} times`} in the last 30 days.`;
}

/** The figure over the 30 days; breaks where windows say nothing. */
function Line({ series }: { series: Preview['series'] }) {
  const values = series.flatMap(({ value }) => (value === null ? [] : [value]));
  if (values.length < 2) return null;
  const most = Math.max(...values, Number.MIN_VALUE);
  const x = (at: number) => ((at / (series.length - 1)) * WIDTH).toFixed(1);
  const y = (value: number) => (HEIGHT - 2 - (value / most) * (HEIGHT - 6)).toFixed(1);
  const line = series
    .map(({ value }, at) => (value === null ? '' : `${series[at - 1]?.value == null ? 'M' : 'L'}${x(at)} ${y(value)}`))
    .join('');
  return (
    <svg role="img" aria-label="The figure over the last 30 days" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="w-full">
      <line x1={0} x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} className="stroke-line" />
      <path d={line} className="fill-none stroke-ink-2" strokeWidth={1.5} />
    </svg>
  );
}
