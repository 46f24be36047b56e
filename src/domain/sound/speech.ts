import { type ChannelLevels, SILENCE_DB, STEP_MS } from './level-meter.ts';

/** A stretch of speech, in milliseconds from the beginning of the recording. */
export interface Span {
  startMs: number;
  endMs: number;
}

/** How one channel sounds. Levels are in dBFS, the ratio in dB; null is what can't be known. */
export interface ChannelSound {
  spans: Span[];
  /** Mean power while somebody speaks; null where nobody does. */
  speechDb: number | null;
  /** Mean power between; null where pauses are digital zero or there are none. */
  noiseDb: number | null;
  snrDb: number | null;
  /** Pauses are digital zero: the platform cuts noise away, so that none can be measured. */
  isGated: boolean;
  /** What stands between speech is too loud or too much like speech to tell who speaks when. */
  isNoisy: boolean;
}

const FLOOR_SHARE = 0.1;
const LOUD_SHARE = 0.99;
const ABOVE_FLOOR_DB = 15;
const LEAST_ABOVE_FLOOR_DB = 6;
const BELOW_LOUDEST_DB = 22;
const QUIETEST_SPEECH_DB = -60;
const SILENT_CHANNEL_DB = -55;
const GATED_DB = -90;
const ONSET_STEPS = 5;
const QUIET_STEPS = 20;
const SHORTEST_MS = 80;
/** Under this ratio energy no longer tells speech from noise. */
const NOISY_SNR_DB = 10;
/** Talk beside the caller rises and falls as speech does; a steady noise does not. */
const UNSTEADY_SNR_DB = 22;
const UNSTEADY_DB = 4;
/** Next to speech its own beginning and end are heard. */
const MARGIN_STEPS = 20;
const WIDEST_STEPS = 20;
const LEAST_EDGE_DB = 2;
/** Half a second: less between speech is no floor. */
const LEAST_NOISE_STEPS = 50;
/** In half a minute each side pauses. */
const LONG_STEPS = 3_000;

/**
 * Who speaks when, by energy against the channel's own floor. Exact where sides are apart (within 10 ms on clean lines);
 * where noise stands in the way `isNoisy` says so, and no time that it gives is to be judged.
 */
export function readChannel({ db }: Pick<ChannelLevels, 'db'>): ChannelSound {
  const smooth = smoothed(db);
  const sorted = Float32Array.from(smooth).sort();
  const loudest = at(sorted, LOUD_SHARE);
  const nothing: ChannelSound = {
    spans: [],
    speechDb: null,
    noiseDb: null,
    snrDb: null,
    isGated: false,
    isNoisy: false,
  };
  if (loudest < SILENT_CHANNEL_DB) return nothing;
  const floor = at(sorted, FLOOR_SHARE);
  const threshold = Math.max(
    QUIETEST_SPEECH_DB,
    floor + LEAST_ABOVE_FLOOR_DB,
    Math.min(floor + ABOVE_FLOOR_DB, loudest - BELOW_LOUDEST_DB),
  );
  const clear = spansAbove(smooth, threshold);
  const spans = widened(smooth, clear, edgeOf(smooth, clear));
  return { ...nothing, spans, ...levelsOf(db, spans) };
}

/** Where speech fades into the noise: what steps of noise alone hardly ever reach. */
function edgeOf(db: Float32Array, spans: readonly Span[]): number {
  const near = marked(db.length, spans, MARGIN_STEPS);
  const between = db.filter((_, step) => near[step] === 0);
  if (between.length < LEAST_NOISE_STEPS) return Number.POSITIVE_INFINITY;
  const mean = between.reduce((sum, level) => sum + level, 0) / between.length;
  return mean <= GATED_DB ? Number.POSITIVE_INFINITY : mean + Math.max(LEAST_EDGE_DB, 3 * spread(between));
}

/** The soft beginning and the fading end of speech are speech, which the threshold cuts. */
function widened(db: Float32Array, spans: readonly Span[], edge: number): Span[] {
  return spans.map(({ startMs, endMs }, at) => {
    const [first, last] = [startMs / STEP_MS, endMs / STEP_MS - 1];
    const before = (spans[at - 1]?.endMs ?? 0) / STEP_MS;
    const after = (spans[at + 1]?.startMs ?? db.length * STEP_MS) / STEP_MS;
    let from = first;
    while (from > before && from > first - WIDEST_STEPS && (db[from - 1] ?? SILENCE_DB) >= edge) from -= 1;
    let to = last;
    while (to + 1 < after && to < last + WIDEST_STEPS && (db[to + 1] ?? SILENCE_DB) >= edge) to += 1;
    return { startMs: from * STEP_MS, endMs: (to + 1) * STEP_MS };
  });
}

