import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import type { Json, JsonObject } from '../../src/domain/json.ts';
import { elevenLabsEnding } from '../../src/platforms/elevenlabs/endings.ts';
import { normaliseElevenLabs } from '../../src/platforms/elevenlabs/normalise.ts';
import { readOrRefuse } from '../support/attempt.ts';

const NOW_MS = Date.UTC(2026, 10, 1);
const START_S = Date.UTC(2026, 9, 5, 14) / 1000;

const read = (over: JsonObject, metadata: JsonObject = {}): NormalisedCall =>
  normaliseElevenLabs(
    {
      conversation_id: 'conv-a',
      status: 'done',
      version_id: 'agtvrsn_7',
      metadata: { start_time_unix_secs: START_S, call_duration_secs: 60, ...metadata },
      ...over,
    },
    NOW_MS,
  );

const said = (role: string, message: string, atS: number, over: JsonObject = {}): JsonObject => ({
  role,
  message,
  time_in_call_secs: atS,
  tool_calls: [],
  tool_results: [],
  ...over,
});
const tool = (name: string, result: JsonObject, type = 'webhook'): JsonObject => ({
  tool_calls: [{ type, request_id: `r-${name}`, tool_name: name, params_as_json: '{"day":"monday"}' }],
  tool_results: [{ type, request_id: `r-${name}`, tool_name: name, is_error: false, ...result }],
});
const at = (node: string): JsonObject => ({ agent_metadata: { workflow_node_id: node } });

