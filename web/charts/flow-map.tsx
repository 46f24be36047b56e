import { useRef } from 'react';
import { calls, count, percent } from '../format.ts';
import { useWidth } from '../ui/use-width.ts';
import { type FlowFigures, layOut, type PlacedFlow, type PlacedStep } from './flow-layout.ts';

type Edge = PlacedFlow['edges'][number];

/** How calls go from step to step: heights and widths are calls, red is where they ended badly. */
export function FlowMap({ flow, total }: { flow: FlowFigures; total: number }) {
  const frame = useRef<HTMLDivElement>(null);
  const room = useWidth(frame, (width) => width);
  const { steps, edges, folded, stepWidth, width, height } = layOut(flow, room);
  const name = `Flow of ${calls(total)} through ${count(steps.length)} steps; the table holds the same figures`;
  return (
    <figure>
      <div
        ref={frame}
        className="overflow-x-auto rounded-panel border border-line bg-surface"
        tabIndex={0}
        role="group"
        aria-label="Flow map"
      >
        <svg role="img" aria-label={name} width={width} height={height} className="block">
          <title>{name}</title>
          {edges.map((edge) => (
            <EdgePath key={`${edge.from.id} ${edge.to.id}`} edge={edge} stepWidth={stepWidth} />
          ))}
          {steps.map((step) => (
            <StepBox key={step.id} step={step} width={stepWidth} total={total} />
          ))}
        </svg>
      </div>
      {folded > 0 && (
        <figcaption className="mt-1 text-xs text-ink-2">
          Others ({count(folded)}): steps that fewer than one call in a hundred reached stand in the table.
        </figcaption>
      )}
    </figure>
  );
}

function EdgePath({ edge: { from, to, calls: went, width }, stepWidth }: { edge: Edge; stepWidth: number }) {
  const [x1, y1] = [from.x + stepWidth, from.y + from.height / 2];
  const [x2, y2] = [to.x, to.y + to.height / 2];
  const bend = Math.max(40, Math.abs(x2 - x1) / 2);
  return (
    <path
      d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
      strokeWidth={width}
      className="fill-none stroke-control opacity-40 hover:stroke-accent hover:opacity-90"
    >
      <title>{`${from.label} → ${to.label}: ${calls(went)}`}</title>
    </path>
  );
}

/** Of a label, which reaches over what goes on to the next layer. */
const PIXELS_A_LETTER = 5;

function StepBox({ step, width, total }: { step: PlacedStep; width: number; total: number }) {
  const { label, x, y, height, drops, calls: reached } = step;
  const bad = reached === 0 ? 0 : (drops / reached) * height;
  const most = Math.floor(width / PIXELS_A_LETTER);
  const short = label.length > most ? `${label.slice(0, most - 1)}…` : label;
  return (
    <g>
      <title>{`${label}: ${calls(reached)} (${percent(reached / Math.max(total, 1))}), ${count(drops)} ended badly here`}</title>
      <text x={x} y={y - 6} className="fill-ink text-[12px]">
        {short}
      </text>
      <rect x={x} y={y} width={width} height={height} rx={2} className="fill-accent-soft stroke-line" />
      {bad > 0 && <rect x={x} y={y + height - bad} width={width} height={bad} className="fill-bad" />}
      <text x={x} y={y + height + 12} className="fill-ink-2 text-[11px]">
        {figuresOf(step, most)}
      </text>
    </g>
  );
}

/** Calls, bad ends and rounds, in as many words as there is room for: all of it stands in the title and the table. */
function figuresOf({ calls: reached, drops, loops }: PlacedStep, mostLetters: number): string {
  const said = (bad: string, rounds: string) =>
    [count(reached), drops > 0 ? `${count(drops)} ${bad}` : '', loops > 0 ? rounds : '']
      .filter((part) => part !== '')
      .join(' · ');
  const rounds = `×${count(loops)}`;
  const [full, short] = [said('ended badly', rounds), said('bad', rounds)];
  if (full.length <= mostLetters) return full;
  return short.length <= mostLetters ? short : said('bad', '');
}
