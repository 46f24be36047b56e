import { expect, test } from 'vitest';
import { compareBoards, comparedReading } from '../../../src/domain/signals/reanalysis-report.ts';
import { makeAnalysis, makeSignal } from '../../support/analysed-calls.ts';

const row = (key: string, calls = 5) => ({ key, title: `Issue ${key}`, section: 'fix' as const, calls });

test('issues are followed over two boards by their keys', () => {
  const change = compareBoards([row('a'), row('b'), row('c'), row('d')], [row('a'), row('c'), row('e'), row('d', 9)]);
  expect(change.appear).toEqual([{ ...row('e'), rank: 3 }]);
  expect(change.disappear).toEqual([{ ...row('b'), rank: 2 }]);
  expect(change.move).toEqual([
    {
      key: 'c',
      title: 'Issue c',
      from: { rank: 3, section: 'fix', calls: 5 },
      to: { rank: 2, section: 'fix', calls: 5 },
    },
    {
      key: 'd',
      title: 'Issue d',
      from: { rank: 4, section: 'fix', calls: 5 },
      to: { rank: 4, section: 'fix', calls: 9 },
    },
  ]);
  expect(change.unchanged).toBe(1);
});

test('two readings are the same whatever their version, the order of their places, and what a model added', () => {
  const place = (id: string) => ({ place: { kind: 'node' as const, id, label: id }, firstTurn: 0 });
  const signals = [makeSignal({ code: 'tool_failed' })];
  const observation = { rule: 'x', kind: 'hypothesis', label: '', turnIndex: 0, detail: '', basis: 'model' } as const;
  const first = makeAnalysis({ analyserVersion: 1, signals, visits: [place('a'), place('b')] });
  const second = makeAnalysis({
    analyserVersion: 2,
    signals,
    visits: [place('b'), place('a')],
    observations: [observation],
  });
  expect(comparedReading(first)).toEqual(comparedReading(second));
  expect(comparedReading(first).places).toContainEqual({ kind: 'tool', id: 'book_table' });
  expect(comparedReading(makeAnalysis())).not.toEqual(comparedReading(first));
});
