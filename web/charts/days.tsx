import { calls, day, latency, percent } from '../format.ts';

interface DayValue {
  day: string;
  value: number | null;
  n: number;
}

const WIDTH = 160;
const HEIGHT = 36;

/** A figure day by day; shares start at zero. */
export function Days({ series, unit, label }: { series: DayValue[]; unit: 'share' | 'ms'; label: string }) {
  const points = series.flatMap(({ day: date, value, n }) => (value === null ? [] : [{ date, value, n }]));
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return null;
  const show = unit === 'share' ? percent : latency;
  const most = Math.max(...points.map(({ value }) => value), 0.0001);
  const x = (at: number) => (at / (points.length - 1)) * (WIDTH - 4) + 2;
  const y = (value: number) => HEIGHT - 2 - (value / most) * (HEIGHT - 6);
  const line = points
    .map(({ value }, at) => `${at === 0 ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`)
    .join('');
  const name = `${label} by UTC day from ${day(first.date)} (${show(first.value)} of ${calls(first.n)}) to ${day(last.date)} (${show(last.value)} of ${calls(last.n)})`;
  return (
    <figure className="max-w-40">
      <svg role="img" aria-label={name} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="h-9 w-full">
        <title>{name}</title>
        <line x1={0} x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} className="stroke-line" />
        <path d={line} className="fill-none stroke-ink-2" strokeWidth={1.5} />
        <circle cx={x(points.length - 1)} cy={y(last.value)} r={2.5} className="fill-accent" />
      </svg>
      <figcaption className="flex justify-between text-xs text-ink-2">
        <span>{day(first.date)}</span>
        <span>{day(last.date)} UTC</span>
      </figcaption>
    </figure>
  );
}
