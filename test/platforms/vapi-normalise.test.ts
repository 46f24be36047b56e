import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import type { Json, JsonObject } from '../../src/domain/json.ts';
import { vapiEnding } from '../../src/platforms/vapi/endings.ts';
import { normaliseVapi } from '../../src/platforms/vapi/normalise.ts';
import { readOrRefuse } from '../support/attempt.ts';

const NOW_MS = Date.UTC(2026, 10, 1);
const START_MS = Date.UTC(2026, 9, 5, 14);

const read = (over: JsonObject): NormalisedCall =>
  normaliseVapi(
    {
      id: 'call-a',
      status: 'ended',
      assistantId: 'assistant-a',
      startedAt: new Date(START_MS).toISOString(),
      endedAt: new Date(START_MS + 60_000).toISOString(),
      ...over,
    },
    NOW_MS,
  );

const said = (role: string, message: string, fromS: number, toS: number, over: JsonObject = {}): JsonObject => ({
  role,
  message,
  secondsFromStart: fromS,
  time: START_MS + fromS * 1000,
  endTime: START_MS + toS * 1000,
  duration: (toS - fromS) * 1000,
  ...over,
});
const toolCall = (id: string, name: string, atS: number): JsonObject => ({
  role: 'tool_calls',
  secondsFromStart: atS,
  toolCalls: [{ id, type: 'function', function: { name, arguments: '{"day":"monday"}' } }],
});
const toolResult = (id: string, result: Json, atS: number): JsonObject => ({
  role: 'tool_call_result',
  toolCallId: id,
  result,
  secondsFromStart: atS,
});
const talk = (...messages: Json[]): JsonObject => ({ artifact: { messages } });

