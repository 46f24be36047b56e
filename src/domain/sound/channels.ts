import { type ChannelLevels, SILENCE_DB, STEP_MS } from './level-meter.ts';

/** What stands between two channels: nothing, a leak of one in the other, or one sound in both. */
export interface Leak {
  /** How much quieter the one is heard in the other, in dB. */
  quieterByDb: number;
  /** How much later, in milliseconds. */
  lagMs: number;
}

const LAGS = 50;
const SUSPECTED = 0.7;
const HEARD_DB = -60;
const FEWEST_STEPS = 200;
/** An echo that is this much louder than it leaks is somebody who speaks. */
const OVER_LEAK_DB = 6;
const SAME_DB = 1;

/** True where both channels hold the same mixed sound, so that no side can be told by its channel. */
export function isSameSound(a: Float32Array, b: Float32Array): boolean {
  const steps = Math.min(a.length, b.length);
  let heard = 0;
  let same = 0;
  for (let step = 0; step < steps; step += 1) {
    const [one, other] = [a[step] ?? SILENCE_DB, b[step] ?? SILENCE_DB];
    if (Math.max(one, other) < HEARD_DB) continue;
    heard += 1;
    if (Math.abs(one - other) <= SAME_DB) same += 1;
  }
  return heard > 0 && same >= heard * 0.95;
}

/**
 * Whether what `from` says is heard in `into`: the likeness of their levels at a delay of up to half a second, while
 * `from` speaks.
 */
export function findLeak(from: Float32Array, into: Float32Array): Leak | null {
  let best = { likeness: 0, lag: 0 };
  for (let lag = 0; lag <= LAGS; lag += 1) {
    const likeness = likenessAt(from, into, lag);
    if (likeness > best.likeness) best = { likeness, lag };
  }
  if (best.likeness < SUSPECTED) return null;
  const apart: number[] = [];
  for (let step = best.lag; step < into.length; step += 1) {
    const said = from[step - best.lag] ?? SILENCE_DB;
    const heard = into[step] ?? SILENCE_DB;
    if (said >= HEARD_DB + 20 && heard > SILENCE_DB && heard < said) apart.push(said - heard);
  }
  if (apart.length < FEWEST_STEPS) return null;
  apart.sort((x, y) => x - y);
  return { quieterByDb: Math.round(apart[apart.length >> 1] ?? 0), lagMs: best.lag * STEP_MS };
}

/** The levels of `into` without what leaks into it. */
export function withoutLeak(from: Float32Array, into: ChannelLevels, { quieterByDb, lagMs }: Leak): ChannelLevels {
  const lag = lagMs / STEP_MS;
  const db = Float32Array.from(into.db, (level, step) => {
    // The leak of a step is smeared over its neighbors.
    const said = Math.max(...[-2, -1, 0, 1, 2].map((near) => from[step - lag + near] ?? SILENCE_DB));
    return said > HEARD_DB && level < said - quieterByDb + OVER_LEAK_DB ? SILENCE_DB : level;
  });
  return { ...into, db };
}

/** Correlation of two levels while `from` is heard, -1 to 1. */
function likenessAt(from: Float32Array, into: Float32Array, lag: number): number {
  let n = 0;
  let [sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0];
  for (let step = lag; step < into.length; step += 1) {
    const a = from[step - lag] ?? SILENCE_DB;
    if (a < HEARD_DB) continue;
    const b = into[step] ?? SILENCE_DB;
    n += 1;
    sumA += a;
    sumB += b;
    sumAA += a * a;
    sumBB += b * b;
    sumAB += a * b;
  }
  if (n < FEWEST_STEPS) return 0;
  const spread = Math.sqrt((n * sumAA - sumA * sumA) * (n * sumBB - sumB * sumB));
  return spread <= 0 ? 0 : (n * sumAB - sumA * sumB) / spread;
}
