import { expect, test } from 'vitest';
import { type ImportProgress, NO_COUNTS } from '../../src/temporal/import-calls.ts';
import { figures, heldMessage, importDetails } from '../../workflows/import-calls/details.ts';
import { clock } from '../../workflows/shared/clock.ts';

const progress: ImportProgress = {
  ...NO_COUNTS,
  stage: 'listing',
  pages: 7,
  listed: 660,
  stored: 640,
  failed: 3,
  reasons: [],
  waitsFor: null,
  heldBack: null,
  reason: null,
};

test('figures leave out what is zero', () => {
  expect(figures(progress)).toBe('page 7, 640 stored, 660 listed, 3 failed');
  const readBackTo = '2026-03-12T09:15:04.120Z';
  expect(figures({ ...progress, readBackTo })).toBe('page 7, back to 12 March 2026, 640 stored, 660 listed, 3 failed');
});

test('a wait says what for and until when, and what a person can do', () => {
  const waitsFor = 'waits for the platform: rate limit until 10:52 UTC, page 7, 640 stored, 3 failed';
  expect(importDetails({ ...progress, stage: 'waiting', waitsFor })).toBe(
    `**${waitsFor}**\n\nNothing needs to be done. Signals: \`tryNow\` ends the wait at once, \`cancel\` keeps what is stored and ends.`,
  );
});

test('a complete import says which of its calls wait for the allowance, until when, and what ends that', () => {
  const heldBack = heldMessage({ calls: 212, until: '2026-12-01T00:00:00.000Z' });
  expect(importDetails({ ...progress, stage: 'complete', heldBack })).toBe(
    '**Complete**\n\npage 7, 640 stored, 660 listed, 3 failed\n\nWaits for the analysed-call allowance until 1 December: 212 calls. They are analysed then, or as soon as the plan grows, oldest first; the import does not wait for them.',
  );
  expect(heldMessage({ calls: 1, until: '2026-12-14T15:20:07.000Z' })).toBe(
    'Waits for the analysed-call allowance until 14 December, 15:20 UTC: 1 call',
  );
});

test('a failed import says why, and text from platforms cannot pass for our own formatting', () => {
  const reasons = [{ reason: 'No `id` **here**\n# Title', calls: 2 }];
  const details = importDetails({ ...progress, stage: 'failed', reason: 'The key was refused.', reasons });
  expect(details).toContain('**Failed: The key was refused.**');
  expect(details).toContain("- 2 × No 'id'   here     Title");
});

test('a time of another day carries its date', () => {
  const nowMs = Date.UTC(2026, 4, 31, 23, 50);
  expect(clock(nowMs + 5 * 60_000, nowMs)).toBe('23:55 UTC');
  expect(clock(nowMs + 15 * 60_000, nowMs)).toBe('2026-06-01 00:05 UTC');
});
