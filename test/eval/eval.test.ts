import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { analyseSets, EVERYTHING, figuresOf } from './evaluate.ts';
import {
  accuracy,
  auc,
  f1,
  interval,
  macroF1,
  meanSquaredError,
  quadraticKappa,
  recallAtPrecision,
  spearman,
} from './figures.ts';
import { IN_MEMORY } from './in-memory.ts';
import { linesOf } from './line.ts';

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

  test('AUC of one class alone is no figure', () => {
    expect(auc([{ score: 1, bad: true }])).toBeNaN();
  });

  test('recall at a precision takes the lowest cut that keeps it', () => {
    const scores = [
      { score: 0.9, bad: true },
      { score: 0.8, bad: false },
      { score: 0.7, bad: true },
      { score: 0.6, bad: true },
      { score: 0.1, bad: false },
    ];
    expect(recallAtPrecision(scores, 0.75)).toBe(1);
    expect(recallAtPrecision(scores, 0.9)).toBeCloseTo(1 / 3);
  });

  test('quadratic kappa is 1 for the same, 0 for a constant, and punishes far misses more', () => {
    const rate = (truths: string, answers: string) =>
      quadraticKappa([...truths].map((truth, at) => ({ group: String(at), truth, answer: answers[at] ?? '' })));
    expect(rate('123123', '123123')).toBe(1);
    expect(rate('123123', '222222')).toBeCloseTo(0);
    expect(rate('1133', '1132')).toBeGreaterThan(rate('1133', '1131'));
    expect(rate('1122', '1212')).toBeCloseTo(0);
  });

  test('rank correlation shares ranks among equals', () => {
    expect(
      spearman([
        [1, 10],
        [2, 30],
        [3, 20],
      ]),
    ).toBeCloseTo(0.5);
    expect(
      spearman([
        [0, 1],
        [0, 2],
        [1, 3],
      ]),
    ).toBeCloseTo(Math.sqrt(3) / 2);
    expect(
      spearman([
        [1, 1],
        [1, 2],
      ]),
    ).toBeNaN();
  });

  test('the mean squared error is the mean of squared distances', () => {
    expect(
      meanSquaredError([
        [0, 1],
        [0.5, 0.5],
      ]),
    ).toBe(0.5);
  });

  test('a figure on the wrong side of its floor is marked, and one without rows is not scored', () => {
    const { plain, of } = linesOf('M0', 'set');
    expect(plain('a', 0.4, { floor: 0.5 }).belowFloor).toBe(true);
    expect(plain('a', 0.5, { floor: 0.5 }).belowFloor).toBe(false);
    expect(plain('a', 0.4, { floor: 0.5, better: 'lower' }).belowFloor).toBe(false);
    expect(of('a', [], () => 1)).toMatchObject({ ours: null, belowFloor: false, notScored: expect.any(String) });
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

  test('prints each figure of the sets that are there, and reads no label into the analysis', async () => {
    const turns = [
      { role: 'caller', text: 'I would like to book a table.' },
      { role: 'agent', text: 'For how many?' },
    ];
    const labels = { outcome: 'abandoned', toolRefusalTurns: [], callerId: 'k', callerNth: 1, callerOf: 1 };
    const write = (outcome: string) =>
      writeFileSync(
        join(folder, 'star.dev.jsonl'),
        `${JSON.stringify({ id: 'star-1', turns, labels: { ...labels, outcome } })}\n`,
      );
    const accuracyOfStar = async () => {
      const { sets, absent } = await analyseSets(folder, IN_MEMORY, { ...EVERYTHING, only: ['star'] });
      expect(absent).toContain('betold');
      return figuresOf(sets, null).find((line) => line.set === 'star' && line.figure === 'accuracy');
    };
    write('abandoned');
    expect(await accuracyOfStar()).toMatchObject({ ours: 1, floor: 0.843 });
    write('resolved');
    expect((await accuracyOfStar())?.ours).toBe(0);
    const { status, stdout } = command(folder, '--json', '--in-memory', '--only', 'star');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ way: expect.stringContaining('in memory') });
  });
});
