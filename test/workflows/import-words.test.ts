import { expect, test } from 'vitest';
import { type ImportProgress, NO_COUNTS } from '../../src/durable/import.ts';
import { clock, figures, importDetails } from '../../workflows/import-words.ts';

const progress: ImportProgress = {
  ...NO_COUNTS,
  stage: 'listing',
  pages: 7,
  listed: 660,
  stored: 640,
  failed: 3,
  reasons: [],
  waitsFor: null,
  reason: null,
};

test('figures leave out what is zero', () => {
  expect(figures(progress)).toBe('page 7, 640 stored, 660 listed, 3 failed');
});

test('a wait says what for and until when, and what a person can do', () => {
  const waitsFor = 'waits for the platform: rate limit until 10:52 UTC, page 7, 640 stored, 3 failed';
  expect(importDetails({ ...progress, stage: 'waiting', waitsFor })).toBe(
    `**${waitsFor}**\n\nNothing needs to be done. Signals: \`tryNow\` ends the wait at once, \`cancel\` keeps what is stored and ends.`,
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
