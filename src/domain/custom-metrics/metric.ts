import type { MetricAnswer, MetricState } from '../vocabulary.ts';
import type { Pattern } from './pattern.ts';

/** How a metric comes by its value. A change of it makes the next version. */
export type MetricForm =
  /** In CEL, over the facts of a call. */
  { kind: 'formula'; expression: string } | ({ kind: 'pattern' } & Pattern);

/** What a version of a metric is. */
export interface MetricRule {
  form: MetricForm;
  /** In CEL, with yes or no as its answer: the calls that the metric is about. Null: all of them. */
  appliesWhen: string | null;
}

/** A version of a metric that values are computed by. */
export interface MetricVersion extends MetricRule {
  metricId: string;
  version: number;
  answer: MetricAnswer;
  /** Of all calls, the share that gets a value. */
  share: number;
}

/** What a metric says of one call. `number`: yes is 1 and no is 0. */
export interface MetricValue {
  state: MetricState;
  number: number | null;
  label: string | null;
  /** Where the call shows it, and the words there; null and empty where no single turn does. */
  turn: number | null;
  quote: string;
  /** Why it is not known, or what shows it; empty where the value says it all. */
  because: string;
}

export const LABEL_AT_MOST = 200;

const NOTHING = { number: null, label: null, turn: null, quote: '' };

export const unknownValue = (because: string): MetricValue => ({ ...NOTHING, state: 'unknown', because });
export const NOT_APPLICABLE: MetricValue = { ...NOTHING, state: 'not_applicable', because: '' };
export const numberValue = (number: number): MetricValue => ({ ...NOTHING, state: 'value', number, because: '' });
export const labelValue = (label: string): MetricValue => ({ ...NOTHING, state: 'value', label, because: '' });

/** Whether two values say the same of a call, whatever words they say it with. */
export function isSameValue(one: MetricValue, other: MetricValue): boolean {
  return one.state === other.state && one.number === other.number && one.label === other.label;
}
