import type { Detection } from './signal.ts';

/** The first detection of each turn: several rules may see one and the same slip. */
export function oncePerTurn(detections: readonly Detection[]): Detection[] {
  const seen = new Set<number>();
  return detections.filter(({ turnIndex }) => !seen.has(turnIndex) && seen.add(turnIndex));
}
