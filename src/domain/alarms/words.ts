import { percent } from '../issues/sentences.ts';
import { METRICS } from '../metrics/figures.ts';
import type { AlarmLevel, AlarmWindow } from '../vocabulary.ts';
import { type AlarmMeasure, type AlarmRule, PAST_WEEKS, stepMs } from './alarm.ts';
import type { Reading } from './read-window.ts';

export const ALARM_UNITS = ['calls', 'USD', 'share', 'ms', 'number'] as const;
export type AlarmUnit = (typeof ALARM_UNITS)[number];

const WINDOW_WORDS: Readonly<Record<AlarmWindow, string>> = {
  '15m': '15 minutes',
  '1h': 'hour',
  '4h': '4 hours',
  '1d': '24 hours',
  '7d': '7 days',
};

/** What an alarm is about, in words. */
export function measureInWords(measure: AlarmMeasure): string {
  switch (measure.kind) {
    case 'calls':
      return 'Calls';
    case 'cost':
      return 'Cost of all calls';
    case 'cost_per_call':
      return 'Cost per call';
    case 'metric':
      return METRICS.find(({ metric }) => metric === measure.metric)?.label ?? measure.metric;
    case 'signal':
      return `Calls with ${measure.code}`;
    case 'custom_metric':
      return measure.label === null ? measure.slug : `${measure.slug} = ${measure.label}`;
    default:
      return measure satisfies never;
  }
}

export function valueInWords(value: number, unit: AlarmUnit): string {
  switch (unit) {
    case 'calls':
      return String(Math.round(value));
    case 'USD':
      return `${Number(value.toFixed(value < 1 ? 4 : 2))} USD`;
    case 'share':
      return percent(value);
    case 'ms':
      return `${Number((value / 1_000).toFixed(2))} s`;
    case 'number':
      return String(Number(value.toPrecision(4)));
    default:
      return unit satisfies never;
  }
}

/** What its newest window says, beside the limit of the level that it is about. */
export function readingInWords(rule: AlarmRule, unit: AlarmUnit, reading: Reading, level: AlarmLevel): string {
  const { value, usual, n, why } = reading;
  const until = `${new Date(reading.tick * stepMs(rule)).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const when = `in the ${WINDOW_WORDS[rule.window]} up to ${until}`;
  const what = measureInWords(rule.measure);
  if (why !== null) return `${what} cannot be told ${when}. ${why}`;
  const over = unit === 'calls' ? '' : ` over ${n} ${n === 1 ? 'call' : 'calls'}`;
  const found = `${what}: ${value === null ? 'none' : valueInWords(value, unit)}${over} ${when}`;
  const past =
    usual === null ? '' : `; usually ${valueInWords(usual, unit)} at these hours (${PAST_WEEKS} weeks before)`;
  return `${found}${past}. ${limitInWords(rule, unit, level === 'critical' ? 'critical' : 'warning')}`;
}

function limitInWords(rule: AlarmRule, unit: AlarmUnit, level: 'warning' | 'critical'): string {
  const named = rule[level] === null ? (level === 'critical' ? 'warning' : 'critical') : level;
  const limit = rule[named];
  if (limit === null) return '';
  const where =
    rule.against === 'limit' ? `${rule.is} ${valueInWords(limit, unit)}` : `${percent(limit)} ${rule.is} usual`;
  return `It is ${named} when ${where}.`;
}
