import { describe, expect, test } from 'vitest';
import type { CallerHistory } from '../../../src/domain/calls/repeat-calls.ts';
import { CATALOGUE } from '../../../src/domain/signals/catalogue.ts';
import { renewHistory } from '../../../src/domain/signals/renew-history.ts';
import { makeAnalysis, makeSignal } from '../../support/analysed-calls.ts';

const CODE = 'repeat_call_same_intent';
const NOW = Date.parse('2026-03-10T10:00:00.000Z');
const hoursBefore = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();

const before = (hours: number, given: Partial<CallerHistory['earlier'][number]> = {}) => ({
  startedAt: hoursBefore(hours),
  intent: 'book_table',
  kept: false,
  request: 'I want to book a table.',
  outcome: 'resolved' as const,
  ...given,
});
const history = (given: Partial<CallerHistory> = {}): CallerHistory => ({
  direction: 'inbound',
  startedAt: hoursBefore(0),
  intent: 'book_table',
  request: 'I want to book a table for two.',
  earlier: [before(30)],
  ...given,
});

const told = (given: Partial<CallerHistory>) =>
  renewHistory(makeAnalysis(), history(given), {})?.signals.map(({ detail }) => detail);
const reason = (given: Partial<CallerHistory>) =>
  renewHistory(makeAnalysis(), history(given), {})?.notComputable.find(({ code }) => code === CODE)?.reason;

describe('a caller who calls again about the same', () => {
  test.each([
    ['less than a day before', 2],
    ['a day before', 30],
    ['3 days before', 80],
  ])('%s', (when, hours) => {
    expect(told({ earlier: [before(hours)] })).toEqual([
      `The caller had called about the same (book table) ${when}, and that call counted as resolved.`,
    ]);
  });

  test.each([
    ['on a call that was not resolved', [before(30, { outcome: 'unresolved' })]],
    ['longer ago than a week', [before(24 * 8)]],
    ['about something else', [before(30, { intent: 'cancel_table' })]],
    ['in other words, which chance may have sorted alike', [before(30, { request: 'Where do I park?' })]],
    ['later', [before(-1)]],
    ['never', []],
  ])('had not called %s', (_, earlier) => {
    expect(renewHistory(makeAnalysis(), history({ earlier }), {})).toBeNull();
  });

  test('in other words, where a person said that both belong together', () => {
    expect(told({ earlier: [before(30, { request: 'Where do I park?', kept: true })] })).toHaveLength(1);
  });
});

describe('it can not be told', () => {
  test.each([
    ['whose call the agent placed', { direction: 'outbound' } as const, 'The agent placed this call'],
    ['without a start', { startedAt: null }, 'no start time'],
    ['before the call has an intent', { intent: null }, 'settled with the next grouping'],
    ['about what fits no intent', { intent: 'other' }, 'fits no known intent'],
  ])('%s', (_, given, sentence) => {
    expect(reason(given)).toContain(sentence);
  });
});

describe('a reading that is renewed', () => {
  const found = makeSignal({ code: CODE, turnIndex: 1, klass: 'behaviour' });
  const other = makeSignal({ code: 'flow_loop', lane: 'flow', turnIndex: 4 });

  test('stays as it is the second time', () => {
    const once = renewHistory(makeAnalysis(), history(), {});
    expect(once).not.toBeNull();
    expect(once && renewHistory(once, history(), {})).toBeNull();
  });

  test('loses what is found no more, and keeps all else', () => {
    const renewed = renewHistory(makeAnalysis({ signals: [found, other] }), history({ earlier: [] }), {});
    expect(renewed?.signals).toEqual([other]);
    expect(renewed?.counts.frictions).toBe(1);
  });

  test('takes the new signal at its turn', () => {
    const renewed = renewHistory(makeAnalysis({ signals: [other] }), history(), {});
    expect(renewed?.signals.map(({ code }) => code)).toEqual([CODE, 'flow_loop']);
  });

  test('tells again why it can not be told, among the other reasons', () => {
    const slow = { code: 'tool_slow', reason: 'No times.' };
    const cost = { code: 'cost_outlier', reason: 'No costs.' };
    const unknown = { code: CODE, reason: 'The agent placed this call, so nobody called again.' };
    const was = makeAnalysis({ notComputable: [slow, cost] });
    const outbound = history({ direction: 'outbound' });
    const once = renewHistory(was, outbound, {});
    const order = [...CATALOGUE.keys()].filter((code) => [slow, cost, unknown].some((one) => one.code === code));
    expect(once?.notComputable.map(({ code }) => code)).toEqual(order);
    expect(renewHistory(makeAnalysis({ notComputable: [unknown, slow] }), outbound, {})).toBeNull();
    expect(renewHistory(makeAnalysis({ notComputable: [slow, unknown] }), history(), {})?.notComputable).toEqual([
      slow,
    ]);
  });

  test('tells of no request where none is known', () => {
    expect(renewHistory(makeAnalysis({ requests: [] }), history(), {})).toBeNull();
  });
});