describe('a conversation of ElevenLabs', () => {
  test('seconds become milliseconds, and the end follows from start and length', () => {
    const call = read(
      {},
      { cost_fiat: 0.062, main_language: 'en', phone_call: { direction: 'inbound', external_number: '+12025550143' } },
    );
    expect(call).toMatchObject({
      startedAt: '2026-10-05T14:00:00.000Z',
      endedAt: '2026-10-05T14:01:00.000Z',
      durationMs: 60_000,
      costUsd: 0.062,
      direction: 'inbound',
      language: 'en',
      callerNumber: '+12025550143',
      versionBy: { ref: 'agtvrsn_7' },
    });
  });

  test('a start of 0 is no start, and credits are no money', () => {
    expect(read({}, { start_time_unix_secs: 0, cost: 312 })).toMatchObject({
      startedAt: null,
      endedAt: null,
      costUsd: null,
    });
  });

  test('a turn that speaks and calls a tool becomes speech, tool call and result, in this order', () => {
    const { turns } = read({
      transcript: [
        said('user', 'Move my appointment.', 2),
        said('agent', 'One moment.', 4, tool('lookup', { result_value: '{"found": true}', tool_latency_secs: 1.5 })),
      ],
    });
    expect(turns.map(({ role, text }) => [role, text])).toEqual([
      ['caller', 'Move my appointment.'],
      ['agent', 'One moment.'],
      ['agent', ''],
      ['tool', ''],
    ]);
    expect(turns[3]?.toolResult).toMatchObject({ name: 'lookup', ok: true, latencyMs: 1500 });
  });

  test('a result flagged as an error failed, and a success whose body is an error failed too', () => {
    const { turns } = read({
      transcript: [
        said('agent', '', 1, tool('a', { is_error: true, result_value: 'x', error_type: 'timeout' })),
        said('agent', '', 2, tool('b', { result_value: '{"error": "connection reset"}' })),
        said('agent', '', 3, tool('c', { is_blocked: true, result_value: '' })),
      ],
    });
    const results = turns.flatMap(({ toolResult }) =>
      toolResult ? [[toolResult.name, toolResult.ok, toolResult.okSource]] : [],
    );
    expect(results).toEqual([
      ['a', false, 'flag'],
      ['b', false, 'body'],
      ['c', false, 'flag'],
    ]);
  });

  test('routing is no tool: it is a transition, and tools nested in it are taken out', () => {
    const route: JsonObject = {
      tool_calls: [{ type: 'workflow', request_id: 'w', tool_name: 'notify_condition_1_met', params_as_json: '{}' }],
      tool_results: [
        {
          type: 'workflow',
          request_id: 'w',
          tool_name: 'notify_condition_1_met',
          is_error: false,
          result: {
            steps: [
              { type: 'edge', target_node_id: 'lookup' },
              {
                type: 'nested_tools',
                node_id: 'lookup',
                requests: [{ request_id: 'n', tool_name: 'find_booking', params_as_json: '{}' }],
                results: [{ request_id: 'n', tool_name: 'find_booking', is_error: true, result_value: 'down' }],
              },
            ],
          },
        },
      ],
    };
    const { turns, transitions } = read({
      transcript: [
        said('agent', 'Hello.', 0, at('start')),
        said('user', 'Book.', 2),
        said('agent', '', 3, { ...route, ...at('start') }),
      ],
    });
    expect(turns.flatMap(({ toolCall }) => (toolCall ? [toolCall.name] : []))).toEqual(['find_booking']);
    expect(transitions).toMatchObject([{ fromId: 'start', toId: 'lookup', kind: 'workflow' }]);
    expect(turns.at(-1)?.toolResult?.ok).toBe(false);
  });

  test('times are whole seconds and so approximate; what the caller felt as waiting is told apart', () => {
    const call = read({
      transcript: [
        said('user', 'Hi.', 1),
        said('agent', 'Hello.', 3, {
          conversation_turn_metrics: { metrics: { convai_ttf_audio_since_silence: { elapsed_time: 1.23 } } },
        }),
      ],
    });
    expect(call.timing).toBe('approx');
    expect(call.latency?.e2eMs).toEqual([1230]);
  });

  test.each<[string, Parameters<typeof elevenLabsEnding>[0], string, string]>([
    [
      'a transfer',
      {
        systemResults: ['transfer_to_number_twilio_success'],
        callResult: null,
        errorCode: null,
        terminationReason: 'Call ended by remote party',
        failed: false,
      },
      'transferred',
      'transfer',
    ],
    [
      'a transfer that failed',
      {
        systemResults: ['transfer_to_number_error'],
        callResult: null,
        errorCode: null,
        terminationReason: null,
        failed: false,
      },
      'unresolved',
      'transfer',
    ],
    [
      'a busy line',
      { systemResults: [], callResult: 'busy', errorCode: null, terminationReason: '', failed: false },
      'no_contact',
      'dial',
    ],
    [
      'a model error',
      { systemResults: [], callResult: null, errorCode: 'llm_error', terminationReason: '', failed: true },
      'unresolved',
      'technical',
    ],
    [
      'a hang-up by the caller',
      {
        systemResults: [],
        callResult: null,
        errorCode: null,
        terminationReason: 'Call ended by remote party',
        failed: false,
      },
      'unknown',
      'caller_end',
    ],
    [
      'silence',
      {
        systemResults: [],
        callResult: null,
        errorCode: null,
        terminationReason: 'ended due to inactivity',
        failed: false,
      },
      'abandoned',
      'silence',
    ],
    [
      'an empty reason',
      { systemResults: [], callResult: null, errorCode: null, terminationReason: '', failed: false },
      'unknown',
      'unknown',
    ],
  ])('%s is read from where it shows', (_, facts, hint, family) => {
    expect(elevenLabsEnding(facts)).toMatchObject({ hint, family });
  });

  test('whatever comes is read, or refused with a reason; nothing else is thrown', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.jsonValue({ maxDepth: 4 }), (payload, transcript) => {
        for (const candidate of [payload, { conversation_id: 'x', status: 'done', metadata: payload, transcript }]) {
          const outcome = readOrRefuse(() => normaliseElevenLabs(candidate as Json, NOW_MS));
          if (outcome === null) continue;
          expect(outcome.turns.map(({ index }) => index)).toEqual(outcome.turns.map((_, nth) => nth));
        }
      }),
      { numRuns: 300 },
    );
  });
});

const EXAMPLE = new URL('../../../shared/facts/elevenlabs-conversation.example.json', import.meta.url);

test.skipIf(!existsSync(EXAMPLE))(
  'the example has six spoken turns, two tools, one failure, one interruption, one move',
  () => {
    const call = normaliseElevenLabs(JSON.parse(readFileSync(EXAMPLE, 'utf8')) as Json, NOW_MS);
    const results = call.turns.flatMap(({ toolResult }) => (toolResult ? [toolResult] : []));
    expect(call.turns.filter(({ text }) => text !== '')).toHaveLength(6);
    expect(results.map(({ name, ok }) => [name, ok])).toEqual([
      ['lookup_booking', false],
      ['end_call', true],
    ]);
    expect(call.turns.filter(({ interrupted }) => interrupted)).toHaveLength(1);
    expect(call.transitions).toMatchObject([{ fromId: 'start_node', toId: 'node_booking' }]);
    expect(call).toMatchObject({ ending: { family: 'agent_end' }, variables: { clinic_name: 'Riverside Dental' } });
  },
);
