import { describe, expect, test } from 'vitest';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import type { Json } from '../../src/domain/json.ts';
import { callOf, exampleSpans, makeSpan, T0, talkSpans } from '../support/spans.ts';

/** A call in a few words a turn. */
const told = ({ turns }: NormalisedCall) =>
  turns.map(({ role, text, interrupted, toolCall, toolResult }) => {
    if (toolCall) return `calls ${toolCall.name}`;
    if (toolResult) return `${toolResult.ok === false ? 'fails' : 'answers'} ${toolResult.latencyMs ?? 'untimed'}`;
    return `${role}${interrupted ? ' (cut off)' : ''}: ${text.split(' ').slice(0, 3).join(' ')}`;
  });

const TALK = [
  'agent: Northwind Parcels, how',
  'caller: where is my',
  'calls find_parcel',
  'fails 2500',
  'agent (cut off): I could not',
  'caller: yes try again',
  'calls find_parcel',
  'answers 500',
  'agent: It is out',
];

describe('spans of each library become a call', () => {
  test('LiveKit 1.8: spoken times, tools, interruption, caller, end and version', () => {
    const call = callOf(exampleSpans('livekit-python-1.8'));
    expect(told(call)).toEqual(TALK);
    expect(call).toMatchObject({
      providerCallId: 'RM_x7TnQ2vLw9aB',
      versionBy: { ref: '2026-11-08.3' },
      startedAt: '2026-11-10T10:30:00.300Z',
      durationMs: 32_900,
      channel: 'voice',
      direction: 'inbound',
      callerNumber: '+15550100',
      disconnectionReason: 'participant_disconnected',
      ending: { family: 'caller_end', endedBy: 'caller' },
      timing: 'exact',
      latency: { e2eMs: [4900, 2600], llmMs: [350, 420, 390], ttsMs: [180, 200, 170], asrMs: [310, 220] },
      partial: false,
      warnings: [],
      traceIds: [expect.stringMatching(/^[0-9a-f]{32}$/)],
    });
    expect(call.turns.filter(({ role }) => role === 'caller').map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [4100, 7600],
      [16_100, 17_800],
    ]);
  });

  test('LiveKit before 1.7: words under their earlier names, and an early root', () => {
    const call = callOf(exampleSpans('livekit-python-1.6'));
    expect(told(call)).toEqual(['caller: yes try again', 'agent: It is out']);
    expect(call).toMatchObject({ providerCallId: 'AJ_old', direction: 'web', timing: 'exact', durationMs: 13_800 });
  });

  test('LiveKit in JavaScript: delays in milliseconds', () => {
    const call = callOf(exampleSpans('livekit-js-1.9'));
    expect(told(call)).toEqual(['caller: yes try again', 'calls find_parcel', 'answers 400', 'agent: It is out']);
    expect(call.latency?.asrMs).toEqual([310]);
    expect(call.turns[0]).toMatchObject({ startMs: 800, endMs: 2260 });
    expect(call.callerNumber).toBe('+15550101');
  });

  test('Pipecat: tools out of what the model was given, and a last turn that is not cut off', () => {
    const call = callOf(exampleSpans('pipecat-1.x'));
    expect(told(call)).toEqual(TALK.map((line) => line.replace(/2500|500/, 'untimed')));
    expect(call).toMatchObject({
      providerCallId: '9d0a7f1e-6a55-4a5e-9f0e-1f5c7f0f2a11',
      versionBy: { ref: '2026-11-08.3' },
      callerNumber: '+15550100',
      direction: 'inbound',
      timing: 'approx',
      latency: { e2eMs: [4900, 2600], asrMs: [340, 340] },
      partial: false,
    });
  });

  test('conventions alone: words and tools, and no times that nobody measured', () => {
    const call = callOf(exampleSpans('genai-generic'));
    expect(told(call)).toEqual([
      'caller: where is my',
      'calls find_parcel',
      'fails 800',
      'agent: I could not',
      'caller: yes try again',
      'calls find_parcel',
      'answers 800',
      'agent: It is out',
    ]);
    expect(call).toMatchObject({ channel: 'text', timing: 'none', disconnectionReason: 'completed', partial: false });
  });
});

/** What the packages themselves sent of a typed talk with a model that follows a script; trimmed. */
describe('typed talks of the real packages', () => {
  const talk = (timed: string) => [
    'caller: I want a',
    'calls find_table',
    `fails ${timed.split(' ')[0]}`,
    'agent: I could not',
    'caller: Then try eight,',
    'calls find_table',
    `answers ${timed.split(' ')[1]}`,
    'agent: A table for',
  ];

  test('LiveKit Agents 1.8.9', () => {
    const call = callOf(exampleSpans('livekit-1.8.9-typed'));
    expect(told(call)).toEqual(talk('124 122'));
    expect(call).toMatchObject({ channel: 'text', versionBy: { ref: '7' }, ending: { family: 'agent_end' } });
    expect(call.turns.map(({ toolResult }) => toolResult?.body).filter(Boolean)).toEqual([
      'booking system timed out',
      { status: 'booked', time: '20:00' },
    ]);
  });

  test('Pipecat 1.14.0', () => {
    const call = callOf(exampleSpans('pipecat-1.14.0-typed'));
    expect(told(call)).toEqual(talk('untimed untimed'));
    expect(call).toMatchObject({ providerCallId: 'conv-1', versionBy: { ref: '7' }, callerNumber: '+15550100' });
    expect(call.latency?.llmMs).toHaveLength(4);
  });
});

