import { type ComponentType, type ReactNode, useRef } from 'react';
import { calls, count, percent } from '../format.ts';
import { classes } from '../ui/classes.ts';
import { useWidth } from '../ui/use-width.ts';
import { changeOf, shareInWords } from './flow-change.ts';
import { type FlowFigures, LINE_HEIGHT, layOut, type PlacedFlow, type PlacedStep } from './flow-layout.ts';

type Edge = PlacedFlow['edges'][number];

/** Around what is drawn: leads to the calls of a step, or to those that went on to the next. */
export type StepLink = ComponentType<{
  version: number;
  name: string;
  step: string;
  nextStep?: string;
  children: ReactNode;
}>;

type Flow = FlowFigures & { version: number };

interface FlowMapProps {
  flow: Flow;
  total: number;
  /** Another version, by which changes are colored. */
  against?: Flow | undefined;
  link: StepLink;
}

/** How calls go from step to step: heights and widths are calls, red is where they ended badly. */
export function FlowMap({ flow, total, against, link }: FlowMapProps) {
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
        <svg role="group" aria-label={name} width={width} height={height} className="block">
          {edges.map((edge) => (
            <EdgePath
              key={`${edge.from.id} ${edge.to.id}`}
              edge={edge}
              stepWidth={stepWidth}
              against={against}
              version={flow.version}
              link={link}
            />
          ))}
          {steps.map((step) => (
            <StepBox
              key={step.id}
              step={step}
              width={stepWidth}
              total={total}
              against={against}
              version={flow.version}
              link={link}
            />
          ))}
        </svg>
      </div>
      <figcaption className="mt-1 text-xs text-ink-2">
        {against &&
          `Against version ${against.version}: ▲ red ends badly surely more often, ▼ green surely less; a firm line is taken more often, a dashed one less. `}
        {folded > 0 &&
          `Others (${count(folded)}): steps that fewer than one call in a hundred reached are in the table.`}
      </figcaption>
    </figure>
  );
}

interface EdgeProps extends Pick<FlowMapProps, 'against' | 'link'> {
  version: number;
  edge: Edge;
  stepWidth: number;
}

const EDGE_LOOKS = {
  more: 'stroke-accent opacity-80',
  less: 'stroke-caution opacity-80 [stroke-dasharray:6_4]',
  same: 'stroke-control opacity-40',
};

function EdgePath({ edge: { from, to, calls: went, width }, stepWidth, version, against, link: Link }: EdgeProps) {
  const [x1, y1] = [from.x + stepWidth, from.y + from.height / 2];
  const [x2, y2] = [to.x, to.y + to.height / 2];
  const bend = Math.max(40, Math.abs(x2 - x1) / 2);
  const now = { k: went, n: from.calls };
  const before = against && {
    k: against.transitions.find((one) => one.from === from.id && one.to === to.id)?.calls ?? 0,
    n: against.steps.find(({ id }) => id === from.id)?.calls ?? 0,
  };
  const look = before ? changeOf(now, before) : 'same';
  const said = `${from.label} → ${to.label}: ${calls(went)} (${shareInWords(now)}${before ? `, before ${shareInWords(before)}` : ''})`;
  return (
    <Link version={version} name={said} step={from.id} nextStep={to.id}>
      <path
        d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
        strokeWidth={width}
        className={classes('fill-none hover:stroke-accent hover:opacity-90', EDGE_LOOKS[look])}
      >
        <title>{said}</title>
      </path>
    </Link>
  );
}

interface StepProps extends Pick<FlowMapProps, 'against' | 'link' | 'total'> {
  version: number;
  step: PlacedStep;
  width: number;
}

const STEP_LOOKS = {
  more: 'fill-bad-soft stroke-bad',
  less: 'fill-good-soft stroke-good',
  same: 'fill-accent-soft stroke-line',
};
const MARKS = { more: '▲ ', less: '▼ ', same: '' };

function StepBox({ step, width, total, version, against, link: Link }: StepProps) {
  const { id, label, lines, x, y, height, drops, calls: reached } = step;
  const bad = reached === 0 ? 0 : (drops / reached) * height;
  const other = against?.steps.find((one) => one.id === id);
  const change = other ? changeOf({ k: drops, n: reached }, { k: other.drops, n: other.calls }) : 'same';
  const was = against
    ? other
      ? `, before ${shareInWords({ k: other.drops, n: other.calls })}`
      : ', not there before'
    : '';
  const said = `${label}: ${calls(reached)} (${percent(reached / Math.max(total, 1))}), ${count(drops)} ended badly here${was}`;
  return (
    <Link version={version} name={said} step={id}>
      <g className="group">
        <title>{said}</title>
        {lines.map((line, at) => (
          <text
            // The same words may stand twice in a label; their place is their name.
            // oxlint-disable-next-line react/no-array-index-key
            key={at}
            x={x}
            y={y - 6 - (lines.length - 1 - at) * LINE_HEIGHT}
            className="fill-ink text-[12px] group-hover:underline"
          >
            {line}
          </text>
        ))}
        <rect x={x} y={y} width={width} height={height} rx={2} className={STEP_LOOKS[change]} />
        {bad > 0 && <rect x={x} y={y + height - bad} width={width} height={bad} className="fill-bad" />}
        <text x={x} y={y + height + 12} className="fill-ink-2 text-[11px]">
          {`${MARKS[change]}${figuresOf(step, Math.floor(width / PIXELS_A_LETTER))}`}
        </text>
      </g>
    </Link>
  );
}

/** Of figures, which reach over what goes on to the next layer. */
const PIXELS_A_LETTER = 5;

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
