import { calls, percent } from '../format.ts';

interface VersionRate {
  version: number;
  calls: number;
  total: number;
  rate: number;
}

const BAR = 14;
const GAP = 4;
const HEIGHT = 22;
const ENOUGH = 30;
const SHOWN = 8;

/** One bar a version, oldest first; one with few calls is only outlined, the live one underlined. */
export function VersionBars({ versions, current }: { versions: VersionRate[]; current: number }) {
  const shown = versions.slice(0, SHOWN).reverse();
  if (shown.length === 0) return <span className="text-ink-3">–</span>;
  const most = Math.max(...shown.map(({ rate }) => rate), 0.0001);
  const name = shown.map((v) => `version ${v.version}: ${v.calls} of ${calls(v.total)}, ${percent(v.rate)}`).join('; ');
  const width = shown.length * (BAR + GAP);
  return (
    <svg role="img" aria-label={name} width={width} height={HEIGHT + 4} className="inline-block align-middle">
      <title>{name}</title>
      {shown.map(({ version, rate, total }, at) => {
        const height = Math.max(1.5, (rate / most) * (HEIGHT - 2));
        const look = total < ENOUGH ? 'fill-none stroke-control' : 'fill-ink-2';
        return (
          <g key={version} transform={`translate(${at * (BAR + GAP)} 0)`}>
            <rect x={0.5} y={HEIGHT - height} width={BAR - 1} height={height} className={look} />
            {version === current && <rect x={0} y={HEIGHT + 2} width={BAR} height={2} className="fill-accent" />}
          </g>
        );
      })}
    </svg>
  );
}
