/** A repeatable stream of random numbers: the same start value gives the same stream on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
}

/** Mulberry32: 32 bits of state, enough for resampling and for test data; never for secrets. */
export function seededRandom(start: number): Random {
  let state = start >>> 0;
  return {
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
    },
  };
}

/** A standard normal number (Box and Muller). */
export function normal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}

/** A gamma number of shape `k` ≥ 1 and scale 1 (Marsaglia and Tsang). */
export function gamma(random: Random, k: number): number {
  const d = k - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random.next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}
