import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { junitOf } from '../../cli/runs/junit.ts';
import { countsOf } from '../../cli/runs/messages.ts';
import { judgeRun } from '../../cli/runs/verdict.ts';
import { CELL_RESULTS, RUN_STATUSES } from '../../src/domain/vocabulary.ts';
import { resultCell, resultCriterion, resultDocument } from '../support/run-document.ts';
import { childrenOf, parseXml, type XmlElement } from '../support/strict-xml.ts';

const names = (titles: string[], agent = 'Front desk') => ({
  agent,
  tests: new Map(titles.map((title, at) => [resultCell(at + 1).testId, title])),
  personas: new Map([['impatient', 'Impatient caller']]),
});

function read(xml: string): { suite: XmlElement; cases: XmlElement[] } {
  const [suite] = childrenOf(parseXml(xml), 'testsuite');
  if (!suite) throw new Error('no suite');
  return { suite, cases: childrenOf(suite, 'testcase') };
}

const outcome = (testcase: XmlElement | undefined) =>
  testcase?.children.find(({ name }) => name !== 'system-out') ?? null;

describe('the JUnit report of a run', () => {
  test('a known fault that the agent still has is told as such, and counts apart from what passed', () => {
    const document = resultDocument([resultCell(1), resultCell(2, { expect: 'fail' })]);
    const { cases } = read(junitOf(document, names(['Books', 'Cancels'])));
    expect(cases.map(outcome)).toEqual([null, null]);
    const texts = cases.map((one) => childrenOf(one, 'system-out')[0]?.text ?? '');
    expect(texts[0]).toMatch(/^passed/);
    expect(texts[1]).toMatch(/^fails as expected/);
    expect(countsOf(document)).toBe('2 cells: 1 passed, 1 failing as expected');
    expect(judgeRun(document).says).toMatch(/1 of them is a known fault that fails as expected/);
  });

  test('a suite is the run, a case a cell, named by its test and caller', () => {
    const cells = [resultCell(1), resultCell(2, { persona: 'impatient' })];
    const { suite, cases } = read(junitOf(resultDocument(cells), names(['Books', 'Cancels'])));
    expect(suite.attributes).toEqual({
      name: 'Front desk, version 4',
      tests: '2',
      failures: '0',
      errors: '0',
      skipped: '0',
    });
    expect(cases.map(({ attributes }) => attributes['name'])).toEqual([
      'Books [own caller]',
      'Cancels [Impatient caller]',
    ]);
    expect(cases.map(outcome)).toEqual([null, null]);
  });

  test('a case has the seconds of its attempts together, and none where they are not known', () => {
    const cell = resultCell(1);
    const [first, second] = [resultCell(3), resultCell(4)].map(({ testId }) => testId);
    const attempts = [first, second].map((runId = '', at) => ({ runId, attempt: at + 1, result: 'passed' as const }));
    const seconds = new Map([first, second].map((runId = '', at) => [runId, [1.25, 3][at] ?? 0]));
    const document = resultDocument([{ ...cell, attempts }, resultCell(2)]);
    const { suite, cases } = read(junitOf(document, names(['Books', 'Cancels']), { seconds }));
    expect(suite.attributes).toMatchObject({ time: '4.250' });
    expect(cases.map(({ attributes }) => attributes['time'])).toEqual(['4.250', undefined]);
  });

  test('two tests of one title have two names', () => {
    const { cases } = read(junitOf(resultDocument([resultCell(1), resultCell(2)]), names(['Books', 'Books'])));
    expect(cases.map(({ attributes }) => attributes['name'])).toEqual([
      'Books [own caller] (00000001)',
      'Books [own caller] (00000002)',
    ]);
  });

  test.each([
    ['failed', true, 'failure'],
    ['failed', false, 'skipped'],
    ['error', true, 'error'],
    ['error', false, 'skipped'],
    ['drift', true, 'error'],
    ['drift', false, 'skipped'],
    ['not_run', true, 'error'],
    ['not_run', false, 'skipped'],
    ['flaky', true, null],
    ['flaky', false, null],
    ['passed', true, null],
  ] as const)('a cell that is %s (gates: %s) is %s', (result, gates, shown) => {
    const cells = [resultCell(1, { result, gates, reason: 'Because.' }), resultCell(2)];
    const { cases } = read(junitOf(resultDocument(cells), names(['Books', 'Cancels'])));
    expect(outcome(cases[0])?.name ?? null).toBe(shown);
    if (shown !== null) expect(outcome(cases[0])?.attributes['message']).toContain(': Because.');
  });

  test('the case says each criterion, who decided it and the words that show it', () => {
    const unmet = resultCriterion({
      text: 'Reads back the day.',
      met: false,
      decidedBy: {
        kind: 'judge',
        model: 'judge-1',
        answers: [{ met: false, turn: 3, quote: 'Done.', because: 'It named no day.' }],
      },
      evidenceTurn: 3,
      quote: 'Done.',
    });
    const cell = resultCell(1, { result: 'failed', criteria: [resultCriterion(), unmet] });
    const { cases } = read(junitOf(resultDocument([cell]), names(['Books'])));
    expect(outcome(cases[0])?.text).toContain(
      '- not met: Reads back the day. (decided by judge judge-1) – It named no day. “Done.” in turn 3',
    );
    expect(outcome(cases[0])?.text).toContain('decided by code, judge judge-1');
  });

  test('a run that was refused, or in which nothing was judged, is red although no cell is', () => {
    const refused = resultDocument([resultCell(1, { result: 'not_run', gates: false })], {
      status: 'refused',
      message: 'The budget is used up.',
    });
    const { suite, cases } = read(junitOf(refused, names(['Books'])));
    expect(suite.attributes).toMatchObject({ tests: '2', errors: '1', skipped: '1' });
    expect(outcome(cases[1])?.attributes['message']).toContain('The budget is used up.');
    expect(read(junitOf(resultDocument([]), names([]))).suite.attributes).toMatchObject({ tests: '1', errors: '1' });
  });

  test('whatever stands in titles, quotes and reasons, it is valid XML, and red exactly where the exit code is not 0', () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('</testcase>', ']]>', '\u0000\u001b[31m', '\ud800', '\ufffe', '"&<>\'', '\t\n\r'),
    );
    const cells = fc.array(
      fc.record({
        result: fc.constantFrom(...CELL_RESULTS),
        gates: fc.boolean(),
        reason: fc.option(odd),
        text: odd,
        title: odd,
      }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(cells, fc.constantFrom(...RUN_STATUSES), fc.boolean(), odd, (drawn, status, strict, agent) => {
        const made = drawn.map(({ result, gates, reason, text }, at) => {
          const plain = resultCell(at + 1, { result, gates, reason: reason?.toWellFormed() ?? null });
          return { ...plain, criteria: plain.criteria.map((criterion) => ({ ...criterion, text })) };
        });
        const document = resultDocument(made, { status });
        const { suite } = read(
          junitOf(
            document,
            names(
              drawn.map(({ title }) => title),
              agent,
            ),
            { strict },
          ),
        );
        const red = Number(suite.attributes['failures']) + Number(suite.attributes['errors']) > 0;
        expect(red).toBe(judgeRun(document, { strict }).exitCode !== 0);
      }),
      { numRuns: 300 },
    );
  });
});
