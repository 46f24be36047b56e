const TICK_STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400];

/** Round times from the start on, at most so many steps of them. */
export function ticksOf(end: number, atMost: number): number[] {
  const step = (TICK_STEPS_S.find((seconds) => end / 1_000 / seconds <= atMost) ?? end / 1_000 / atMost) * 1_000;
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, tick) => tick * step);
}
