import { isHeardBetween, type TimingFacts } from '../calls/timing.ts';
import { missingTimes } from '../signals/needs.ts';
import type { CallReading } from '../signals/reading.ts';
import type { WatchMeasure } from '../vocabulary.ts';
import type { Bounds, Gap } from './watch.ts';

/** A figure of a call, and the turn at which it is reached; null where no single turn shows it. */
interface Measured {
  value: number;
  turn: number | null;
}

/** The figure, with the turn that shows it best: the slowest answer, the longest silence, the interruption that is one too many. */
export function measure(which: WatchMeasure, reading: CallReading, { atMost }: Bounds): Measured | Gap {
  const { call, timing } = reading;
  switch (which) {
    case 'duration_s':
      if (call.durationMs <= 0) return { gap: 'The record does not say how long this call lasted.' };
      return { value: call.durationMs / 1000, turn: reading.lastIndex };
    case 'cost_usd':
      if (call.costUsd === null) return { gap: 'The record does not say what this call cost.' };
      return { value: call.costUsd, turn: null };
    case 'turns': {
      const over = atMost === undefined ? undefined : reading.spoken[atMost];
      return { value: reading.spoken.length, turn: over?.index ?? null };
    }
    case 'response_s':
    case 'mean_response_s': {
      const waits = timing?.answers.filter(({ gapMs }) => gapMs >= 0) ?? [];
      if (timing === null || waits.length === 0) return reported(which, reading);
      const slowest = waits.reduce((one, other) => (other.gapMs > one.gapMs ? other : one));
      const mean = waits.reduce((sum, { gapMs }) => sum + gapMs, 0) / waits.length;
      return { value: (which === 'response_s' ? slowest.gapMs : mean) / 1000, turn: slowest.agent.index };
    }
    case 'silence_s':
      return timing === null ? noTimes(reading) : longestSilence(timing);
    case 'interruptions': {
      if (timing === null) return noTimes(reading);
      const cuts = timing.interruptions.filter(({ together }) => !together);
      return { value: cuts.length, turn: cuts[atMost ?? 0]?.agent.index ?? null };
    }
    default:
      return which satisfies never;
  }
}

const noTimes = (reading: CallReading): Gap => ({ gap: missingTimes(reading)?.reason ?? 'This call has no times.' });

/** Without times of turns, what the platform measured itself. */
function reported(which: WatchMeasure, reading: CallReading): Measured | Gap {
  const waits = reading.call.latency?.e2eMs ?? [];
  if (waits.length === 0) {
    return reading.timing === null ? noTimes(reading) : { gap: 'The agent answered nothing on this call.' };
  }
  const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
  return { value: (which === 'response_s' ? Math.max(...waits) : mean) / 1000, turn: null };
}

function longestSilence(timing: TimingFacts): Measured {
  let longest: Measured = { value: 0, turn: null };
  let until: { endMs: number; index: number } | null = null;
  for (const turn of timing.timed) {
    const gap = until === null ? 0 : (turn.startMs - until.endMs) / 1000;
    if (until !== null && gap > longest.value && isHeardBetween(timing, until.index, turn.index)) {
      longest = { value: gap, turn: turn.index };
    }
    if (until === null || turn.endMs > until.endMs) until = turn;
  }
  return longest;
}
