import type { METRIC_DIRECTIONS } from '../../../src/domain/vocabulary.ts';
import type { Schemas } from '../../client/api.ts';

type Metric = Schemas['CustomMetric'];
type Event = Schemas['PatternEvent'];

/** An event of a pattern as it stands in the form: what is looked for is a tool, words, or a code. */
export interface TypedEvent {
  on: 'tool_called' | 'tool_failed' | 'said_by_caller' | 'said_by_agent' | 'signal';
  text: string;
}

/** A custom metric as it stands in the form. */
export interface TypedMetric {
  name: string;
  kind: 'formula' | 'pattern';
  expression: string;
  after: TypedEvent;
  expect: TypedEvent;
  within: string;
  withinUnit: 'turns' | 'seconds';
  appliesWhen: string;
  better: (typeof METRIC_DIRECTIONS)[number];
  unit: string;
  badLabels: string;
  on: boolean;
  backfill: boolean;
  changeReason: string;
}

export const NEW_METRIC: TypedMetric = {
  name: '',
  kind: 'formula',
  expression: '',
  after: { on: 'tool_failed', text: '' },
  expect: { on: 'said_by_agent', text: '' },
  within: '2',
  withinUnit: 'turns',
  appliesWhen: '',
  better: 'neither',
  unit: '',
  badLabels: '',
  on: true,
  backfill: true,
  changeReason: '',
};

const orNull = (text: string) => (text.trim() === '' ? null : text.trim());

/** How it comes by its value. */
export function ruleOf(typed: TypedMetric) {
  const appliesWhen = orNull(typed.appliesWhen);
  if (typed.kind === 'formula')
    return { form: { kind: 'formula' as const, expression: typed.expression }, appliesWhen };
  const amount = Number(typed.within);
  const within = typed.withinUnit === 'turns' ? { turns: amount } : { seconds: amount };
  return {
    form: { kind: 'pattern' as const, after: eventOf(typed.after), expect: eventOf(typed.expect), within },
    appliesWhen,
  };
}

export function bodyOf(typed: TypedMetric) {
  const changeReason = orNull(typed.changeReason);
  return {
    name: typed.name.trim(),
    better: typed.better,
    unit: orNull(typed.unit),
    badLabels: typed.badLabels
      .split(',')
      .map((label) => label.trim())
      .filter((label) => label !== ''),
    ...ruleOf(typed),
    on: typed.on,
    backfill: typed.backfill,
    ...(changeReason !== null && { changeReason }),
  };
}

function eventOf({ on, text }: TypedEvent): Event {
  switch (on) {
    case 'tool_called':
    case 'tool_failed':
      return { on, tool: text };
    case 'said_by_caller':
      return { on: 'said', by: 'caller', text };
    case 'said_by_agent':
      return { on: 'said', by: 'agent', text };
    case 'signal':
      return { on, code: text };
    default:
      return on satisfies never;
  }
}

function typedEvent(event: Event): TypedEvent {
  if (event.on === 'said') return { on: event.by === 'caller' ? 'said_by_caller' : 'said_by_agent', text: event.text };
  return event.on === 'signal' ? { on: event.on, text: event.code } : { on: event.on, text: event.tool };
}

export function typedOf(metric: Metric): TypedMetric {
  const { name, better, unit, badLabels, appliesWhen, on } = metric;
  const form = metric.form as unknown as ReturnType<typeof ruleOf>['form'];
  const typed = {
    ...NEW_METRIC,
    name,
    better,
    unit: unit ?? '',
    badLabels: badLabels.join(', '),
    appliesWhen: appliesWhen ?? '',
    on,
    backfill: false,
  };
  if (form.kind === 'formula') return { ...typed, kind: 'formula', expression: form.expression };
  const inTurns = 'turns' in form.within;
  return {
    ...typed,
    kind: 'pattern',
    after: typedEvent(form.after),
    expect: typedEvent(form.expect),
    within: String('turns' in form.within ? form.within.turns : form.within.seconds),
    withinUnit: inTurns ? 'turns' : 'seconds',
  };
}
