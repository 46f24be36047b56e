import type { MouseEvent } from 'react';
import type { Schemas } from '../../client/api.ts';
import { colourOf, LANE_PX, LANES, type Place, placeOf, silencesOf, TOP_PX } from './lanes.ts';

type Turn = Schemas['Turn'];

interface DenseLanesProps {
  turns: Turn[];
  end: number;
  onChoose: (turn: number) => void;
}

/** The lanes of a very long call: one shape a lane and colour, and a click goes to the turn that was spoken then. */
export function DenseLanes({ turns, end, onChoose }: DenseLanesProps) {
  const places = turns.map(placeOf);
  const choose = (event: MouseEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const ms = ((event.clientX - left) / width) * end;
    const turn = turns.findLast(({ startMs }) => (startMs ?? 0) <= ms) ?? turns[0];
    if (turn) onChoose(turn.index);
  };
  return (
    <svg
      y={TOP_PX}
      width="100%"
      height={LANES.length * LANE_PX}
      viewBox={`0 0 ${end} ${LANES.length}`}
      preserveAspectRatio="none"
      className="cursor-pointer"
      onClick={choose}
    >
      <rect width={end} height={LANES.length} className="fill-transparent" />
      {[...Map.groupBy(places, colourOf)].map(([colour, drawn]) => (
        <path key={colour} className={colour} d={drawn.map((place) => shapeOf(place, end)).join('')} />
      ))}
      <path className="fill-caution" d={silencesOf(turns).map(lineOf).join('')} />
    </svg>
  );
}

/** As wide as it took, and never so narrow that it is not seen. */
function shapeOf({ lane, from, to }: Place, end: number): string {
  const width = Math.max(to - from, end / 2_000);
  return `M${from} ${LANES.indexOf(lane) + 0.2}h${width}v.6h${-width}z`;
}

const lineOf = ({ from, to }: { from: number; to: number }) => `M${from} .95h${to - from}v.1h${from - to}z`;
