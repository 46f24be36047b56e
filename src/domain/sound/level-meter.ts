/** Levels are read in steps of this length. */
export const STEP_MS = 10;
/** What no recording of a room goes below: zeroes of a gated or muted line. In dBFS. */
export const SILENCE_DB = -100;

const FULL_SCALE = 0.999;
const CLIPPED_IN_A_ROW = 3;
/** A cut-out of the line; shorter is within a waveform, longer a pause. */
const DROPOUT_MS = { least: 20, most: 500 };
const DROPOUTS_KEPT = 1_000;
const GROWS_BY = 30_000;

/** One channel of a recording as its levels; nothing of the sound itself is kept. */
export interface ChannelLevels {
  /** Mean power of each 10 ms in dBFS, `SILENCE_DB` at least. */
  db: Float32Array;
  /** Runs of samples at full scale. */
  clipped: number;
  /** Runs of samples that are exactly zero, 20 to 500 ms long, as `[start, end]` in milliseconds; the first thousand. */
  zeroRuns: [startMs: number, endMs: number][];
}

/** Takes the samples of one channel as they are decoded, in pieces of any length. */
export class LevelMeter {
  readonly #rate: number;
  #db = new Float32Array(GROWS_BY);
  #steps = 0;
  #samples = 0;
  #stepEnds: number;
  #power = 0;
  #inStep = 0;
  #fullScale = 0;
  #zeroes = 0;
  #clipped = 0;
  readonly #zeroRuns: ChannelLevels['zeroRuns'] = [];

  /** @param rate samples a second */
  constructor(rate: number) {
    this.#rate = rate;
    this.#stepEnds = this.#endOf(0);
  }

  push(samples: Float32Array): void {
    for (const sample of samples) {
      this.#power += sample * sample;
      this.#inStep += 1;
      this.#samples += 1;
      this.#note(sample);
      if (this.#samples >= this.#stepEnds) this.#closeStep();
    }
  }

  /** The levels of all samples; what is left of a last step counts where it is half a step or more. */
  end(): ChannelLevels {
    this.#noteZeroes(this.#samples);
    if (this.#inStep * 2 * 1000 >= this.#rate * STEP_MS) this.#closeStep();
    return { db: this.#db.slice(0, this.#steps), clipped: this.#clipped, zeroRuns: this.#zeroRuns };
  }

  #note(sample: number): void {
    if (sample === 0) {
      this.#zeroes += 1;
    } else if (this.#zeroes > 0) {
      this.#noteZeroes(this.#samples - 1);
    }
    if (sample >= FULL_SCALE || sample <= -FULL_SCALE) {
      this.#fullScale += 1;
      if (this.#fullScale === CLIPPED_IN_A_ROW) this.#clipped += 1;
    } else {
      this.#fullScale = 0;
    }
  }

  #noteZeroes(endsAt: number): void {
    const ms = (this.#zeroes * 1000) / this.#rate;
    if (ms >= DROPOUT_MS.least && ms <= DROPOUT_MS.most && this.#zeroRuns.length < DROPOUTS_KEPT) {
      const endMs = (endsAt * 1000) / this.#rate;
      this.#zeroRuns.push([Math.round(endMs - ms), Math.round(endMs)]);
    }
    this.#zeroes = 0;
  }

  #closeStep(): void {
    if (this.#steps === this.#db.length) {
      const grown = new Float32Array(this.#db.length * 2);
      grown.set(this.#db);
      this.#db = grown;
    }
    const mean = this.#power / Math.max(1, this.#inStep);
    this.#db[this.#steps] = mean <= 1e-10 ? SILENCE_DB : 10 * Math.log10(mean);
    this.#steps += 1;
    this.#power = 0;
    this.#inStep = 0;
    this.#stepEnds = this.#endOf(this.#steps);
  }

  /** Steps have no whole number of samples at every rate, and no step may drift. */
  #endOf(step: number): number {
    return Math.round(((step + 1) * this.#rate * STEP_MS) / 1000);
  }
}
