import type { Place } from '../signals/signal.ts';
import { callsMissing, nextStanding, type Standing } from './checkpoint.ts';
import type { ComparisonMetric, ComparisonResult } from './comparison.ts';
import { CONCLUSION_LABELS, conclude, type JudgedMetric } from './conclusion.ts';
import { type IssueSides, issueMoves } from './issue-moves.ts';
import { COMPARISON_METRICS, type ComparedCall, type MetricDefinition } from './metrics.ts';
import { type MixStratum, sameMix } from './mix.ts';
import { narrate, ruleText } from './narrative.ts';
import { judge, type Side, valueOf } from './verdict.ts';

export interface ComparisonInput {
  fromVersion: number;
  toVersion: number;
  before: readonly ComparedCall[];
  after: readonly ComparedCall[];
  issues: readonly IssueSides[];
  isChangedPlace(place: Place): boolean;
  /** True only where the platform itself split the traffic between the two versions at random. */
  isRandomized: boolean;
  /** Where the verdict stood so far; `NOT_JUDGED` for a new comparison. */
  standing: Standing;
}

/**
 * What changed between two neighbouring versions. Values stand for all calls there are; verdicts rest on the calls up to
 * the moment at which the smaller side last reached 30, 60, 120, … calls. Pure: the order of the calls does not matter.
 * @returns the document, and where the verdict stands from now on.
 */
export function compareVersions(input: ComparisonInput): { result: ComparisonResult; standing: Standing } {
  const before = input.before.toSorted(byStart);
  const after = input.after.toSorted(byStart);
  const standing = nextStanding(before.map(startKey), after.map(startKey), input.standing);
  const { moment } = standing;
  const untilThen = (calls: readonly ComparedCall[]) =>
    moment === null ? calls : calls.filter((call) => startKey(call) <= moment);
  const judgedBefore = untilThen(before);
  const judgedAfter = untilThen(after);
  const judged = COMPARISON_METRICS.map((definition): JudgedMetric => {
    const judgement = judge(definition, sideOf(definition, judgedBefore), sideOf(definition, judgedAfter));
    return { definition, judgement };
  });
  const mix = sameMix(strataOf(judgedBefore, judgedAfter));
  const conclusion = conclude(judged, mix);
  const metrics = judged.map((metric) => present(metric, before, after));
  const moves = issueMoves(input.issues, input.isChangedPlace);
  const counts = {
    fromVersion: input.fromVersion,
    toVersion: input.toVersion,
    callsBefore: before.length,
    callsAfter: after.length,
  };
  const result = {
    conclusion,
    conclusionLabel: CONCLUSION_LABELS[conclusion],
    callsBefore: before.length,
    callsAfter: after.length,
    metrics,
    issueMoves: moves,
    narrative: narrate({ ...counts, conclusion, metrics, moves, mix, missing: missingOf(metrics) }),
    rule: ruleText(standing.checkpoint, {
      before: judgedBefore.length,
      after: judgedAfter.length,
    }),
    isRandomized: input.isRandomized,
  };
  return { result, standing };
}

function present(
  { definition, judgement }: JudgedMetric,
  before: ComparedCall[],
  after: ComparedCall[],
): ComparisonMetric {
  const was = sideOf(definition, before);
  const is = sideOf(definition, after);
  const values = { before: valueOf(definition, was), after: valueOf(definition, is) };
  const delta = values.before === null || values.after === null ? null : values.after - values.before;
  return {
    metric: definition.metric,
    label: definition.label,
    unit: definition.unit,
    before: { value: values.before, n: was.values.length },
    after: { value: values.after, n: is.values.length },
    delta,
    better: definition.better,
    verdict: judgement.verdict,
    direction: judgement.direction,
    minimum: minimumInWords(definition),
    notRead: was.notRead + is.notRead,
  };
}

export function minimumInWords({ unit, minimum }: MetricDefinition): string {
  return unit === 'share' ? `${Math.round(minimum * 100)} points` : `${Math.round(minimum * 100)} %`;
}

function sideOf(definition: MetricDefinition, calls: readonly ComparedCall[]): Side {
  const values: number[] = [];
  let notRead = 0;
  for (const call of calls) {
    const value = definition.read(call);
    if (value !== null) values.push(value);
    else if (definition.isNotRead?.(call)) notRead += 1;
  }
  return { values: values.sort((a, b) => a - b), notRead };
}

function missingOf(metrics: readonly ComparisonMetric[]) {
  const lead = metrics[0];
  return callsMissing(lead?.before.n ?? 0, lead?.after.n ?? 0);
}

function strataOf(before: readonly ComparedCall[], after: readonly ComparedCall[]): MixStratum[] {
  const strata = new Map<string, MixStratum>();
  const add = (side: 'before' | 'after') => (call: ComparedCall) => {
    if (call.outcome === 'no_contact') return;
    const { intentSlug } = call;
    const stratum = strata.get(intentSlug) ?? { intentSlug, before: { k: 0, n: 0 }, after: { k: 0, n: 0 } };
    stratum[side].n += 1;
    stratum[side].k += Number(call.outcome === 'resolved');
    strata.set(intentSlug, stratum);
  };
  before.forEach(add('before'));
  after.forEach(add('after'));
  return [...strata.values()];
}

/** Calls without a start sort first: nothing says that they came after a checkpoint. */
const startKey = ({ startedAt }: ComparedCall) => (startedAt === null ? '' : new Date(startedAt).toISOString());

function byStart(a: ComparedCall, b: ComparedCall): number {
  const [left, right] = [startKey(a), startKey(b)];
  if (left !== right) return left < right ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
