import type { SentSpan } from '../../../src/domain/spans/span.ts';
import { splitCalls } from '../../../src/domain/spans/split-calls.ts';
import type { Prepare } from '../../support/count-work.ts';
import { makeSpan } from '../../support/spans.ts';

type Fields = Parameters<typeof makeSpan>[0];

export const manySpans = (count: number, spanOf: (at: number) => Fields): SentSpan[] =>
  Array.from({ length: count }, (_, at) => makeSpan(spanOf(at)));

export const turn = (at: number): Fields => ({ id: `s${at}`, name: 'user_turn', from: at, to: at + 1 });

export const session = (at: number): Fields => ({
  id: `w${at}`,
  name: 'agent_session',
  from: at,
  to: at + 1,
  attributes: { 'session.id': 'one', 'lk.agent_label': 'a' },
});

const parent = (at: number) => (at === 0 ? null : `s${at - 1}`);

const SHAPES = {
  'a chain of parents': (count: number) => manySpans(count, (at) => ({ ...turn(at), parent: parent(at) })),
  'a chain of which each names another call': (count: number) =>
    manySpans(count, (at) => ({ ...turn(at), parent: parent(at), attributes: { 'session.id': `c${at}` } })),
  'a circle': (count: number) => manySpans(count, (at) => ({ ...turn(at), parent: `s${(at + 1) % count}` })),
  'calls that all have one name': (count: number) => manySpans(count, session),
  'calls that all have one name, each with a trace that begins on its own': (count: number) => [
    ...manySpans(count, session),
    ...manySpans(count, (at) => ({
      ...turn(at),
      trace: `t${at}`,
      parent: 'x',
      attributes: { 'session.id': 'one' },
    })),
  ],
} as const;

export type Shape = keyof typeof SHAPES;
export const shapes = Object.keys(SHAPES) as Shape[];

/** Spans of one shape, which are split into calls. */
const prepare: Prepare<{ shape: Shape; count: number }> = ({ shape, count }) => {
  const spans = SHAPES[shape](count);
  return () => splitCalls(spans);
};

export default prepare;
