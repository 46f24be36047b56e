import { describe, expect, test } from 'vitest';
import { envelopeBody } from '../../../src/domain/delivery/envelope.ts';
import { judgeTry } from '../../../src/domain/delivery/outcome.ts';

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

test('an event says what happened, when, and to what', () => {
  const body = envelopeBody('issue.opened', '2026-03-02T09:15:04.120Z', { issueId: 'i' });
  expect(JSON.parse(body)).toEqual({
    type: 'issue.opened',
    timestamp: '2026-03-02T09:15:04.120Z',
    data: { issueId: 'i' },
  });
});
