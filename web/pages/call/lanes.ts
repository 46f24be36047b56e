import type { Schemas } from '../../client/api.ts';

type Turn = Schemas['Turn'];

export const LANES = ['caller', 'agent', 'tool'] as const;
export const LANE_PX = 18;
export const TOP_PX = 20;
const SILENCE_MS = 3_000;

/** Where a turn is drawn on the timeline. */
export interface Place {
  lane: (typeof LANES)[number];
  from: number;
  to: number;
  failed: boolean;
}

/** A tool's result is drawn over the time that it took. */
export function placeOf({ role, startMs, endMs, toolCall, toolResult }: Turn): Place {
  const start = startMs ?? 0;
  const to = endMs ?? start;
  if (toolResult) {
    return { lane: 'tool', from: start - (toolResult.latencyMs ?? 0), to, failed: toolResult.ok === false };
  }
  const lane = toolCall || role === 'tool' ? 'tool' : role === 'caller' ? 'caller' : 'agent';
  return { lane, from: start, to, failed: false };
}

const COLOURS = { caller: 'fill-ink-2', agent: 'fill-control', tool: 'fill-ink-3' } as const;

export const colourOf = ({ lane, failed }: Place) => (failed ? 'fill-bad' : COLOURS[lane]);

/** Where nobody spoke for long, with the turn that ended it. */
export function silencesOf(turns: Turn[]): { turn: number; from: number; to: number }[] {
  const spoken = turns.filter(({ text, wordsMissing }) => text !== '' || wordsMissing);
  return spoken.slice(1).flatMap((turn, before) => {
    const from = spoken[before]?.endMs ?? null;
    const to = turn.startMs;
    return from === null || to === null || to - from < SILENCE_MS ? [] : [{ turn: turn.index, from, to }];
  });
}
