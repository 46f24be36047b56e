import { describe, expect, test } from 'vitest';
import { runResult } from '../../../src/contract/run-result.ts';
import type { AttemptScore } from '../../../src/domain/runs/attempt.ts';
import { comparedDocument, comparedWithLast, type EarlierResult } from '../../../src/domain/runs/compare.ts';
import { epochOf, epochOfAll, isSameEpoch } from '../../../src/domain/runs/epoch.ts';
import { costOf, documentBytes, resultDocument, summaryOf } from '../../../src/domain/runs/result-document.ts';
import type { ResultDocument } from '../../../src/domain/runs/result-document-shape.ts';
import type { CellResult } from '../../../src/domain/vocabulary.ts';
import { EPOCH, makeAttempt, makeCell, makeRecord, makeScore, makeVerdict } from '../../support/scores.ts';

const id = (last: number) => `30000000-0000-4000-8000-00000000000${last}`;
const document = (...results: CellResult[]): ResultDocument =>
  resultDocument(makeRecord(results.map((result, at) => makeCell(id(at), { result }))));

describe('the result document', () => {
  const record = makeRecord([
    makeCell(id(1)),
    makeCell(id(2), {
      result: 'flaky',
      k: 1,
      n: 2,
      reason: '1 of 2 passed; of the difference the agent made 100 %.',
      attempts: [
        makeAttempt(1, {
          noFixture: ['book'],
          graderStatus: 'passed',
          score: makeScore({
            result: 'failed',
            verdicts: [
              makeVerdict('c1', false),
              makeVerdict('c2', null, {
                decidedBy: {
                  kind: 'undecided',
                  model: null,
                  answers: [{ met: null, turn: null, quote: null, because: 'Who knows.' }],
                },
              }),
            ],
            problems: [{ code: 'tool_failed', title: 'A tool failed', severity: 'high', detail: 'It did.' }],
          }),
        }),
        makeAttempt(2),
      ],
    }),
    makeCell(id(3), { result: null, attempts: [], k: 0, n: 0, gates: false, runnable: false }),
  ]);
  const made = resultDocument(record);

  test('has the names and types of the contract', () => {
    const parsed = runResult.parse(JSON.parse(documentBytes(made)));
    expect(parsed).toEqual(made);
    expect(made.summary).toEqual({
      cells: 3,
      gating: 2,
      passed: 1,
      failed: 0,
      flaky: 1,
      error: 0,
      drift: 0,
      notRun: 1,
      newlyBroken: 0,
      fixed: 0,
    });
  });

  test('shows a flaky cell by the attempt that did not pass, and what all its attempts cost', () => {
    expect(made.cells[1]).toMatchObject({
      attempts: [
        { attempt: 1, result: 'failed' },
        { attempt: 2, result: 'passed' },
      ],
      noFixture: ['book'],
      platformGrader: { status: 'passed', explanation: null },
      findings: [{ code: 'tool_failed' }],
      cost: { platformUsd: 0.04, serviceUsd: 0.0024 },
    });
    expect(made.cost).toEqual({ platformUsd: 0.06, serviceUsd: 0.0036 });
  });

  test.each<[string, CellResult, CellResult[], number | null]>([
    ['the last that passed', 'passed', ['passed', 'failed', 'passed'], 3],
    ['the last that failed', 'failed', ['failed', 'failed', 'passed'], 2],
    ['the last that broke off', 'error', ['error', 'passed'], 1],
    ['the last that did not pass, where it is flaky', 'flaky', ['failed', 'passed', 'error', 'passed'], 3],
    ['none, where none ended so', 'drift', ['passed'], null],
    ['none, where the cell was not run', 'not_run', ['passed'], null],
  ])('stands on %s', (_, result, ended, telling) => {
    const attempts = ended.map((one, at) =>
      makeAttempt(at + 1, {
        noFixture: [`tool_${at + 1}`],
        score: makeScore({ result: one as AttemptScore['result'] }),
      }),
    );
    const [cell] = resultDocument(makeRecord([makeCell(id(1), { result, attempts })])).cells;
    expect(cell?.noFixture).toEqual(telling === null ? [] : [`tool_${telling}`]);
    expect(cell?.attempts.map(({ attempt }) => attempt)).toEqual(ended.map((_one, at) => at + 1));
  });

  test('counts no attempt that was not scored, but for what it cost', () => {
    const attempts = [makeAttempt(1, { score: null, noFixture: ['book'] }), makeAttempt(2)];
    const [cell] = resultDocument(makeRecord([makeCell(id(1), { attempts })])).cells;
    expect(cell).toMatchObject({
      attempts: [{ attempt: 2 }],
      noFixture: [],
      cost: { platformUsd: 0.04, serviceUsd: 0.0024 },
    });
  });

  test('keeps the reason of a cell that was not run, before that of the run', () => {
    const reasonOf = (over: Parameters<typeof makeCell>[1], message: string | null) =>
      resultDocument(makeRecord([makeCell(id(1), { result: null, attempts: [], ...over })], { message })).cells[0]
        ?.reason;
    expect(reasonOf({ reason: 'Its tool is gone.' }, 'Stopped.')).toBe('Its tool is gone.');
    expect(reasonOf({}, 'Stopped.')).toBe('Stopped.');
    expect(reasonOf({}, null)).toBeNull();
    expect(reasonOf({ result: 'passed' }, 'Stopped.')).toBeNull();
  });

  test('sums what attempts cost without a rest', () => {
    const attempts = Array.from({ length: 10 }, () => ({ platformNanoUsd: 100_000_000, serviceNanoUsd: 1 }));
    expect(costOf(attempts)).toEqual({ platformUsd: 1, serviceUsd: 1e-8 });
    expect(costOf([])).toEqual({ platformUsd: 0, serviceUsd: 0 });
  });

  test('says of an undecided criterion that nobody decided it', () => {
    expect(made.cells[1]?.criteria[1]).toEqual({
      criterionId: 'c2',
      text: 'Text of c2',
      met: null,
      decidedBy: { kind: 'undecided', model: null, answers: [] },
      evidenceTurn: null,
      quote: null,
    });
  });

  test('says why a cell was not run', () => {
    expect(made.cells[2]).toMatchObject({
      result: 'not_run',
      reason: 'The budget does not cover this test.',
      criteria: [],
    });
    const refused = resultDocument(
      makeRecord([makeCell(id(1), { result: null, attempts: [] })], {
        status: 'refused',
        message: 'No budget is left.',
      }),
    );
    expect(refused.cells[0]).toMatchObject({ result: 'not_run', reason: 'No budget is left.' });
    expect(refused.epoch).toMatchObject({ simulatorModel: 'script', judgeModel: 'none', judgePromptHash: 'none' });
    expect(runResult.safeParse(refused).success).toBe(true);
  });

  test('is the same bytes, whatever order the record keeps its fields in', () => {
    const shuffled = JSON.parse(JSON.stringify(record), (_, value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    );
    expect(documentBytes(resultDocument(shuffled))).toBe(documentBytes(made));
  });

  test('takes its epoch from cells that came to a verdict, where there are any', () => {
    const unplayed = makeScore({ result: 'error', epoch: { ...EPOCH, simulatorModel: 'none' } });
    const broken = makeCell(id(2), { result: 'error', attempts: [makeAttempt(1, { score: unplayed })] });
    expect(resultDocument(makeRecord([makeCell(id(1)), broken])).epoch).toEqual(EPOCH);
    expect(resultDocument(makeRecord([broken])).epoch).toMatchObject({ simulatorModel: 'none' });
  });

  test('names a shadow copy only where one was played', () => {
    expect('shadow' in made).toBe(false);
    expect(resultDocument(makeRecord([], { shadowAgentId: id(9) })).shadow).toEqual({ agentId: id(9), version: 4 });
  });
});

test('the share of passed cells leaves out what was not scored, and no flaky cell is a pass', () => {
  const { scored, passRate, counts } = summaryOf(document('passed', 'failed', 'flaky', 'error', 'drift', 'not_run'));
  expect({ scored, passRate }).toEqual({ scored: 3, passRate: 1 / 3 });
  expect(counts).toEqual({ passed: 1, failed: 1, flaky: 1, error: 1, drift: 1, notRun: 1 });
  expect(summaryOf(document('error')).passRate).toBeNull();
});

describe('compared with another run', () => {
  const other = (...results: CellResult[]): ResultDocument => ({
    ...document(...results),
    batchId: id(8),
    targetVersion: { platform: 'retell', version: 3, configHash: null },
  });

  test.each<[CellResult, CellResult, string | null]>([
    ['passed', 'failed', 'newly_broken'],
    ['failed', 'passed', 'fixed'],
    ['passed', 'passed', 'unchanged'],
    ['failed', 'failed', 'unchanged'],
    ['passed', 'flaky', 'unchanged'],
    ['flaky', 'failed', 'unchanged'],
    ['flaky', 'passed', 'unchanged'],
    ['passed', 'error', null],
    ['error', 'passed', null],
    ['drift', 'failed', null],
    ['not_run', 'failed', null],
    ['passed', 'not_run', null],
  ])('a cell that was %s and is %s: %s', (there, here, change) => {
    const compared = comparedDocument(document(here), other(there));
    expect(compared.cells[0]?.change).toBe(change);
    expect(compared.comparedTo).toEqual({ batchId: id(8), version: 3 });
    expect(compared.summary.newlyBroken).toBe(change === 'newly_broken' ? 1 : 0);
    expect(compared.summary.fixed).toBe(change === 'fixed' ? 1 : 0);
  });

  test('a cell that the other run did not have is not compared', () => {
    const compared = comparedDocument(document('passed', 'failed'), other('passed'));
    expect(compared.cells.map(({ change }) => change)).toEqual(['unchanged', null]);
  });

  test.each<[string, Partial<ResultDocument['cells'][number]>]>([
    ['was revised', { testRevision: 7 }],
    ['expects something else', { expect: 'fail' }],
    ['was played three times', { n: 3, k: 3 }],
  ])('a cell whose test %s is not compared, and the message says how many', (_what, over) => {
    const made = other('failed', 'failed');
    const before = { ...made, cells: made.cells.map((cell, at) => (at === 0 ? { ...cell, ...over } : cell)) };
    const compared = comparedDocument(document('passed', 'passed'), before);
    expect(compared.cells.map(({ change }) => change)).toEqual([null, 'fixed']);
    expect(compared.summary.fixed).toBe(1);
    expect(compared.message).toContain(`1 cell is not compared with run ${id(8)}: the test was revised`);
  });

  test('that another epoch scored, nothing is compared, and the message says so', () => {
    const elsewhere = { ...other('passed'), epoch: { ...EPOCH, judgeModel: 'judge-0' } };
    const compared = comparedDocument({ ...document('failed'), message: 'All played.' }, elsewhere);
    expect(compared.cells[0]?.change).toBeNull();
    expect(compared.summary).toMatchObject({ newlyBroken: 0, fixed: 0 });
    expect(compared.message).toBe(
      `All played. Not compared with run ${id(8)}, which another epoch scored: judge judge-0 there, judge-1 here.`,
    );
    expect(compared.comparedTo).toEqual({ batchId: id(8), version: 3 });
  });

  test('only what the comparison says changes', () => {
    const own = document('failed', 'passed');
    const compared = comparedDocument(own, other('passed', 'passed'));
    expect(comparedWithLast(compared, [])).toEqual(own);
  });
});

describe('compared with the last result of each cell', () => {
  const earlier = (over: Partial<EarlierResult> = {}): EarlierResult => ({
    batchId: id(7),
    version: 3,
    finishedAt: '2026-11-20T10:00:00.000Z',
    epoch: EPOCH,
    testRevision: 1,
    expect: 'pass',
    result: 'passed',
    n: 1,
    ...over,
  });
  const of = (n: number, ...results: EarlierResult[]) => ({
    testId: id(n),
    persona: '@source',
    epoch: EPOCH,
    earlier: results,
  });

  test('each is compared with its own run, and the newest of these runs is named', () => {
    const newer = earlier({ batchId: id(6), version: 4, finishedAt: '2026-11-21T10:00:00.000Z', result: 'failed' });
    const compared = comparedWithLast(document('failed', 'passed', 'passed'), [of(0, earlier()), of(1, newer)]);
    expect(compared.cells.map(({ change }) => change)).toEqual(['newly_broken', 'fixed', null]);
    expect(compared).toMatchObject({
      comparedTo: { batchId: id(6), version: 4 },
      summary: { newlyBroken: 1, fixed: 1 },
      message: null,
    });
  });

  test('a newer result of another question does not hide the last of the same one', () => {
    const revised = earlier({ batchId: id(6), finishedAt: '2026-11-21T10:00:00.000Z', testRevision: 2 });
    const compared = comparedWithLast(document('failed'), [of(0, revised, earlier())]);
    expect(compared).toMatchObject({ comparedTo: { batchId: id(7) }, summary: { newlyBroken: 1 }, message: null });
  });

  test.each<[string, Partial<EarlierResult>, string]>([
    [
      'another epoch',
      { epoch: { ...EPOCH, judgeModel: 'judge-0' } },
      'which another epoch scored: judge judge-0 there',
    ],
    ['another revision', { testRevision: 2 }, '1 cell is not compared with run'],
  ])('a cell of which only %s is known is not compared, and the message says why', (_what, over, says) => {
    const compared = comparedWithLast(document('failed', 'error'), [of(0, earlier(over)), of(1, earlier(over))]);
    expect(compared).toMatchObject({ comparedTo: null, summary: { newlyBroken: 0, fixed: 0 } });
    expect(compared.message).toContain(says);
  });
});

describe('an epoch', () => {
  const scorers = { simulatorModel: 'caller-1', judgeModel: 'judge-1', judgePrompt: 'Judge.' };

  test('is another one with another model, and with one other word to the judge', () => {
    const epoch = epochOf(scorers);
    expect(epoch.judgePromptHash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(isSameEpoch(epoch, epochOf({ ...scorers }))).toBe(true);
    for (const changed of [{ simulatorModel: 'caller-2' }, { judgeModel: null }, { judgePrompt: 'Judge!' }]) {
      expect(isSameEpoch(epoch, epochOf({ ...scorers, ...changed }))).toBe(false);
    }
  });

  test('of a run takes nothing from its scripted callers, and two judges make one of their own', () => {
    const [modelled, scripted] = [epochOf(scorers), epochOf({ ...scorers, simulatorModel: null })];
    expect(epochOfAll([scripted, modelled])).toEqual(modelled);
    expect(epochOfAll([scripted, scripted])).toEqual(scripted);
    expect(epochOfAll([modelled, epochOf({ ...scorers, judgeModel: 'judge-0' })])?.judgeModel).toBe(
      'judge-0 + judge-1',
    );
    expect(epochOfAll([])).toBeNull();
  });
});
