import { useRef } from 'react';
import type { Schemas } from '../../client/api.ts';
import { type Store, useStore } from '../../client/store.ts';
import { duration } from '../../format.ts';
import { Panel } from '../../ui/panel.tsx';
import { useWidth } from '../../ui/use-width.ts';
import { DenseLanes } from './dense-lanes.tsx';
import { colourOf, LANE_PX, LANES, placeOf, silencesOf, TOP_PX } from './lanes.ts';
import { ticksOf } from './ticks.ts';

type Turn = Schemas['Turn'];
type Signal = Schemas['DetectedSignal'];

interface TimelineProps {
  turns: Turn[];
  signals: Signal[];
  durationMs: number;
  timing: Schemas['CallWithTranscript']['timing'];
  /** Where the recording is being played. */
  head: Store<number | null>;
  /** The turn that the address points at. */
  chosen: number | null;
  onChoose: (turn: number) => void;
}

const HEIGHT_PX = TOP_PX + LANES.length * LANE_PX + 18;
const TICKS_AT_MOST = 8;
/** Of the longest time under the axis, with room around it. */
const TICK_PX = 72;
/** With more, a turn is a few pixels wide: nobody points at one, and the page would hold thousands of nodes. */
const MOST_BLOCKS = 300;

/** Who spoke when, and where the signals are; a click goes to the turn. */
export function Timeline({ turns, signals, durationMs, timing, head, chosen, onChoose }: TimelineProps) {
  const frame = useRef<HTMLDivElement>(null);
  const ticks = useWidth(frame, (width) => Math.min(TICKS_AT_MOST, Math.max(1, Math.floor(width / TICK_PX))));
  const timed = turns.filter(({ startMs }) => startMs !== null);
  if (timed.length === 0) {
    return <p className="text-sm text-ink-2">This platform gives no times of turns, so there is no timeline.</p>;
  }
  const end = Math.max(durationMs, ...timed.map(({ startMs, endMs }) => endMs ?? startMs ?? 0), 1);
  const at = (ms: number) => `${((ms / end) * 100).toFixed(3)}%`;
  const about = timing === 'approx' ? 'Approximate timeline' : 'Timeline';
  const name = `${about} of ${duration(end)}: ${turns.length} turns, ${signals.length} signals`;
  return (
    <Panel className="px-4 py-3">
      <div className="flex gap-3">
        <div aria-hidden className="text-xs text-ink-2" style={{ paddingTop: TOP_PX }}>
          {['Caller', 'Agent', 'Tools'].map((lane) => (
            <div key={lane} style={{ height: LANE_PX, lineHeight: `${LANE_PX}px` }}>
              {lane}
            </div>
          ))}
        </div>
        <div ref={frame} className="min-w-0 flex-1">
          <svg role="img" aria-label={name} width="100%" height={HEIGHT_PX} className="block overflow-visible">
            {timed.length > MOST_BLOCKS ? (
              <DenseLanes turns={timed} end={end} onChoose={onChoose} />
            ) : (
              <>
                <Silences turns={timed} at={at} />
                {timed.map((turn) => (
                  <Block
                    key={turn.index}
                    turn={turn}
                    at={at}
                    end={end}
                    chosen={turn.index === chosen}
                    onChoose={onChoose}
                  />
                ))}
              </>
            )}
            {signals.map((signal) => (
              <Pin
                key={`${signal.code} ${signal.turnIndex}`}
                signal={signal}
                turns={turns}
                at={at}
                onChoose={onChoose}
              />
            ))}
            <PlayHead head={head} at={at} />
            <Axis end={end} ticks={ticks} />
          </svg>
        </div>
      </div>
      {timing === 'approx' && <p className="mt-1 text-xs text-ink-2">The platform’s times are approximate.</p>}
    </Panel>
  );
}

interface BlockProps {
  turn: Turn;
  at: (ms: number) => string;
  end: number;
  chosen: boolean;
  onChoose: (turn: number) => void;
}

function Block({ turn, at, end, chosen, onChoose }: BlockProps) {
  const place = placeOf(turn);
  const { lane, from, to } = place;
  const width = `${Math.max(0.25, ((to - from) / end) * 100).toFixed(3)}%`;
  return (
    <rect
      x={at(from)}
      y={TOP_PX + LANES.indexOf(lane) * LANE_PX + 3}
      width={width}
      height={LANE_PX - 6}
      rx={1.5}
      className={`${colourOf(place)} cursor-pointer ${chosen ? 'stroke-accent stroke-2' : 'hover:opacity-80'}`}
      onClick={() => onChoose(turn.index)}
    >
      <title>{turn.text || turn.toolCall?.name || turn.toolResult?.name || ''}</title>
    </rect>
  );
}

function Silences({ turns, at }: { turns: Turn[]; at: (ms: number) => string }) {
  return silencesOf(turns).map(({ turn, from, to }) => {
    const y = TOP_PX + LANE_PX;
    return (
      <g key={turn}>
        <line
          x1={at(from)}
          x2={at(to)}
          y1={y}
          y2={y}
          className="stroke-caution"
          strokeDasharray="2 3"
          strokeWidth={2}
        />
        <title>{`Silence of ${((to - from) / 1000).toFixed(1)} s`}</title>
      </g>
    );
  });
}

interface PinProps {
  signal: Signal;
  turns: Turn[];
  at: (ms: number) => string;
  onChoose: (turn: number) => void;
}

function Pin({ signal, turns, at, onChoose }: PinProps) {
  const start = turns.find(({ index }) => index === signal.turnIndex)?.startMs ?? null;
  if (start === null) return null;
  return (
    <svg x={at(start)} y={0} width={12} height={TOP_PX} className="overflow-visible">
      <path
        d="M0 18L-5 8h10z"
        className="cursor-pointer fill-bad hover:opacity-80"
        onClick={() => onChoose(signal.turnIndex)}
      >
        <title>{signal.title}</title>
      </path>
    </svg>
  );
}

function PlayHead({ head, at }: { head: Store<number | null>; at: (ms: number) => string }) {
  const ms = useStore(head);
  if (ms === null) return null;
  return <line x1={at(ms)} x2={at(ms)} y1={TOP_PX} y2={HEIGHT_PX - 18} className="stroke-accent" strokeWidth={2} />;
}

function Axis({ end, ticks }: { end: number; ticks: number }) {
  const y = TOP_PX + LANES.length * LANE_PX;
  return (
    <g>
      <line x1="0" x2="100%" y1={y} y2={y} className="stroke-line" />
      {ticksOf(end, ticks).map((ms) => (
        <text
          key={ms}
          x={`${(ms / end) * 100}%`}
          y={y + 14}
          textAnchor={ms === 0 ? 'start' : ms > end * 0.95 ? 'end' : 'middle'}
          className="fill-ink-3 text-[11px]"
        >
          {duration(ms)}
        </text>
      ))}
    </g>
  );
}
