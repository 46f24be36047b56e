import { wilson } from '../../src/domain/statistics.ts';
import { count, percent } from '../format.ts';

interface Side {
  value: number | null;
  n: number;
}

const WIDTH = 180;
const HEIGHT = 30;

/** Two shares on one scale from nothing to all, each with its 95 % interval. */
export function BeforeAfter({ before, after, label }: { before: Side; after: Side; label: string }) {
  const name = `${label}: before ${sideInWords(before)}, after ${sideInWords(after)}`;
  return (
    <svg role="img" aria-label={name} width={WIDTH} height={HEIGHT} className="block">
      <title>{name}</title>
      <line x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} className="stroke-line" />
      <Dot side={before} y={8} look="fill-surface stroke-ink-2" line="stroke-ink-3" />
      <Dot side={after} y={22} look="fill-accent stroke-accent" line="stroke-accent" />
    </svg>
  );
}

function Dot({ side, y, look, line }: { side: Side; y: number; look: string; line: string }) {
  if (side.value === null || side.n === 0) return null;
  const { lower, upper } = wilson({ k: Math.round(side.value * side.n), n: side.n });
  const x = (share: number) => 4 + share * (WIDTH - 8);
  return (
    <g>
      <line x1={x(lower)} x2={x(upper)} y1={y} y2={y} className={line} strokeWidth={1.5} />
      <circle cx={x(side.value)} cy={y} r={3.5} className={look} strokeWidth={1.5} />
    </g>
  );
}

function sideInWords({ value, n }: Side): string {
  return value === null ? 'not known' : `${percent(value)} of ${count(n)}`;
}
