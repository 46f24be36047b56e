import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useMemo } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { type Store, useStore } from '../../client/store.ts';
import { duration, number } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Dotted } from '../../ui/dotted.tsx';
import { Panel } from '../../ui/panel.tsx';

type Sound = Schemas['CallSound'];

const BAND_PX = 34;
const BARS = 400;
/** Levels are in half decibels above -100 dBFS; below this nothing is heard. */
const QUIETEST = 80;
const LOUDEST = 195;

const seconds = (ms: number) => `${number(Math.round(ms / 100) / 10)} s`;

interface SoundBandsProps {
  callId: string;
  head: Store<number | null>;
  playFrom: (ms: number) => void;
}

/** Both sides of the recording as they were measured; a click plays from there. */
export function SoundBands({ callId, head, playFrom }: SoundBandsProps) {
  const agent = useAgent();
  const path = { agentId: agent.id, callId };
  const sound = useQuery(api.queryOptions('get', '/app/agents/{agentId}/calls/{callId}/sound', { params: { path } }));
  if (!sound.data || sound.data.state === 'off') return null;
  if (sound.data.durationMs === null) return <p className="mb-3 text-sm text-ink-2">{whyNot(sound.data)}</p>;
  return <Measured sound={sound.data} lengthMs={sound.data.durationMs} head={head} playFrom={playFrom} />;
}

const whyNot = ({ state, reason }: Sound): string => {
  if (state === 'waiting') return 'The recording has not been measured yet.';
  return state === 'away' ? `${reason} Earshot tries again.` : (reason ?? '');
};

interface MeasuredProps extends Pick<SoundBandsProps, 'head' | 'playFrom'> {
  sound: Sound;
  lengthMs: number;
}

function Measured({ sound, lengthMs, head, playFrom }: MeasuredProps) {
  const names = sound.caller === null ? ['Sound'] : ['Caller', 'Agent'];
  const bands = sound.caller === null ? sound.bands.slice(0, 1) : sound.bands;
  const at = (ms: number) => `${((ms / lengthMs) * 100).toFixed(3)}%`;
  const play = ({ currentTarget, clientX }: MouseEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    playFrom(Math.max(0, ((clientX - left) / width) * lengthMs));
  };
  const height = bands.length * BAND_PX;
  return (
    <Panel className="mb-3 px-4 py-3">
      <div className="flex gap-3">
        <div aria-hidden className="text-xs text-ink-2">
          {names.map((name) => (
            <div key={name} style={{ height: BAND_PX, lineHeight: `${BAND_PX}px` }}>
              {name}
            </div>
          ))}
        </div>
        <button
          type="button"
          className="min-w-0 flex-1 cursor-pointer"
          onClick={play}
          aria-label={`Recording of ${duration(lengthMs)}: play from here`}
        >
          <svg aria-hidden width="100%" height={height} className="block">
            {sound.silences.map(({ startMs, endMs }) => (
              <rect
                key={startMs}
                x={at(startMs)}
                width={at(endMs - startMs)}
                y={0}
                height={height}
                className="fill-caution opacity-15"
              >
                <title>{`Silence of ${seconds(endMs - startMs)}`}</title>
              </rect>
            ))}
            {bands.map((band, channel) => (
              <Band key={names[channel]} band={band} y={channel * BAND_PX} isAgent={channel === 1} />
            ))}
            {(sound.bargeIns ?? []).map(({ atMs, yieldMs }) => (
              <rect key={atMs} x={at(atMs)} width={at(yieldMs)} y={0} height={height} className="fill-bad opacity-20">
                <title>{`The agent went on for ${seconds(yieldMs)} after the caller began`}</title>
              </rect>
            ))}
            <Head head={head} at={at} height={height} />
          </svg>
        </button>
      </div>
      <p className="mt-2 text-sm text-ink-2">
        <Dotted>{factsOf(sound)}</Dotted>
      </p>
      {sound.unknown.map((sentence) => (
        <p key={sentence} className="mt-1 text-xs text-ink-2">
          {sentence}
        </p>
      ))}
    </Panel>
  );
}

function factsOf({ answers, interruptions, bargeIns, caller, mixed }: Sound): string[] {
  const gaps = (answers ?? []).map(({ gapMs }) => gapMs).sort((a, b) => a - b);
  const middle = gaps[gaps.length >> 1];
  const slowest = gaps.at(-1);
  const snr = (caller ?? mixed)?.snrDb ?? null;
  return [
    ...(middle === undefined || slowest === undefined
      ? []
      : [`As heard, the agent answers after ${seconds(middle)} (median); slowest ${seconds(slowest)}`]),
    ...(interruptions?.length ? [`the agent spoke over the caller ${interruptions.length}×`] : []),
    ...(bargeIns?.length ? [`the caller spoke over the agent ${bargeIns.length}×`] : []),
    ...(snr === null ? [] : [`the caller is ${snr.toFixed(0)} dB above the noise`]),
  ];
}

/** At most as many bars as anybody can see. */
function Band({ band, y, isAgent }: { band: string; y: number; isAgent: boolean }) {
  const bars = useMemo(() => barsOf(band), [band]);
  return bars.map(({ at, share }) => (
    <rect
      key={at}
      x={`${at * 100}%`}
      width={`${100 / bars.length}%`}
      y={y + (BAND_PX * (1 - share)) / 2}
      height={Math.max(0.5, BAND_PX * share)}
      className={isAgent ? 'fill-control' : 'fill-ink-2'}
    />
  ));
}

function barsOf(band: string): { at: number; share: number }[] {
  const levels = Uint8Array.from(atob(band), (letter) => letter.charCodeAt(0));
  const each = Math.max(1, Math.ceil(levels.length / BARS));
  return Array.from({ length: Math.ceil(levels.length / each) }, (_, bar) => {
    const loudest = Math.max(...levels.subarray(bar * each, (bar + 1) * each));
    const share = Math.min(1, Math.max(0, (loudest - QUIETEST) / (LOUDEST - QUIETEST)));
    return { at: (bar * each) / levels.length, share };
  });
}

function Head({ head, at, height }: { head: Store<number | null>; at: (ms: number) => string; height: number }) {
  const ms = useStore(head);
  if (ms === null) return null;
  return <line x1={at(ms)} x2={at(ms)} y1={0} y2={height} className="stroke-accent" strokeWidth={2} />;
}
