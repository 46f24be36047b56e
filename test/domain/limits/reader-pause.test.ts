import { describe, expect, test } from 'vitest';
import { afterTrouble, CALLS_IN_A_ROW, type ReaderStanding } from '../../../src/domain/limits/reader-pause.ts';
import type { ReaderTrouble } from '../../../src/domain/vocabulary.ts';

const WELL: ReaderStanding = { troubles: 0, trouble: null, tries: 0 };

/** What comes after so many first questions that brought nothing. */
function after(times: number, trouble: ReaderTrouble, from = WELL) {
  let standing: ReturnType<typeof afterTrouble> = { ...from, gapMs: null };
  for (let at = 0; at < times; at += 1) standing = afterTrouble(standing, { trouble, isFirst: true, isTry: false });
  return standing;
}

describe('a reader whose model brings nothing', () => {
  test.each(['unusable', 'away'] as const)('pauses after five calls in a row (%s), and not before', (trouble) => {
    expect(after(CALLS_IN_A_ROW - 1, trouble)).toMatchObject({ trouble: null, gapMs: null });
    expect(after(CALLS_IN_A_ROW, trouble)).toMatchObject({ trouble, tries: 0, gapMs: 60_000 });
  });

  test('does not count a call twice that is asked about again', () => {
    let standing: ReaderStanding = WELL;
    for (let at = 0; at < 20; at += 1)
      standing = afterTrouble(standing, { trouble: 'unusable', isFirst: false, isTry: false });
    expect(standing).toMatchObject({ troubles: 0, trouble: null });
  });

  test.each(['key', 'money', 'model'] as const)('pauses at once where the %s is refused', (trouble) => {
    expect(after(1, trouble)).toMatchObject({ trouble, gapMs: 60_000 });
  });

  test('tries one call after twice as long each time, up to an hour, and says what is wrong by now', () => {
    const gaps: (number | null)[] = [];
    let standing: ReaderStanding = after(1, 'key');
    for (let at = 0; at < 8; at += 1) {
      const next = afterTrouble(standing, { trouble: 'money', isFirst: true, isTry: true });
      gaps.push(next.gapMs);
      standing = next;
    }
    expect(gaps.map((ms) => (ms ?? 0) / 60_000)).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
    expect(standing.trouble).toBe('money');
  });

  test('does not wait longer for what was out when the pause began', () => {
    const paused = after(CALLS_IN_A_ROW, 'unusable');
    const late = afterTrouble(paused, { trouble: 'away', isFirst: true, isTry: false });
    expect(late).toEqual({ trouble: 'unusable', troubles: 6, tries: 0, gapMs: null });
  });
});
