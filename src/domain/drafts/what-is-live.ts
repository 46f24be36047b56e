import { canonicalText } from '../json-order.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import { type DraftTexts, partsOf } from './parts.ts';

/** What of a publish is live: what was to be, what was before, or neither. */
export type Live = 'target' | 'before' | 'other';

/** Compares what the platform says now, to the last character and in every setting that is read. */
export function whatIsLive(
  live: AgentConfiguration,
  { target, before }: { target: AgentConfiguration; before: AgentConfiguration },
): Live {
  const now = written(live);
  if (now === written(target)) return 'target';
  return now === written(before) ? 'before' : 'other';
}

/**
 * Whether a publish has left something to write back. Nothing is written where its parts say what they said before, nor over
 * what others have written since.
 * @param isOwn whether the live version is one that the publish made: then whatever it says came of it.
 */
export function isToBeUndone(
  live: AgentConfiguration,
  { texts, textsBefore }: { texts: DraftTexts; textsBefore: DraftTexts },
  isOwn: boolean,
): boolean {
  const said = new Map(partsOf(live).map(({ path, text }) => [path, text]));
  const paths = Object.keys(texts);
  if (paths.every((path) => said.get(path) === textsBefore[path])) return false;
  return isOwn || paths.every((path) => [texts[path], textsBefore[path]].includes(said.get(path)));
}

/** Variables are read from the texts themselves, so they follow a text that is changed. */
const written = (configuration: AgentConfiguration): string => canonicalText({ ...configuration, variables: {} });
