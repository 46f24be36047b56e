import type { AgentConfiguration } from '../versions/configuration.ts';
import { type DraftTexts, partsOf } from './parts.ts';

/**
 * The texts of a draft over another version. Parts that the draft leaves alone may have changed there; one that both
 * changed, in different ways, is a conflict.
 */
export function laidOver(
  before: AgentConfiguration,
  now: AgentConfiguration,
  texts: DraftTexts,
): { texts: DraftTexts } | { conflicts: string[] } {
  const was = new Map(partsOf(before).map(({ path, text }) => [path, text]));
  const is = new Map(partsOf(now).map(({ path, text }) => [path, text]));
  const conflicts = Object.entries(texts)
    .filter(([path, text]) => is.get(path) !== was.get(path) && is.get(path) !== text)
    .map(([path]) => path);
  if (conflicts.length > 0) return { conflicts };
  return { texts: Object.fromEntries(Object.entries(texts).filter(([path, text]) => is.get(path) !== text)) };
}
