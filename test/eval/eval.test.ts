import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { accuracy, auc, f1, interval, macroF1 } from './figures.ts';
import { evaluate } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-eval-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the figures', () => {
  const pairs = [
    { group: 'a', truth: 'x', answer: 'x' },
    { group: 'a', truth: 'x', answer: 'y' },
    { group: 'b', truth: 'y', answer: 'y' },
    { group: 'b', truth: 'y', answer: 'z' },
  ];

  test('macro-F1 is the mean over the classes that occur', () => {
    expect(macroF1(pairs)).toBeCloseTo((2 / 3 + 1 / 2) / 2);
    expect(accuracy(pairs)).toBe(0.5);
  });

  test('precision and recall count hits among the flagged and among the true', () => {
    const flags = [
      { truth: true, answer: true },
      { truth: true, answer: false },
      { truth: false, answer: true },
    ];
    expect(f1(flags)).toEqual({ precision: 0.5, recall: 0.5, f1: 0.5 });
  });

  test('AUC is the chance that a bad call scores above a good one', () => {
    expect(
      auc([
        { score: 0.9, bad: true },
        { score: 0.1, bad: false },
        { score: 0.9, bad: false },
      ]),
    ).toBe(0.75);
  });

  test('the interval holds the figure and is the same each time', () => {
    const [low, high] = interval(pairs, accuracy);
    expect(low).toBeLessThanOrEqual(0.5);
    expect(high).toBeGreaterThanOrEqual(0.5);
    expect(interval(pairs, accuracy)).toEqual([low, high]);
  });
});

describe('the command', () => {
  const command = (...args: string[]) =>
    spawnSync(process.execPath, [fileURLToPath(new URL('./run.ts', import.meta.url)), ...args], { encoding: 'utf8' });

  test('says what is missing where there are no sets', () => {
    const { status, stderr } = command(join(folder, 'nowhere'));
    expect(status).toBe(2);
    expect(stderr).toMatch(/no labelled sets .* npm run eval -- <folder>/s);
  });

  test('prints each figure of the sets that are there, and reads no label into the analysis', () => {
    const turns = [
      { role: 'caller', text: 'I would like to book a table.' },
      { role: 'agent', text: 'For how many?' },
    ];
    const labels = { outcome: 'abandoned', toolRefusalTurns: [], callerId: 'k', callerNth: 1, callerOf: 1 };
    writeFileSync(join(folder, 'star.dev.jsonl'), `${JSON.stringify({ id: 'star-1', turns, labels })}\n`);
    const lines = evaluate(folder);
    expect(lines.find((line) => line.figure === 'accuracy')).toMatchObject({ set: 'star', ours: 1, floor: 0.843 });
    const wrong = { ...labels, outcome: 'resolved' };
    writeFileSync(join(folder, 'star.dev.jsonl'), `${JSON.stringify({ id: 'star-1', turns, labels: wrong })}\n`);
    expect(evaluate(folder).find((line) => line.figure === 'accuracy')?.ours).toBe(0);
    expect(command(folder, '--json').status).toBe(0);
  });
});
