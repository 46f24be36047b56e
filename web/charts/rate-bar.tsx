import { wilson } from '../../src/domain/statistics.ts';
import { CONFIDENCE, calls, count, percent } from '../format.ts';

interface RateBarProps {
  /** Calls that show it, and calls that could. */
  k: number;
  n: number;
  /** What it is a share of, in words: "of all analysed calls". */
  of?: string;
  /** The right end of the scale, the same for all bars that stand under each other. */
  scale?: number;
  tone?: 'ink' | 'bad' | 'good';
}

const FILL = { ink: 'fill-ink-2', bad: 'fill-bad', good: 'fill-good' };
const WIDTH = 96;
const HEIGHT = 14;

const FEW_CALLS = 30;

/** The right end of bars that stand under each other: their intervals fit, but for those of few calls. */
export function scaleFor(shares: { k: number; n: number }[]): number {
  return (
    Math.max(0.01, ...shares.map(({ k, n }) => (n < FEW_CALLS ? k / Math.max(1, n) : wilson({ k, n }).upper))) * 1.05
  );
}

/** A share as a bar with its 95 % interval; the figures stand beside it and in its name. */
export function RateBar({ k, n, of = 'of calls', scale = 1, tone = 'ink' }: RateBarProps) {
  if (n === 0) return <span className="text-ink-3">–</span>;
  const rate = k / n;
  const { lower, upper } = wilson({ k, n });
  const x = (share: number) => Math.min(WIDTH, (share / scale) * WIDTH);
  /** None where the interval goes on beyond the scale. */
  const endOf = (share: number) => `M${x(share)} 4v6`;
  return (
    <svg
      role="img"
      aria-label={rateInWords(k, n, of)}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="inline-block shrink-0 align-middle"
    >
      <title>{rateInWords(k, n, of)}</title>
      <rect x={0} y={4} width={WIDTH} height={6} className="fill-sunken stroke-line" strokeWidth={0.5} />
      <rect x={0} y={4} width={Math.max(1, x(rate))} height={6} className={FILL[tone]} />
      <line x1={x(lower)} x2={x(upper)} y1={7} y2={7} className="stroke-ink" strokeWidth={1} />
      <path
        d={[lower, upper]
          .filter((share) => share <= scale)
          .map(endOf)
          .join('')}
        className="stroke-ink"
        strokeWidth={1}
      />
    </svg>
  );
}

function rateInWords(k: number, n: number, of: string): string {
  const { lower, upper } = wilson({ k, n });
  return `${count(k)} of ${calls(n)} (${percent(k / n)} ${of}), between ${percent(lower)} and ${percent(upper)} at ${CONFIDENCE}`;
}
