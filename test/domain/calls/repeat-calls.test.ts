import { describe, expect, test } from 'vitest';
import { type CallerHistory, repeatVerdict } from '../../../src/domain/calls/repeat-calls.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 4, 20, 9);
const ago = (days: number, over: Partial<CallerHistory['earlier'][number]> = {}) => ({
  startedAt: new Date(START - days * DAY_MS).toISOString(),
  intent: 'cancel_order',
  kept: false,
  request: 'I want to cancel my order of paint.',
  outcome: 'resolved' as const,
  ...over,
});
const ASKED = 'The paint order, I need it cancelled.';
const ask = (
  earlier: CallerHistory['earlier'],
  intent: string | null = 'cancel_order',
  withinDays = 7,
  request = ASKED,
) =>
  repeatVerdict(
    { direction: 'inbound', startedAt: new Date(START).toISOString(), intent, request, earlier },
    withinDays,
  );

describe('a caller who calls again', () => {
  test('is noticed up to the last of the days, and not after it', () => {
    expect(ask([ago(7)])).toEqual({ verdict: 'repeat', intent: 'cancel_order', daysSince: 7 });
    expect(ask([ago(7.01)])).toEqual({ verdict: 'none' });
    expect(ask([ago(7.01)], 'cancel_order', 8)).toMatchObject({ verdict: 'repeat' });
  });

  test('is never looked for further back than a month', () => {
    expect(ask([ago(32)], 'cancel_order', 90)).toEqual({ verdict: 'none' });
  });

  test('is not noticed where the same intent holds two requests that share no matter', () => {
    expect(ask([ago(1, { request: 'Do you deliver on Sundays?' })])).toEqual({ verdict: 'none' });
    expect(ask([ago(1, { request: null })])).toEqual({ verdict: 'none' });
    expect(ask([ago(1, { request: 'Do you deliver on Sundays?', kept: true })])).toMatchObject({ verdict: 'repeat' });
    expect(ask([ago(1, { request: 'Cancel it.' })], 'cancel_order', 7, 'Please cancel it.')).toMatchObject({
      verdict: 'repeat',
    });
  });

  test('counts from the last of several calls about the same', () => {
    expect(ask([ago(6), ago(2.5), ago(1, { intent: 'opening_hours' })])).toMatchObject({ daysSince: 2 });
  });

  test('says nothing where the call before was not resolved, was about something else, or came later', () => {
    expect(ask([ago(1, { outcome: 'abandoned' })])).toEqual({ verdict: 'none' });
    expect(ask([ago(1, { intent: 'opening_hours' })])).toEqual({ verdict: 'none' });
    expect(ask([ago(-1)])).toEqual({ verdict: 'none' });
  });

  test('waits for the intent only where a resolved call stands before', () => {
    expect(ask([ago(1)], null)).toEqual({ verdict: 'intent_unknown', placed: false });
    expect(ask([ago(1)], 'other')).toEqual({ verdict: 'intent_unknown', placed: true });
    expect(ask([ago(1, { outcome: 'unresolved' })], null)).toEqual({ verdict: 'none' });
  });

  test('who asks for nothing asks for nothing again', () => {
    expect(ask([ago(1, { intent: 'no_request' })], 'no_request')).toEqual({ verdict: 'none' });
  });
});
