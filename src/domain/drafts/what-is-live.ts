import type { Json } from '../json.ts';
import { inStoredOrder } from '../json-order.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';

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

/** Variables are read from the texts themselves, so they follow a text that is changed. */
const written = (configuration: AgentConfiguration): string =>
  JSON.stringify(inStoredOrder(JSON.parse(JSON.stringify({ ...configuration, variables: {} })) as Json));