describe('spans that came in badly', () => {
  test.each(['livekit-python-1.8', 'livekit-python-1.6', 'livekit-js-1.9', 'pipecat-1.x', 'genai-generic'])(
    '%s out of order says the same',
    (name) => {
      const spans = exampleSpans(name);
      const shuffled = [
        ...spans.filter((_, at) => at % 3 === 1),
        ...spans.filter((_, at) => at % 3 !== 1).toReversed(),
      ];
      expect(callOf(shuffled)).toEqual(callOf(spans));
    },
  );

  test('a call without its end is closed, and says that it may be incomplete', () => {
    const call = callOf(talkSpans('RM_1', { trace: 'one', from: 0 }, 'a').slice(0, 3));
    expect(told(call)).toEqual(['caller: question of a', 'agent: answer to a']);
    expect(call.partial).toBe(true);
    expect(call.warnings).toEqual([expect.stringContaining('closed after a silence')]);
  });

  test('clocks that disagree are noted, and no time is below zero', () => {
    const spans = talkSpans('RM_1', { trace: 'one', from: 0 }, 'a').map((span) =>
      span.name === 'user_turn' ? { ...span, startMs: T0 - 9_000, endMs: T0 - 7_000 } : span,
    );
    const call = callOf(spans);
    expect(call.warnings).toEqual(["Spans begin 9 s before their call does: the senders' clocks disagree."]);
    expect(call.turns.every(({ startMs, endMs }) => (startMs ?? 0) >= 0 && (endMs ?? 0) >= (startMs ?? 0))).toBe(true);
    expect(told(call)).toEqual(['caller: question of a', 'agent: answer to a']);
  });

  test('words that the sender keeps back are said to be missing', () => {
    const session = makeSpan({ id: 's', name: 'agent_session', from: 0, to: 9, attributes: { 'lk.agent_label': 'a' } });
    const turn = makeSpan({ id: 'u', name: 'user_turn', parent: 's', from: 1, to: 3 });
    const speech = makeSpan({ id: 'v', name: 'user_speaking', parent: 'u', from: 1, to: 2 });
    const call = callOf([session, turn, speech]);
    expect(call).toMatchObject({ partial: true, warnings: [expect.stringContaining('LIVEKIT_TELEMETRY_ALLOW_PII')] });
    expect(call.turns).toMatchObject([{ role: 'caller', text: '', wordsMissing: true, startMs: 1000, endMs: 2000 }]);
  });

  test('what was typed stands once, however many steps the answer took', () => {
    const session = makeSpan({ id: 's', name: 'agent_session', from: 0, to: 9, attributes: { 'lk.agent_label': 'a' } });
    const step = (id: string, from: number, text: string) =>
      makeSpan({
        id,
        name: 'agent_turn',
        parent: 's',
        from,
        to: from + 1,
        attributes: { 'lk.speech_id': 'one', 'lk.user_input': 'Book a table.', 'lk.response.text': text },
      });
    expect(told(callOf([session, step('a', 1, ''), step('b', 3, 'Booked.')]))).toEqual([
      'caller: Book a table.',
      'agent: Booked.',
    ]);
  });

  test('a tool that the agent does not have is seen as a call that fails', () => {
    const calls = [{ call_id: 'c1', name: 'no_such_tool', arguments: '{"a":1}' }];
    const spans = [
      ...talkSpans('RM_1', { trace: 'one', from: 0 }, 'a'),
      makeSpan({
        id: 'l',
        trace: 'one',
        name: 'llm_node',
        parent: 'a-a',
        from: 3,
        to: 3.5,
        attributes: { 'lk.pii.response.function_calls': JSON.stringify(calls) },
      }),
    ];
    expect(told(callOf(spans))).toContain('calls no_such_tool');
    expect(callOf(spans).turns.find(({ toolResult }) => toolResult)?.toolResult).toMatchObject({
      ok: false,
      okSource: 'missing',
    });
  });

  test('odd values of every attribute never cost the call', () => {
    const oddities: Json[] = [null, true, -1, 1e300, '', '{', '[[[', [], {}, ['x'], { a: { b: 1 } }];
    for (const odd of oddities) {
      const spans = exampleSpans('livekit-python-1.8').map((span) => ({
        ...span,
        attributes: Object.fromEntries(Object.keys(span.attributes).map((key) => [key, odd])),
      }));
      expect(() => callOf(spans)).not.toThrow();
      const pipecat = exampleSpans('pipecat-1.x').map((span) => ({
        ...span,
        attributes: Object.fromEntries(Object.keys(span.attributes).map((key) => [key, odd])),
      }));
      expect(() => callOf(pipecat)).not.toThrow();
    }
  });
});
