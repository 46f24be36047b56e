import { calls, count, percent } from '../format.ts';
import { type FlowFigures, layOut, type PlacedFlow, type PlacedStep, STEP_WIDTH } from './flow-layout.ts';

type Edge = PlacedFlow['edges'][number];

/** How calls go from step to step: heights and widths are calls, red is where they ended badly. */
export function FlowMap({ flow, total }: { flow: FlowFigures; total: number }) {
  const { steps, edges, folded, width, height } = layOut(flow);
  const name = `Flow of ${calls(total)} through ${count(steps.length)} steps; the table holds the same figures`;
  return (
    <figure>
      <div
        className="overflow-x-auto rounded-panel border border-line bg-surface"
        tabIndex={0}
        role="group"
        aria-label="Flow map"
      >
        <svg role="img" aria-label={name} width={width} height={height} className="block">
          <title>{name}</title>
          {edges.map((edge) => (
            <EdgePath key={`${edge.from.id} ${edge.to.id}`} edge={edge} />
          ))}
          {steps.map((step) => (
            <StepBox key={step.id} step={step} total={total} />
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

function EdgePath({ edge: { from, to, calls: went, width } }: { edge: Edge }) {
  const [x1, y1] = [from.x + STEP_WIDTH, from.y + from.height / 2];
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

const LABEL_AT_MOST = 20;

function StepBox({ step, total }: { step: PlacedStep; total: number }) {
  const { label, x, y, height, drops, loops, calls: reached } = step;
  const bad = reached === 0 ? 0 : (drops / reached) * height;
  const short = label.length > LABEL_AT_MOST ? `${label.slice(0, LABEL_AT_MOST - 1)}…` : label;
  return (
    <g>
      <title>{`${label}: ${calls(reached)} (${percent(reached / Math.max(total, 1))}), ${count(drops)} ended badly here`}</title>
      <text x={x} y={y - 6} className="fill-ink text-[12px]">
        {short}
      </text>
      <rect x={x} y={y} width={STEP_WIDTH} height={height} rx={2} className="fill-accent-soft stroke-line" />
      {bad > 0 && <rect x={x} y={y + height - bad} width={STEP_WIDTH} height={bad} className="fill-bad" />}
      <text x={x} y={y + height + 12} className="fill-ink-2 text-[11px]">
        {count(reached)}
        {drops > 0 && ` · ${count(drops)} ended badly`}
        {loops > 0 && ` · ×${count(loops)}`}
      </text>
    </g>
  );
}