function marked(steps: number, spans: readonly Span[], margin: number): Uint8Array {
  const marks = new Uint8Array(steps);
  for (const { startMs, endMs } of spans) {
    marks.fill(1, Math.max(0, startMs / STEP_MS - margin), endMs / STEP_MS + margin);
  }
  return marks;
}

/** Power over 20 ms, so that the gaps between pitch periods of a deep voice are none. */
function smoothed(db: Float32Array): Float32Array {
  const smooth = new Float32Array(db.length);
  for (let step = 0; step < db.length; step += 1) {
    const here = power(db[step] ?? SILENCE_DB);
    const before = power(db[Math.max(0, step - 1)] ?? SILENCE_DB);
    smooth[step] = decibels((here + before) / 2);
  }
  return smooth;
}

function spansAbove(db: Float32Array, threshold: number): Span[] {
  const spans: Span[] = [];
  let start = -1;
  let run = 0;
  let quiet = 0;
  for (let step = 0; step <= db.length; step += 1) {
    const isLoud = step < db.length && (db[step] ?? SILENCE_DB) >= threshold;
    if (start < 0) {
      run = isLoud ? run + 1 : 0;
      if (run < ONSET_STEPS) continue;
      start = step - run + 1;
      quiet = 0;
      continue;
    }
    quiet = isLoud ? 0 : quiet + 1;
    if (quiet < QUIET_STEPS && step < db.length) continue;
    const span = { startMs: start * STEP_MS, endMs: (step - quiet + 1) * STEP_MS };
    if (span.endMs - span.startMs >= SHORTEST_MS) spans.push(span);
    start = -1;
    run = 0;
  }
  return spans;
}

function levelsOf(db: Float32Array, spans: readonly Span[]): Omit<ChannelSound, 'spans'> {
  const isSpeech = marked(db.length, spans, 0);
  const isNear = marked(db.length, spans, MARGIN_STEPS);
  const speech = new Mean();
  const noise = new Mean();
  let zeroes = 0;
  const between: number[] = [];
  for (const [step, level] of db.entries()) {
    if (isSpeech[step] === 1) speech.add(power(level));
    else if (isNear[step] === 0) {
      if (level <= GATED_DB) zeroes += 1;
      else {
        noise.add(power(level));
        between.push(level);
      }
    }
  }
  const speechDb = speech.count === 0 ? null : rounded(decibels(speech.mean));
  const isGated = zeroes > noise.count;
  const noiseDb = isGated || noise.count < LEAST_NOISE_STEPS ? null : rounded(decibels(noise.mean));
  const snrDb = speechDb === null || noiseDb === null ? null : rounded(speechDb - noiseDb);
  const isUnsteady = snrDb !== null && snrDb < UNSTEADY_SNR_DB && spread(between) > UNSTEADY_DB;
  const isFilled = !isGated && noise.count < LEAST_NOISE_STEPS && spans.length > 0 && db.length > LONG_STEPS;
  return {
    speechDb,
    noiseDb,
    snrDb,
    isGated,
    isNoisy: isFilled || isUnsteady || (snrDb !== null && snrDb < NOISY_SNR_DB),
  };
}

class Mean {
  count = 0;
  #sum = 0;
  add(value: number): void {
    this.count += 1;
    this.#sum += value;
  }
  get mean(): number {
    return this.#sum / Math.max(1, this.count);
  }
}

/** Standard deviation. */
function spread(values: readonly number[] | Float32Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / Math.max(1, values.length);
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return Math.sqrt(squares / Math.max(1, values.length));
}

const at = (sorted: Float32Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? SILENCE_DB;

const power = (db: number): number => (db <= SILENCE_DB ? 0 : 10 ** (db / 10));
const decibels = (mean: number): number => (mean <= 1e-10 ? SILENCE_DB : 10 * Math.log10(mean));
const rounded = (value: number): number => Math.round(value * 10) / 10;
