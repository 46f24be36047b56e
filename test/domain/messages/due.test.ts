import { describe, expect, test } from 'vitest';
import { dueAt } from '../../../src/domain/messages/due.ts';
import { isTimeZone, localTime, momentOf } from '../../../src/domain/messages/local-time.ts';
import type { Digest, QuietHours } from '../../../src/domain/messages/subscription.ts';

const BERLIN = 'Europe/Berlin';
const IMMEDIATE: Digest = { every: 'immediate' };
const NIGHT: QuietHours = { from: '22:00', to: '07:00' };

/** When somebody is told of what happens at a time; `at once` where there is nothing to wait for. */
function told(at: string, given: { quietHours?: QuietHours; digest?: Digest; timeZone?: string }): string {
  const { quietHours = null, digest = IMMEDIATE, timeZone = BERLIN } = given;
  const due = dueAt({ quietHours, digest, timeZone }, Date.parse(at));
  return due === null ? 'at once' : new Date(due).toISOString().replace(':00.000Z', 'Z');
}

describe('quiet hours', () => {
  test.each([
    ['the evening before they begin', '2026-03-02T20:59Z', 'at once'],
    ['their first minute', '2026-03-02T21:00Z', '2026-03-03T06:00Z'],
    ['after midnight', '2026-03-03T02:00Z', '2026-03-03T06:00Z'],
    ['their last minute', '2026-03-03T05:59Z', '2026-03-03T06:00Z'],
    ['when they end', '2026-03-03T06:00Z', 'at once'],
    ['the night in which clocks go forward is an hour shorter', '2026-03-28T22:30Z', '2026-03-29T05:00Z'],
    ['the night in which clocks go back is an hour longer', '2026-10-24T21:30Z', '2026-10-25T06:00Z'],
    ['after the clocks went back', '2026-10-25T05:30Z', '2026-10-25T06:00Z'],
  ])('over midnight, in Berlin: %s', (_, at, expected) => {
    expect(told(at, { quietHours: NIGHT })).toBe(expected);
  });

  test.each([
    ['within', '2026-03-02T12:15Z', '2026-03-02T13:00Z'],
    ['after', '2026-03-02T13:00Z', 'at once'],
  ])('within one day: %s', (_, at, expected) => {
    expect(told(at, { quietHours: { from: '12:00', to: '13:00' }, timeZone: 'UTC' })).toBe(expected);
  });

  test('that end in the hour which clocks skip end when they skip it', () => {
    const quietHours = { from: '22:00', to: '02:30' };
    expect(told('2026-03-29T00:10Z', { quietHours })).toBe('2026-03-29T01:00Z');
  });

  test('that end in the hour which clocks show twice end the first time', () => {
    const quietHours = { from: '22:00', to: '02:30' };
    expect(told('2026-10-25T00:10Z', { quietHours })).toBe('2026-10-25T00:30Z');
    expect(told('2026-10-25T01:10Z', { quietHours })).toBe('at once');
  });

  test('follow the half hours of a place', () => {
    expect(told('2026-03-02T16:30Z', { quietHours: NIGHT, timeZone: 'Asia/Kolkata' })).toBe('2026-03-03T01:30Z');
  });
});

describe('a digest', () => {
  const daily: Digest = { every: 'daily', hour: 9 };
  const weekly: Digest = { every: 'weekly', hour: 9, day: 'monday' };

  test.each([
    ['before its hour', daily, '2026-03-02T07:59Z', '2026-03-02T08:00Z'],
    ['at its hour, for the next one', daily, '2026-03-02T08:00Z', '2026-03-03T08:00Z'],
    ['over the change to summer time', daily, '2026-03-28T12:00Z', '2026-03-29T07:00Z'],
    ['over the change to winter time', daily, '2026-10-24T12:00Z', '2026-10-25T08:00Z'],
    ['on its day, before its hour', weekly, '2026-03-02T07:00Z', '2026-03-02T08:00Z'],
    ['on its day, after its hour', weekly, '2026-03-02T09:00Z', '2026-03-09T08:00Z'],
    ['in the middle of the week', weekly, '2026-03-25T09:00Z', '2026-03-30T07:00Z'],
  ])('%s', (_, digest, at, expected) => {
    expect(told(at, { digest })).toBe(expected);
  });

  test('in an hour that clocks skip comes when they skip it', () => {
    expect(told('2026-03-28T12:00Z', { digest: { every: 'daily', hour: 2 } })).toBe('2026-03-29T01:00Z');
  });

  test('comes at its hour whatever the quiet hours', () => {
    expect(told('2026-03-02T12:00Z', { digest: { every: 'daily', hour: 23 }, quietHours: NIGHT })).toBe(
      '2026-03-02T22:00Z',
    );
  });
});

describe('clocks of a place', () => {
  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/St_Johns', 'Australia/Lord_Howe', BERLIN, 'UTC'])(
    'in %s, every time of a year that is read off is found again, or the first of two',
    (timeZone) => {
      for (let atMs = Date.parse('2026-01-01T00:00Z'); atMs < Date.parse('2027-01-01T00:00Z'); atMs += 211 * 60_000) {
        const found = momentOf(localTime(atMs, timeZone), timeZone);
        expect(localTime(found, timeZone)).toEqual(localTime(atMs, timeZone));
        expect(found).toBeLessThanOrEqual(atMs);
      }
    },
  );

  test.each([
    ['Europe/Berlin', true],
    ['UTC', true],
    ['America/Argentina/Buenos_Aires', true],
    ['Etc/GMT+3', true],
    ['Mars/Olympus', false],
    ['+01:00', false],
    ['', false],
    ['Europe/Berlin\n', false],
  ])('%j is a time zone: %s', (name, is) => {
    expect(isTimeZone(name)).toBe(is);
  });
});
