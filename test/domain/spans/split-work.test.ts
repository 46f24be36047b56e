import { expect, test } from 'vitest';
import { splitCalls } from '../../../src/domain/spans/split-calls.ts';
import { countWork } from '../../support/count-work.ts';
import { makeSpan } from '../../support/spans.ts';
import { manySpans, session, shapes, turn } from './shapes-of-spans.ts';

test.each(shapes)('%s: four times as many spans are little more than four times the work', async (shape) => {
  const cases = [1_000, 4_000].map((count) => ({ shape, count }));
  const [few = 0, more = 0] = await countWork(new URL('shapes-of-spans.ts', import.meta.url), cases);
  expect(few).toBeGreaterThan(0);
  expect(more / few).toBeLessThan(6);
});

test('a trace of more spans than a call takes arguments is one call', () => {
  const spans = [
    ...manySpans(1, session),
    ...manySpans(200_000, (at) => ({ ...turn(at), trace: 'other', attributes: { 'session.id': 'one' } })),
  ];
  expect(splitCalls(spans).calls.map(({ spans: own }) => own.length)).toEqual([200_001]);
});

test('of calls of one name, a part that lies elsewhere goes with the one that was going on', () => {
  const at = (from: number) => makeSpan({ ...turn(from), trace: 'other', attributes: { 'session.id': 'one' } });
  const spans = [...manySpans(3, (nth) => session(nth * 10)), at(15)];
  expect(splitCalls(spans).calls.map(({ ref, spans: own }) => [ref, own.length])).toEqual([
    ['one', 1],
    ['one/2', 2],
    ['one/3', 1],
  ]);
});
