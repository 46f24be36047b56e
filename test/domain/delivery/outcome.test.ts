import { describe, expect, test } from 'vitest';
import { envelopeBody } from '../../../src/domain/delivery/envelope.ts';
import { judgeTry } from '../../../src/domain/delivery/outcome.ts';
import { LONGEST_RETRY_AFTER_MS } from '../../../src/domain/delivery/schedule.ts';

const answered = (status: number, retryAfterMs: number | null = null) => judgeTry({ status, retryAfterMs });

describe('what a receiver answers', () => {
  test.each([200, 201, 202, 204, 299])('%i: it got through', (status) => {
    expect(answered(status)).toEqual({ kind: 'delivered' });
  });

  test.each([100, 301, 400, 401, 404, 409, 422, 500, 502, 504])(
    '%i: it is tried again by our own schedule',
    (status) => {
      const error = `The receiver answered ${status}.`;
      expect(answered(status, 60_000)).toEqual({ kind: 'failed', error, retryAfterMs: null });
    },
  );

  test.each([429, 503])('%i: the wait that it asks for is kept', (status) => {
    const error = `The receiver answered ${status} and asked to wait 60 seconds.`;
    expect(answered(status, 60_000)).toEqual({ kind: 'failed', error, retryAfterMs: 60_000 });
    expect(answered(status)).toMatchObject({ kind: 'failed', retryAfterMs: null });
  });

  test('410: it wants no more', () => {
    expect(answered(410).kind).toBe('gone');
  });

  test('nothing: it is tried again, with why', () => {
    expect(judgeTry({ status: null, error: 'ci.example.com could not be reached.' })).toEqual({
      kind: 'failed',
      error: 'ci.example.com could not be reached.',
      retryAfterMs: null,
    });
  });
});

describe('what came of no answer', () => {
  test.each([true, false])('a fault is said to be ours, where it is known: %s', (isOurs) => {
    expect(judgeTry({ status: null, error: 'No memory.', isOurs })).toMatchObject({ kind: 'failed', isOurs });
  });

  test.each([
    ['for good waits as long as anybody may ask to', true, LONGEST_RETRY_AFTER_MS],
    ['for now is tried again by our own schedule', false, null],
  ])('a refusal %s', (_, isLasting, retryAfterMs) => {
    const told = { status: 200, refused: 'The bot was removed.', isLasting, retryAfterMs: null };
    expect(judgeTry(told)).toEqual({ kind: 'failed', error: 'The bot was removed.', retryAfterMs });
  });

  test('a wait of less than a second is told as one', () => {
    expect(judgeTry({ status: 429, retryAfterMs: 1 })).toMatchObject({
      error: expect.stringContaining('wait 1 seconds'),
    });
    expect(answered(300)).toMatchObject({ kind: 'failed' });
  });
});

test('an event says what happened, when, and to what', () => {
  const body = envelopeBody('issue.opened', '2026-03-02T09:15:04.120Z', { issueId: 'i' });
  expect(JSON.parse(body)).toEqual({
    type: 'issue.opened',
    timestamp: '2026-03-02T09:15:04.120Z',
    data: { issueId: 'i' },
  });
});
