import { calls } from '../format.ts';

interface HistogramProps {
  values: number[];
  show: (value: number) => string;
  label: string;
}

const BINS = 24;
const BAR = 14;
const HEIGHT = 56;

/** How values spread, with the median and the slowest tenth as lines. */
export function Histogram({ values, show, label }: HistogramProps) {
  const sorted = values.toSorted((a, b) => a - b);
  const most = sorted.at(-1) ?? 0;
  if (sorted.length < 5 || most <= 0) return null;
  const bins = Array.from<number>({ length: BINS }).fill(0);
  for (const value of sorted) {
    const bin = Math.min(BINS - 1, Math.floor((value / most) * BINS));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  const highest = Math.max(...bins);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  const [half, tenth] = [at(0.5), at(0.9)];
  const x = (value: number) => (value / most) * BINS * BAR;
  const name = `${label}: ${calls(sorted.length)}, median ${show(half)}, nine in ten under ${show(tenth)}`;
  return (
    <figure className="max-w-md">
      <svg
        role="img"
        aria-label={name}
        viewBox={`0 0 ${BINS * BAR} ${HEIGHT}`}
        className="h-14 w-full"
        preserveAspectRatio="none"
      >
        <title>{name}</title>
        {bins.map((count, bin) => {
          const height = (count / highest) * (HEIGHT - 6);
          // Bins have no name of their own but their place.
          // oxlint-disable-next-line react/no-array-index-key
          return (
            <rect
              key={bin}
              x={bin * BAR + 1}
              y={HEIGHT - height}
              width={BAR - 2}
              height={height}
              className="fill-control"
            />
          );
        })}
        {[half, tenth].map((value) => (
          <line key={value} x1={x(value)} x2={x(value)} y1={0} y2={HEIGHT} className="stroke-accent" strokeWidth={2} />
        ))}
      </svg>
      <figcaption className="text-xs text-ink-2">{name}</figcaption>
    </figure>
  );
}
