import { describe, expect, test } from 'vitest';
import { mergeSpans } from '../../../src/domain/spans/merge-spans.ts';
import type { SentSpan } from '../../../src/domain/spans/span.ts';
import { roomsOf, splitCalls } from '../../../src/domain/spans/split-calls.ts';
import { makeSpan, talkSpans } from '../../support/spans.ts';

const calls = (spans: SentSpan[]) =>
  splitCalls(spans).calls.map(({ ref, spans: own, whole }) => ({ ref, spans: own.length, over: whole !== null }));
const TRACE = { trace: 'one', from: 0 };

test('a later call of a room is found by what its spans call it', () => {
  expect(roomsOf('RM_1/12')).toEqual(['RM_1/12', 'RM_1']);
  for (const ref of ['RM_1', 'RM_1/a', '/2', '12']) expect(roomsOf(ref)).toEqual([ref]);
});

describe('spans are sorted into calls', () => {
  test.each<[string, SentSpan[], ReturnType<typeof calls>]>([
    ['a whole call', talkSpans('RM_1', TRACE, 'a'), [{ ref: 'RM_1', spans: 4, over: true }]],
    [
      'two calls of one trace',
      [...talkSpans('RM_1', TRACE, 'a'), ...talkSpans('RM_2', { trace: 'one', from: 60 }, 'b')],
      [
        { ref: 'RM_1', spans: 4, over: true },
        { ref: 'RM_2', spans: 4, over: true },
      ],
    ],
    [
      'two calls of one room',
      [...talkSpans('RM_1', TRACE, 'a'), ...talkSpans('RM_1', { trace: 'one', from: 60 }, 'b')],
      [
        { ref: 'RM_1', spans: 4, over: true },
        { ref: 'RM_1/2', spans: 4, over: true },
      ],
    ],
    [
      'one call over two traces, joined by its name',
      [
        ...talkSpans('RM_1', TRACE, 'a'),
        makeSpan({
          id: 'greeting',
          trace: 'two',
          name: 'agent_turn',
          from: 0.5,
          to: 1,
          attributes: { 'gen_ai.conversation.id': 'RM_1' },
        }),
      ],
      [{ ref: 'RM_1', spans: 5, over: true }],
    ],
    [
      'a call whose end has not come in, with its name',
      talkSpans('RM_1', TRACE, 'a').slice(0, 3),
      [{ ref: 'RM_1', spans: 3, over: false }],
    ],
    [
      'two calls without a name whose ends have not come in',
      [...talkSpans(null, TRACE, 'a').slice(0, 3), ...talkSpans(null, { trace: 'one', from: 60 }, 'b').slice(0, 3)],
      [
        { ref: makeSpan({ id: '', trace: 'one', name: '', from: 0, to: 0 }).traceId, spans: 3, over: false },
        { ref: `${makeSpan({ id: '', trace: 'one', name: '', from: 0, to: 0 }).traceId}/2`, spans: 3, over: false },
      ],
    ],
    [
      'what surrounds a call goes with it',
      [
        ...talkSpans('RM_1', TRACE, 'a').map((span) =>
          span.name === 'agent_session' ? { ...span, parentId: '00000000000000ff' } : span,
        ),
        {
          ...makeSpan({ id: 'x', trace: 'one', name: 'job_entrypoint', from: -1, to: 20 }),
          spanId: '00000000000000ff',
        },
        makeSpan({ id: 'y', trace: 'one', name: 'POST /v1', scope: 'http', from: 2, to: 3 }),
      ],
      [{ ref: 'RM_1', spans: 6, over: true }],
    ],
    ['no call at all', [makeSpan({ id: 'x', name: 'GET /', scope: 'http', from: 0, to: 1 })], []],
  ])('%s', (_what, spans, expected) => {
    expect(calls(mergeSpans([[{ resource: {}, scope: '', spans: [] }]]))).toEqual([]);
    expect(calls(spans)).toEqual(expected);
    expect(calls(spans.toReversed())).toEqual(expected);
  });

  test('spans whose parents go round in a circle end nowhere', () => {
    const a = makeSpan({ id: 'a', name: 'user_turn', parent: 'b', from: 0, to: 1 });
    const b = makeSpan({ id: 'b', name: 'agent_turn', parent: 'a', from: 1, to: 2 });
    expect(calls([a, b])).toHaveLength(1);
  });

  test('20,000 calls in one trace are sorted by looking at each a few times', () => {
    const many = Array.from({ length: 20_000 }, (_, at) =>
      makeSpan({
        id: `span${at}`,
        name: 'chat',
        scope: 'any',
        from: at,
        to: at + 1,
        attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.conversation.id': `c${at}` },
      }),
    );
    expect(splitCalls(many).calls).toHaveLength(20_000);
  });
});

test('of a span that came twice the later form holds, whatever the order of the others', () => {
  const first = makeSpan({ id: 'a', name: 'user_turn', from: 1, to: 2 });
  const later = { ...first, attributes: { said: 'more' } };
  const other = makeSpan({ id: 'b', name: 'agent_turn', from: 0, to: 1 });
  const group = (span: SentSpan) => [{ resource: span.resource, scope: span.scope, spans: [span] }];
  const merged = mergeSpans([group(first), group(other), group(later)]);
  expect(merged.map(({ name, attributes }) => [name, attributes])).toEqual([
    ['agent_turn', {}],
    ['user_turn', { said: 'more' }],
  ]);
});
