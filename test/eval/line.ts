import type { Analysed } from './analysed.ts';
import { interval } from './figures.ts';

/** One printed figure: ours with its interval, what one gets without understanding anything, and the best published. */
export interface Line {
  metric: string;
  set: string;
  figure: string;
  /** What it is counted over: calls, faults, turns; null where the figure is no share of any. */
  count: number | null;
  /** Null where the figure is not scored; `notScored` then says why. */
  ours: number | null;
  /** 95 % bootstrap interval over the groups of the set; null where none is drawn. */
  interval: [number, number] | null;
  floor: number | null;
  published: string | null;
  better: 'higher' | 'lower';
  /** True where the point estimate is on the wrong side of the floor. */
  belowFloor: boolean;
  notScored: string | null;
}

/** A metric of the sets' page: every figure that it defines on one set. */
export type Metric = (set: string, calls: readonly Analysed[]) => Line[];

export type About = Partial<Pick<Line, 'floor' | 'published' | 'better' | 'count'>>;

/** Lines of one metric on one set: `of` draws the interval over groups, `plain` states a figure that has none. */
export function linesOf(metric: string, set: string) {
  const plain = (figure: string, ours: number, about: About = {}): Line => {
    const { floor = null, published = null, better = 'higher', count = null } = about;
    const scored = Number.isFinite(ours);
    return {
      metric,
      set,
      figure,
      count,
      ours: scored ? ours : null,
      interval: null,
      floor,
      published,
      better,
      belowFloor: scored && floor !== null && (better === 'higher' ? ours < floor : ours > floor),
      notScored: scored ? null : 'No labelled rows, or all of one kind.',
    };
  };
  const of = <T extends { group: string }>(
    figure: string,
    rows: readonly T[],
    figureOf: (rows: readonly T[]) => number,
    about: About = {},
  ): Line => {
    const one = plain(figure, rows.length === 0 ? Number.NaN : figureOf(rows), { count: rows.length, ...about });
    return one.ours === null ? one : { ...one, interval: interval(rows, figureOf) };
  };
  return { plain, of };
}
