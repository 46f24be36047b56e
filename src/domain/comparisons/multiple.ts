/** Holm's step-down rule: which of the p values hold together at `level`, in their order. */
export function holm(ps: readonly number[], level = 0.05): boolean[] {
  const order = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  const holds = ps.map(() => false);
  for (const [rank, { p, index }] of order.entries()) {
    if (p > level / (ps.length - rank)) break;
    holds[index] = true;
  }
  return holds;
}
