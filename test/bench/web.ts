import { withBenchDatabase } from './database.ts';
import type { BenchOptions, BenchResult } from './measure.ts';
import { measureBytes } from './web/bytes.ts';
import { type Figure, printFigures } from './web/figure.ts';
import { measureMoves } from './web/moves.ts';
import { measurePaint } from './web/paint.ts';
import { measureIdle, measureLongCall, measureScroll } from './web/scroll.ts';
import { withWebWorld } from './web/world.ts';

export const GOAL = 'every budget of the web app';

const DEFAULT_CALLS = 100_000;

/** The web app in a real browser, on a long history: each budget beside an empty page of the same frame. */
export async function run({ sizes = [], rounds = 5 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const calls = sizes[0] ?? DEFAULT_CALLS;
  return withBenchDatabase(async (database) => {
    const figures = await withWebWorld(
      database,
      calls,
      async (world): Promise<Figure[]> => [
        ...(await measureBytes(world)),
        ...(await measurePaint(world, rounds)),
        ...(await measureMoves(world, rounds)),
        ...(await measureScroll(world)),
        ...(await measureLongCall(world)),
        ...(await measureIdle(world)),
      ],
    );
    console.log(printFigures(figures));
    const missed = figures.filter(({ met }) => !met);
    return {
      metric: 'web',
      sizes: [calls],
      ours: figures.map(({ ours }) => ours),
      baseline: figures.map(({ empty }) => empty ?? Number.NaN),
      ratio: figures.map(({ ours, empty }) => (empty ? Number((ours / empty).toFixed(2)) : Number.NaN)),
      exponent: null,
      counters: { figures: figures.length, missed: missed.length },
      ok: missed.length === 0,
      misses: missed.map(({ name, ours, unit, goal }) => `${name}: ${ours} ${unit}, above ${goal}.`),
    };
  });
}
