import { calls } from '../format.ts';

interface HistogramProps {
  /** How many calls lie between which values, smallest first. */
  spread: readonly { fromMs: number; toMs: number; calls: number }[];
  show: (value: number) => string;
  label: string;
}

const BINS = 24;
const BAR = 14;
const HEIGHT = 56;
const FEWEST_CALLS = 5;

/** How values spread, with the median and the slowest tenth as lines. */
export function Histogram({ spread, show, label }: HistogramProps) {
  const most = spread.at(-1)?.toMs ?? 0;
  const n = spread.reduce((sum, { calls: some }) => sum + some, 0);
  if (n < FEWEST_CALLS || most <= 0) return null;
  const bins = Array.from<number>({ length: BINS }).fill(0);
  for (const { fromMs, toMs, calls: some } of spread) {
    const bin = Math.min(BINS - 1, Math.floor(((fromMs + toMs) / 2 / most) * BINS));
    bins[bin] = (bins[bin] ?? 0) + some;
  }
  const highest = Math.max(...bins);
  const at = (share: number) => {
    let below = 0;
    const bin = spread.find(({ calls: some }) => (below += some) >= share * n);
    return bin ? (bin.fromMs + bin.toMs) / 2 : 0;
  };
  const [half, tenth] = [at(0.5), at(0.9)];
  const x = (value: number) => (value / most) * BINS * BAR;
  const name = `${label}: ${calls(n)}, median ${show(half)}, nine in ten under ${show(tenth)}`;
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
