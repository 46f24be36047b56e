import { describe, expect, test } from 'vitest';
import { inMemory } from './in-memory.ts';
import { ruleLines, ruleRows } from './rules.ts';
import { OUR_OWN, readWritten } from './written.ts';

describe('what each rule is right about', async () => {
  const sets = readWritten({ path: OUR_OWN, parts: { taxi: 'judge' } }).filter(({ set }) => set.startsWith('taxi '));
  const analysed = await Promise.all(sets.map((set) => inMemory('none').analyse(set)));
  const rows = ruleRows(analysed);

  test('a word list is left out only while its row is made', () => {
    const once = rows.filter(({ kind }) => kind === 'word list').map(({ name, lost }) => [name, lost]);
    const again = ruleRows(analysed).filter(({ kind }) => kind === 'word list');
    expect(again.map(({ name, lost }) => [name, lost])).toEqual(once);
    expect(once.some(([, lost]) => JSON.stringify(lost) !== '{"found":0,"flagged":0,"outcomes":0}')).toBe(true);
  });

  test('hits are counted in the part of their call', () => {
    const detectors = rows.filter(({ kind }) => kind === 'detector');
    expect(detectors.length).toBeGreaterThan(0);
    for (const { parts } of detectors) {
      expect(parts.make).toEqual({ right: 0, healthy: 0, elsewhere: 0 });
      expect(parts.judge.right + parts.judge.healthy + parts.judge.elsewhere).toBeGreaterThan(0);
    }
  });

  test('without a detector the calls lose at most what it hit', () => {
    for (const { kind, parts, lost } of rows) {
      if (kind !== 'detector' || lost === null) continue;
      expect(lost.flagged).toBeLessThanOrEqual(parts.judge.healthy);
      expect(lost.found).toBeGreaterThanOrEqual(0);
    }
  });

  test('each row is a line below the heading', () => {
    expect(ruleLines(rows)).toHaveLength(rows.length + 1);
  });
});
