import type { Json } from '../../domain/json.ts';
import { numberOf } from '../values.ts';

const SECONDS_FROM = 1e9;
const MS_FROM = 1e11;
const MICROSECONDS_FROM = 1e14;
const NANOSECONDS_FROM = 1e17;
const LAST = 1e20;

/** A clock time as milliseconds since 1970, from ISO 8601 with a zone or a number whose size tells its unit; else null. */
export function clockMs(value: Json | undefined): number | null {
  const time = numberOf(value);
  if (time !== null) {
    if (time < SECONDS_FROM || time > LAST) return null;
    if (time < MS_FROM) return time * 1000;
    if (time < MICROSECONDS_FROM) return time;
    return time / (time < NANOSECONDS_FROM ? 1e3 : 1e6);
  }
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/.test(value)) return null;
  const parsed = Date.parse(value.replace(' ', 'T'));
  return Number.isNaN(parsed) ? null : parsed;
}

/** A length of time as milliseconds: `1.5s` of Google, `PT1M2.5S` of ISO 8601, `00:01:02.5`; else null. */
export function lengthMs(value: Json | undefined): number | null {
  if (typeof value !== 'string' || value.length > 40) return null;
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(value)?.[1];
  if (seconds !== undefined) return Math.round(Number(seconds) * 1000);
  const iso = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(value);
  const clock = /^(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:[.,]\d+)?)$/.exec(value);
  const [, hours = '0', minutes = '0', rest = '0'] = iso ?? clock ?? [];
  if (!iso && !clock) return null;
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(rest.replace(',', '.'))) * 1000);
}

/** A clock time without a zone as if it were of UTC: only what lies between two of them means anything. */
export function wallMs(value: Json | undefined): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?$/.test(value)) return null;
  const parsed = Date.parse(`${value.replace(' ', 'T').replace(',', '.')}Z`);
  return Number.isNaN(parsed) ? null : parsed;
}
