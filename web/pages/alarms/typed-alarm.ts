import type { ALARM_COMPARISONS, ALARM_NO_DATA, ALARM_SIDES, AlarmWindow } from '../../../src/domain/vocabulary.ts';
import type { Schemas } from '../../client/api.ts';

type Alarm = Schemas['Alarm'];

/** An alarm as it stands in the form: numbers as they are typed, shares in percent and times in seconds. */
export interface TypedAlarm {
  name: string;
  /** `calls`, `metric abandoned`, `signal dead_air`, `custom_metric slow_booking`. */
  measure: string;
  /** Of a signal its code, of labels the one that is meant. */
  detail: string;
  filter: string;
  window: AlarmWindow;
  leastCalls: string;
  against: (typeof ALARM_COMPARISONS)[number];
  is: (typeof ALARM_SIDES)[number];
  warning: string;
  critical: string;
  noData: (typeof ALARM_NO_DATA)[number];
  breaches: string;
  remindAfterMinutes: string;
  on: boolean;
}

export const NEW_ALARM: TypedAlarm = {
  name: '',
  measure: 'metric unresolved',
  detail: '',
  filter: '',
  window: '1h',
  leastCalls: '20',
  against: 'limit',
  is: 'above',
  warning: '',
  critical: '',
  noData: 'keep',
  breaches: '1',
  remindAfterMinutes: '',
  on: true,
};

export type AlarmUnit = NonNullable<Alarm['unit']>;

const UNITS: Readonly<Record<AlarmUnit, { scale: number; words: string }>> = {
  share: { scale: 0.01, words: '%' },
  ms: { scale: 1_000, words: 'seconds' },
  USD: { scale: 1, words: 'USD' },
  calls: { scale: 1, words: 'calls' },
  number: { scale: 1, words: 'in the unit of the metric' },
};

/** What a number in the form is multiplied by for the API, and what stands behind it. */
export const limitUnit = ({ against }: Pick<TypedAlarm, 'against'>, unit: AlarmUnit) =>
  against === 'usual' ? { scale: 0.01, words: '% of what is usual' } : UNITS[unit];

const tidy = (value: number) => Number(value.toPrecision(12));

export function bodyOf(typed: TypedAlarm, unit: AlarmUnit) {
  const { scale } = limitUnit(typed, unit);
  const number = (text: string) => (text.trim() === '' ? null : tidy(Number(text) * scale));
  return {
    measure: measureOf(typed),
    filter: typed.filter.trim() === '' ? null : typed.filter.trim(),
    window: typed.window,
    leastCalls: Number(typed.leastCalls),
    against: typed.against,
    is: typed.is,
    warning: number(typed.warning),
    critical: number(typed.critical),
    noData: typed.noData,
    breaches: Number(typed.breaches),
    remindAfterMinutes: typed.remindAfterMinutes.trim() === '' ? null : Number(typed.remindAfterMinutes),
  };
}

function measureOf({ measure, detail }: TypedAlarm) {
  const [kind = '', name = ''] = measure.split(' ');
  if (kind === 'metric') return { kind: 'metric' as const, metric: name };
  if (kind === 'signal') return { kind: 'signal' as const, code: detail.trim() };
  if (kind === 'custom_metric') {
    return { kind: 'custom_metric' as const, slug: name, label: detail.trim() === '' ? null : detail.trim() };
  }
  return {
    kind: kind === 'cost' ? ('cost' as const) : kind === 'calls' ? ('calls' as const) : ('cost_per_call' as const),
  };
}

export function typedOf(alarm: Alarm): TypedAlarm {
  const { measure, ...rest } = alarm;
  const named = { ...measure } as {
    kind: string;
    metric?: string;
    slug?: string;
    code?: string;
    label?: string | null;
  };
  const name = named.metric ?? named.slug;
  const typed = {
    ...NEW_ALARM,
    name: rest.name,
    measure: name === undefined ? named.kind : `${named.kind} ${name}`,
    detail: named.code ?? named.label ?? '',
    filter: rest.filter ?? '',
    window: rest.window,
    leastCalls: String(rest.leastCalls),
    against: rest.against,
    is: rest.is,
    noData: rest.noData,
    breaches: String(rest.breaches),
    remindAfterMinutes: rest.remindAfterMinutes === null ? '' : String(rest.remindAfterMinutes),
    on: rest.on,
  };
  const { scale } = limitUnit(typed, alarm.unit ?? 'number');
  const text = (value: number | null) => (value === null ? '' : String(tidy(value / scale)));
  return { ...typed, warning: text(rest.warning), critical: text(rest.critical) };
}
