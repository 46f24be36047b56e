/** The endings between which the end of a talk is weighed, in the order of the figures of a mark. */
export const WEIGHED = ['resolved', 'unresolved', 'abandoned'] as const;
export type WeighedOutcome = (typeof WEIGHED)[number];

export type Weights = Readonly<Record<string, readonly number[]>>;

/** What holds on every call. */
export const ALWAYS = 'always';

/** How likely each ending is by the marks of a talk: a softmax over the sums of their weights. */
export function weigh(marks: readonly string[], weights: Weights): number[] {
  const sums = WEIGHED.map((_, at) => [ALWAYS, ...marks].reduce((sum, mark) => sum + (weights[mark]?.[at] ?? 0), 0));
  const most = Math.max(...sums);
  const parts = sums.map((sum) => Math.exp(sum - most));
  const whole = parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part) => part / whole);
}
