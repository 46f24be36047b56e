import type { AlarmView } from '../../db/alarms/alarms.ts';
import {
  COUNTED_METRICS,
  type CountedOnCall,
  type Counting,
  costOfCall,
  everyCall,
  hasSignal,
  readSteps,
  valueOfMetric,
} from '../../db/alarms/read-steps.ts';
import { findCustomMetric } from '../../db/custom-metrics/metrics.ts';
import type { EntityManager } from '../../db/database.ts';
import type { ReadScope } from '../../db/read-scope.ts';
import { type AlarmMeasure, type AlarmRule, type FigureKind, stepMs } from '../../domain/alarms/alarm.ts';
import { type Reading, readWindow, stepsToRead } from '../../domain/alarms/read-window.ts';
import type { AlarmUnit } from '../../domain/alarms/words.ts';
import { FilterProblem } from '../../domain/filters/filter.ts';
import { METRICS, measureOf } from '../../domain/metrics/figures.ts';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';
import { keptAs } from '../../domain/signals/kept-as.ts';
import { readFilterLine } from '../calls/read-line.ts';

/** What is wrong with an alarm, and where it stands. */
export interface AlarmProblem {
  param: 'measure' | 'filter';
  problem: string;
}

export interface Measured {
  kind: FigureKind;
  unit: AlarmUnit;
  counting: Counting;
}

/** How the figure of an alarm is made of calls; a problem where there is no such figure, or its calls cannot be told. */
export async function measuredBy(
  em: EntityManager,
  scope: ReadScope,
  rule: AlarmRule,
): Promise<Measured | AlarmProblem> {
  const figure = await figureBy(em, scope, rule.measure);
  if ('problem' in figure) return { param: 'measure', ...figure };
  const { kind, unit, counted } = figure;
  try {
    const filter = rule.filter === null ? null : await readFilterLine(em, scope, rule.filter);
    return { kind, unit, counting: { counted, isMedian: kind === 'median', filter, stepMs: stepMs(rule) } };
  } catch (error) {
    if (!(error instanceof FilterProblem)) throw error;
    return { param: 'filter', problem: `filter, at character ${error.at}: ${error.message}.` };
  }
}

type FigureBy = { kind: FigureKind; unit: AlarmUnit; counted: CountedOnCall } | { problem: string };

export async function figureBy(em: EntityManager, scope: ReadScope, measure: AlarmMeasure): Promise<FigureBy> {
  switch (measure.kind) {
    case 'calls':
      return { kind: 'total', unit: 'calls', counted: everyCall };
    case 'cost':
      return { kind: 'total', unit: 'USD', counted: costOfCall };
    case 'cost_per_call':
      return { kind: 'mean', unit: 'USD', counted: costOfCall };
    case 'metric':
      return metricBy(measure.metric);
    case 'signal':
      return signalBy(measure.code);
    case 'custom_metric':
      return customBy(em, scope, measure);
    default:
      return measure satisfies never;
  }
}

function metricBy(metric: string): FigureBy {
  const counted = COUNTED_METRICS[metric];
  if (counted !== undefined) {
    const isMedian = measureOf(metric) !== null;
    return { kind: isMedian ? 'median' : 'share', unit: isMedian ? 'ms' : 'share', counted };
  }
  const isLate = METRICS.some((one) => one.metric === metric);
  const known = Object.keys(COUNTED_METRICS).join(', ');
  const why = isLate ? `${metric} is known a week after a call, too late for an alarm` : `There is no metric ${metric}`;
  return { problem: `${why}. Known at once are ${known}.` };
}

function signalBy(code: string): FigureBy {
  const entry = CATALOGUE.get(code);
  if (entry === undefined) return { problem: `The catalogue has no signal ${code}.` };
  if (keptAs(entry).kept !== 'signal') return { problem: `${code} is kept as an observation and never as a signal.` };
  return { kind: 'share', unit: 'share', counted: hasSignal(code) };
}

async function customBy(
  em: EntityManager,
  scope: ReadScope,
  { slug, label }: Extract<AlarmMeasure, { kind: 'custom_metric' }>,
): Promise<FigureBy> {
  const metric = await findCustomMetric(em, scope, slug);
  if (metric === null) return { problem: `There is no custom metric ${slug}.` };
  const counted = valueOfMetric(metric, label);
  if (metric.answer === 'number' || metric.answer === 'yes_no') {
    if (label !== null) return { problem: `${slug} has no labels.` };
    return metric.answer === 'number'
      ? { kind: 'mean', unit: 'number', counted }
      : { kind: 'share', unit: 'share', counted };
  }
  if (label === null) return { problem: `${slug} answers with labels: name the one whose share is meant.` };
  return { kind: 'share', unit: 'share', counted };
}

/** What the windows of some ticks say, oldest first. */
export async function readWindows(
  em: EntityManager,
  scope: ReadScope,
  rule: AlarmRule,
  { kind, counting }: Measured,
  { first, newest, firstCallMs }: { first: number; newest: number; firstCallMs: number | null },
): Promise<Reading[]> {
  const sums = await readSteps(em, scope, counting, stepsToRead(rule, first, newest));
  const since = firstCallMs === null ? null : Math.floor(firstCallMs / stepMs(rule));
  return ticksOf(first, newest).map((tick) => readWindow(rule, kind, { sums, since }, tick));
}

export const ticksOf = (first: number, newest: number) =>
  Array.from({ length: Math.max(0, newest - first + 1) }, (_, at) => first + at);

export const scopeOfAlarm = ({ workspaceId, agentId }: Pick<AlarmView, 'workspaceId' | 'agentId'>): ReadScope => ({
  workspaceId,
  agentIds: [agentId],
});
