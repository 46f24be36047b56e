import type { CustomMetricResource } from '../../contract/custom-metric.ts';
import type { CustomMetricView } from '../../db/custom-metrics/metrics.ts';
import type { ValueSums } from '../../db/custom-metrics/values.ts';
import { figureOfValues } from '../../domain/custom-metrics/figures.ts';
import type { MetricValue } from '../../domain/custom-metrics/metric.ts';
import type { MetricAnswer } from '../../domain/vocabulary.ts';

export function presentMetric(metric: CustomMetricView, sums: ValueSums | undefined): CustomMetricResource {
  const { slug, name, description, answer, better, badLabels, unit, form, appliesWhen, share, version } = metric;
  const { backfillState, backfillDone, backfillTotal, createdBy, createdAt, updatedAt } = metric;
  return {
    object: 'custom_metric',
    id: slug,
    slug,
    name,
    description,
    answer,
    better,
    badLabels,
    unit,
    form: { ...form },
    appliesWhen,
    share,
    on: metric.isOn,
    version,
    backfill: backfillState && { state: backfillState, done: backfillDone, total: backfillTotal },
    createdBy,
    createdAt,
    updatedAt,
    figure: presentFigure(answer, sums),
  };
}

export function presentFigure(answer: MetricAnswer, sums: ValueSums | undefined): CustomMetricResource['figure'] {
  const { n = 0, notApplicable = 0, unknown = 0, sum = 0, squares = 0, labels = [] } = sums ?? {};
  return { ...figureOfValues(answer, { n, sum, squares }), n, notApplicable, unknown, labels };
}

export function presentValue(answer: MetricAnswer, { state, number, label, turn, quote, because }: MetricValue) {
  return { state, value: shownOf(answer, number, label), turn, quote, because };
}

function shownOf(answer: MetricAnswer, number: number | null, label: string | null): number | boolean | string | null {
  if (number !== null && answer === 'yes_no') return number === 1;
  return number ?? label;
}
