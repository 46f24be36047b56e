import { wilson } from '../../src/domain/statistics.ts';
import { CONFIDENCE, count, percent } from '../format.ts';

interface PrecisionMeterProps {
  right: number;
  labelled: number;
  /** The share that has to be reached. */
  bar: number;
}

const WIDTH = 240;

/** The share labelled right with its 95 % interval, and the line that it has to reach. */
export function PrecisionMeter({ right, labelled, bar }: PrecisionMeterProps) {
  const { lower, upper } = wilson({ k: right, n: labelled });
  const share = labelled === 0 ? 0 : right / labelled;
  const name =
    labelled === 0
      ? `Nothing labelled yet; ${percent(bar)} have to be right`
      : `${count(right)} of ${count(labelled)} labelled right (${percent(share)}), between ${percent(lower)} and ${percent(upper)} at ${CONFIDENCE}; ${percent(bar)} have to be`;
  return (
    <svg role="img" aria-label={name} viewBox={`0 0 ${WIDTH} 24`} className="block h-6 w-full max-w-60">
      <title>{name}</title>
      <rect x={0} y={8} width={WIDTH} height={8} className="fill-sunken stroke-line" strokeWidth={0.5} />
      {labelled > 0 && (
        <>
          <rect x={0} y={8} width={share * WIDTH} height={8} className={share >= bar ? 'fill-good' : 'fill-ink-2'} />
          <path
            d={`M${lower * WIDTH} 12H${upper * WIDTH}M${lower * WIDTH} 8v8M${upper * WIDTH} 8v8`}
            className="fill-none stroke-ink"
          />
        </>
      )}
      <line x1={bar * WIDTH} x2={bar * WIDTH} y1={2} y2={22} className="stroke-accent" strokeWidth={2} />
    </svg>
  );
}
