import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SentSpan } from '../../../src/domain/spans/span.ts';
import { splitCalls } from '../../../src/domain/spans/split-calls.ts';
import { WorkCounter } from '../../support/count-work.ts';
import { makeSpan } from '../../support/spans.ts';

const work = new WorkCounter();
beforeAll(() => work.start());
afterAll(() => work.stop());

const many = (count: number, spanOf: (at: number) => Parameters<typeof makeSpan>[0]): SentSpan[] =>
  Array.from({ length: count }, (_, at) => makeSpan(spanOf(at)));
const parent = (at: number) => (at === 0 ? null : `s${at - 1}`);
const turn = (at: number) => ({ id: `s${at}`, name: 'user_turn', from: at, to: at + 1 });
const session = (at: number) => ({
  id: `w${at}`,
  name: 'agent_session',
  from: at,
  to: at + 1,
  attributes: { 'session.id': 'one', 'lk.agent_label': 'a' },
});

test.each<[string, (count: number) => SentSpan[]]>([
  ['a chain of parents', (count) => many(count, (at) => ({ ...turn(at), parent: parent(at) }))],
  [
    'a chain of which each names another call',
    (count) => many(count, (at) => ({ ...turn(at), parent: parent(at), attributes: { 'session.id': `c${at}` } })),
  ],
  ['a circle', (count) => many(count, (at) => ({ ...turn(at), parent: `s${(at + 1) % count}` }))],
  ['calls that all have one name', (count) => many(count, session)],
  [
    'calls that all have one name, each with a trace that begins on its own',
    (count) => [
      ...many(count, session),
      ...many(count, (at) => ({ ...turn(at), trace: `t${at}`, parent: 'x', attributes: { 'session.id': 'one' } })),
    ],
  ],
])('%s: four times as many spans are little more than four times the work', async (_what, spansOf) => {
  const few = await work.count(() => splitCalls(spansOf(1_000)));
  const more = await work.count(() => splitCalls(spansOf(4_000)));
  expect(more / few).toBeLessThan(6);
});

test('a trace of more spans than a call takes arguments is one call', () => {
  const spans = [
    ...many(1, session),
    ...many(200_000, (at) => ({ ...turn(at), trace: 'other', attributes: { 'session.id': 'one' } })),
  ];
  expect(splitCalls(spans).map(({ spans: own }) => own.length)).toEqual([200_001]);
});

test('of calls of one name, a part that lies elsewhere goes with the one that was going on', () => {
  const at = (from: number) => makeSpan({ ...turn(from), trace: 'other', attributes: { 'session.id': 'one' } });
  const spans = [...many(3, (nth) => session(nth * 10)), at(15)];
  expect(splitCalls(spans).map(({ ref, spans: own }) => [ref, own.length])).toEqual([
    ['one', 1],
    ['one/2', 2],
    ['one/3', 1],
  ]);
});
