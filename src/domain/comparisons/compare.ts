import type { Place } from '../signals/signal.ts';
import { callsMissing, type Standing } from './checkpoint.ts';
import type { ComparisonMetric, ComparisonResult } from './comparison.ts';
import { CONCLUSION_LABELS, conclude, type JudgedMetric } from './conclusion.ts';
import type { Side, VersionFacts } from './facts.ts';
import { type IssueSides, issueMoves } from './issue-moves.ts';
import { COMPARISON_METRICS, type MetricDefinition } from './metrics.ts';
import { type MixStratum, sameMix } from './mix.ts';
import { narrate, ruleText } from './narrative.ts';
import { judge, valueOf } from './verdict.ts';

/** One version's calls: all that there are, and those that had started by the moment on which the verdict rests. */
export interface ComparedSide {
  version: number;
  now: VersionFacts;
  judged: VersionFacts;
}

export interface ComparisonInput {
  before: ComparedSide;
  after: ComparedSide;
  issues: readonly IssueSides[];
  isChangedPlace(place: Place): boolean;
  /** True only where the platform itself split the traffic between the two versions at random. */
  isRandomized: boolean;
  standing: Standing;
}

/**
 * What changed between two neighbouring versions. Values stand for all calls there are; verdicts rest on the calls up to
 * the moment at which the smaller side last reached 30, 60, 120, … calls (`nextStanding`).
 */
export function compareVersions(input: ComparisonInput): ComparisonResult {
  const { before, after, standing } = input;
  const judged = COMPARISON_METRICS.map((definition): JudgedMetric => {
    const { metric } = definition;
    return { definition, judgement: judge(definition, sideOf(before.judged, metric), sideOf(after.judged, metric)) };
  });
  const mix = sameMix(strataOf(before.judged, after.judged));
  const conclusion = conclude(judged, mix);
  const metrics = judged.map((metric) => present(metric, before.now, after.now));
  const moves = issueMoves(input.issues, input.isChangedPlace);
  const lead = metrics[0];
  return {
    conclusion,
    conclusionLabel: CONCLUSION_LABELS[conclusion],
    callsBefore: before.now.calls,
    callsAfter: after.now.calls,
    metrics,
    issueMoves: moves,
    narrative: narrate({
      fromVersion: before.version,
      toVersion: after.version,
      callsBefore: before.now.calls,
      callsAfter: after.now.calls,
      conclusion,
      metrics,
      moves,
      mix,
      missing: callsMissing(lead?.before.n ?? 0, lead?.after.n ?? 0),
    }),
    rule: ruleText(standing.checkpoint, { before: before.judged.calls, after: after.judged.calls }),
    isRandomized: input.isRandomized,
  };
}

const NOTHING: Side = { n: 0, notRead: 0, k: 0, sorted: [] };

function sideOf({ sides }: VersionFacts, metric: string): Side {
  return sides.get(metric) ?? NOTHING;
}

function present({ definition, judgement }: JudgedMetric, before: VersionFacts, after: VersionFacts): ComparisonMetric {
  const was = sideOf(before, definition.metric);
  const is = sideOf(after, definition.metric);
  const values = { before: valueOf(definition, was), after: valueOf(definition, is) };
  const delta = values.before === null || values.after === null ? null : values.after - values.before;
  return {
    metric: definition.metric,
    label: definition.label,
    unit: definition.unit,
    before: { value: values.before, n: was.n },
    after: { value: values.after, n: is.n },
    delta,
    better: definition.better,
    verdict: judgement.verdict,
    direction: judgement.direction,
    minimum: minimumInWords(definition),
    notRead: was.notRead + is.notRead,
  };
}

function minimumInWords({ unit, minimum }: MetricDefinition): string {
  return unit === 'share' ? `${Math.round(minimum * 100)} points` : `${Math.round(minimum * 100)} %`;
}

function strataOf(before: VersionFacts, after: VersionFacts): MixStratum[] {
  const none = { k: 0, n: 0 };
  return [...new Set([...before.intents.keys(), ...after.intents.keys()])].map((intentSlug) => ({
    intentSlug,
    before: before.intents.get(intentSlug) ?? none,
    after: after.intents.get(intentSlug) ?? none,
  }));
}
