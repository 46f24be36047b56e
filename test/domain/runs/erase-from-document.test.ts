import { expect, test } from 'vitest';
import { ERASED_TEST, withoutTests } from '../../../src/domain/runs/erase-from-document.ts';
import { documentBytes, resultDocument } from '../../../src/domain/runs/result-document.ts';
import type { ResultDocument } from '../../../src/domain/runs/result-document-shape.ts';
import { makeAttempt, makeCell, makeRecord, makeScore, makeVerdict } from '../../support/scores.ts';

const id = (last: number) => `30000000-0000-4000-8000-00000000000${last}`;
const cell = (last: number) =>
  makeCell(id(last), {
    result: 'failed',
    k: 0,
    reason: 'The caller was told of cats.',
    attempts: [
      makeAttempt(1, {
        noFixture: ['cats'],
        score: makeScore({
          result: 'failed',
          verdicts: [makeVerdict('cats', false)],
          problems: [{ code: 'tool_failed', title: 'Cats', severity: 'high', detail: 'Of cats.' }],
        }),
      }),
    ],
  });
const body = documentBytes(resultDocument(makeRecord([cell(1), cell(2)])));
const read = (text: string): ResultDocument => JSON.parse(text);

test('words of an erased test leave the document, its result and counts stay', () => {
  const [erased, other] = read(withoutTests(body, new Set([id(1)]))).cells;
  const [was] = read(body).cells;
  expect(JSON.stringify(was).toLowerCase()).toContain('cats');
  expect(JSON.stringify(erased).toLowerCase()).not.toContain('cats');
  expect(erased?.reason).toBe(ERASED_TEST);
  expect([erased?.result, erased?.testId, erased?.k]).toEqual([was?.result, was?.testId, was?.k]);
  expect(other).toEqual(read(body).cells[1]);
});

test('a document without the test keeps its bytes', () => {
  expect(withoutTests(body, new Set([id(9)]))).toBe(body);
});
