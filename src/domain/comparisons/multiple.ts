/**
 * Holm's step-down rule with weights: which of the p values hold together at `level`, in their order. Each has its part of
 * the level by its weight, and what held hands its part on to the others, so the chance of any false one stays at `level`
 * whatever depends on what.
 * @param weights positive; all alike where they are left out.
 */
export function holm(ps: readonly number[], weights: readonly number[] = ps.map(() => 1), level = 0.05): boolean[] {
  const order = ps
    .map((p, index) => ({ p, index, weight: weights[index] ?? 1 }))
    .sort((a, b) => a.p / a.weight - b.p / b.weight);
  const holds = ps.map(() => false);
  let left = order.reduce((sum, { weight }) => sum + weight, 0);
  for (const { p, index, weight } of order) {
    if (p * left > level * weight) break;
    holds[index] = true;
    left -= weight;
  }
  return holds;
}