describe('a call of Vapi', () => {
  test('times, money, direction and the caller are read', () => {
    const call = read({ type: 'outboundPhoneCall', customer: { number: '+12025550177' }, cost: 0.061 });
    expect(call).toMatchObject({
      startedAt: '2026-10-05T14:00:00.000Z',
      durationMs: 60_000,
      costUsd: 0.061,
      direction: 'outbound',
      callerNumber: '+12025550177',
      channel: 'voice',
    });
  });

  test('a call that never connected has no start and no duration', () => {
    const call = read({ startedAt: null, endedReason: 'customer-did-not-answer' });
    expect(call).toMatchObject({ startedAt: null, durationMs: 0, ending: { hint: 'no_contact', family: 'dial' } });
  });

  test('the version is the one that the assistant was activated with', () => {
    const activations = [
      { assistantId: 'assistant-b', assistantVersion: 'v3' },
      { assistantId: 'assistant-a', assistantVersion: 'v7' },
    ];
    expect(read({ artifact: { assistantActivations: activations } })).toMatchObject({ version: 7 });
    expect(read({ assistantVersion: 'v4' })).toMatchObject({ version: 4 });
    expect(read({})).toMatchObject({ versionBy: 'at_start' });
    expect(read({ squadId: 'squad-a', assistantVersion: 'v4' })).toMatchObject({ versionBy: 'at_start' });
  });

  test('the length of a turn comes from its clock times, as `duration` claims seconds and holds milliseconds', () => {
    const { turns } = read(talk(said('bot', 'Hello.', 1, 3), said('user', 'Hi.', 4, 5)));
    expect(turns).toMatchObject([
      { role: 'agent', startMs: 1000, endMs: 3000 },
      { role: 'caller', startMs: 4000, endMs: 5000 },
    ]);
  });

  test.each([
    ['seconds', 4.2, 4.6],
    ['milliseconds', 4_200_000, 4_600_000],
    ['clock time', START_MS + 4_200, START_MS + 4_600],
  ])('word times in %s are told by their size', (unit, start, end) => {
    const metadata = { wordLevelConfidence: [{ word: 'hi', start, end, confidence: 0.9 }] };
    const { turns } = read(talk(said('user', 'hi', 4, 5, { metadata })));
    const expected = unit === 'milliseconds' ? 4_200_000 : 4_200;
    expect(turns[0]?.words?.[0]).toMatchObject({ text: 'hi', startMs: expected, confidence: 0.9 });
  });

  test('a tool without a result, or with the platform’s text for none, failed; a transfer needs none', () => {
    const { turns } = read(
      talk(
        said('bot', 'One moment.', 0, 1),
        toolCall('a', 'find_slot', 2),
        toolResult('a', 'No result returned.', 5),
        toolCall('b', 'book_slot', 6),
        said('bot', 'I will connect you.', 7, 8),
        toolCall('c', 'transferCall', 9),
      ),
    );
    const results = turns.filter(({ toolResult: result }) => result !== null);
    expect(results.map(({ toolResult: result }) => [result?.name, result?.ok, result?.latencyMs])).toEqual([
      ['find_slot', false, 3000],
      ['book_slot', false, null],
    ]);
  });

  test('in a squad each assistant is a step and a hand-over is a transition', () => {
    const { turns, transitions } = read({
      squadId: 'squad-a',
      ...talk(
        said('bot', 'Hello.', 0, 1, { assistantId: 'router', assistantName: 'Router' }),
        said('user', 'Book.', 2, 3),
        toolCall('a', 'handoff_to_bookings', 4),
        said('bot', 'Which day?', 5, 6, { assistantId: 'bookings', assistantName: 'Bookings' }),
      ),
    });
    expect(transitions).toEqual([
      { atTurn: 3, atMs: 5000, fromId: 'router', toId: 'bookings', toLabel: 'Bookings', kind: 'handoff' },
    ]);
    expect(turns.map(({ nodeId }) => nodeId)).toEqual(['router', 'router', 'router', 'bookings']);
  });

  test('a voicemail’s greeting is not the caller', () => {
    const { turns } = read({ endedReason: 'voicemail', ...talk(said('user', 'Leave a message.', 1, 4)) });
    expect(turns[0]?.role).toBe('other');
  });

  test('a plain transcript is read where there are no messages', () => {
    const { turns } = read({ artifact: { transcript: 'AI: Hello.\nUser: Hi there,\nit is me.\n' } });
    expect(turns.map(({ role, text }) => [role, text])).toEqual([
      ['agent', 'Hello.'],
      ['caller', 'Hi there, it is me.'],
    ]);
  });

  test('times far beyond the end of the call are no times', () => {
    const call = read(talk(said('bot', 'Hello.', 1_000_000 / 1000, 1_000_003 / 1000), said('user', 'Hi.', 4000, 4001)));
    expect(call.timing).toBe('none');
    expect(call.warnings.join(' ')).toContain('left out');
  });

  test.each([
    ['assistant-forwarded-call', 'transferred', 'transfer'],
    ['customer-ended-call', 'unknown', 'caller_end'],
    ['assistant-ended-call-with-hangup-task', 'unknown', 'agent_end'],
    ['silence-timed-out', 'abandoned', 'silence'],
    ['exceeded-max-duration', 'unresolved', 'limit'],
    ['call.in-progress.error-providerfault-some-new-model-503', 'unresolved', 'technical'],
    ['call.in-progress.error-vapifault-worker-not-available', 'no_contact', 'technical'],
    ['a-reason-of-tomorrow', 'unknown', 'unknown'],
  ])('the end reason %s says %s', (reason, hint, family) => {
    expect(vapiEnding(reason)).toMatchObject({ hint, family });
  });

  test('whatever comes is read, or refused with a reason; nothing else is thrown', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.jsonValue({ maxDepth: 4 }), (payload, messages) => {
        const wild = { id: 'x', status: 'ended', artifact: { messages } };
        for (const candidate of [payload, { ...wild, messages: payload }]) {
          const outcome = readOrRefuse(() => normaliseVapi(candidate as Json, NOW_MS));
          if (outcome === null) continue;
          expect(outcome.turns.map(({ index }) => index)).toEqual(outcome.turns.map((_, nth) => nth));
        }
      }),
      { numRuns: 300 },
    );
  });
});

const EXAMPLE = new URL('../../../shared/facts/vapi-call.example.json', import.meta.url);

test.skipIf(!existsSync(EXAMPLE))(
  'the example call has six spoken turns, three tools, one failure, one interruption',
  () => {
    const call = normaliseVapi(JSON.parse(readFileSync(EXAMPLE, 'utf8')) as Json, NOW_MS);
    const spoken = call.turns.filter(({ text }) => text !== '');
    const results = call.turns.filter(({ toolResult: result }) => result !== null);
    expect(spoken).toHaveLength(6);
    expect(results).toHaveLength(3);
    expect(results.filter(({ toolResult: result }) => result?.ok === false)).toHaveLength(1);
    expect(call.turns.filter(({ interrupted }) => interrupted)).toHaveLength(1);
    expect(call.transitions).toHaveLength(1);
    expect(call).toMatchObject({
      timing: 'exact',
      durationMs: 29_300,
      ending: { hint: 'transferred' },
      partial: false,
    });
    expect(call.latency?.e2eMs).toEqual([1330, 1455]);
  },
);
