import type { MetricDefinition } from './metrics.ts';
import type { MixReading } from './mix.ts';
import { holm } from './multiple.ts';
import type { Judgement } from './verdict.ts';

export const CONCLUSIONS = ['insufficient_evidence', 'improved', 'worsened', 'mixed', 'no_change', 'unclear'] as const;
export type Conclusion = (typeof CONCLUSIONS)[number];

export const CONCLUSION_LABELS: Record<Conclusion, string> = {
  insufficient_evidence: 'Not enough calls',
  improved: 'Better',
  worsened: 'Worse',
  mixed: 'Better and worse',
  no_change: 'No change',
  unclear: 'Unclear',
};

export interface JudgedMetric {
  definition: MetricDefinition;
  judgement: Judgement;
}

/** Measures of how calls ended: what they show must also hold within the callers' intents. */
const MOVED_BY_TRAFFIC = new Set(['got_it_done', 'unresolved', 'abandoned']);

/**
 * One word from all measures that can be better or worse. Holm's rule over them keeps the chance of any false change at
 * 5 %, half of which belongs to the leading one, so that the many beside it do not drown it; a change of how calls ended counts only where it holds within the same intents, since otherwise the traffic
 * changed and not the agent.
 */
export function conclude(judged: readonly JudgedMetric[], mix: MixReading | null): Conclusion {
  const lead = judged[0];
  if (!lead || lead.judgement.verdict === 'not_enough_calls') return 'insufficient_evidence';
  const family = judged.filter(
    ({ definition, judgement }) => definition.better !== 'neither' && judgement.verdict !== 'not_enough_calls',
  );
  const holds = holm(
    family.map(({ judgement }) => judgement.p),
    family.map((metric) => (metric === lead ? Math.max(1, family.length - 1) : 1)),
  );
  const changed = family.filter(
    ({ definition, judgement }, index) =>
      holds[index] && judgement.verdict === 'changed' && !isTraffic(definition.metric, mix),
  );
  const better = changed.some(({ judgement }) => judgement.direction === 'better');
  const worse = changed.some(({ judgement }) => judgement.direction === 'worse');
  if (better && worse) return 'mixed';
  if (better || worse) return better ? 'improved' : 'worsened';
  return family.every(({ judgement }) => judgement.verdict === 'unchanged') ? 'no_change' : 'unclear';
}

/** Got it done moved, and within the same intents it did not. */
export function isTraffic(metric: string, mix: MixReading | null): boolean {
  return MOVED_BY_TRAFFIC.has(metric) && mix !== null && mix.lower <= 0 && mix.upper >= 0;
}
