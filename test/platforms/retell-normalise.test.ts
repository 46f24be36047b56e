import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import type { Json, JsonObject } from '../../src/domain/json.ts';
import { UnreadableCall } from '../../src/platforms/port.ts';
import { normaliseRetell } from '../../src/platforms/retell/normalise.ts';
import { readOrRefuse } from '../support/attempt.ts';

const NOW_MS = Date.UTC(2026, 10, 1);
const START_MS = Date.UTC(2026, 9, 5, 14);

const read = (over: JsonObject): NormalisedCall =>
  normaliseRetell({ call_id: 'call_a', call_status: 'ended', agent_version: 2, ...over }, NOW_MS);

const said = (role: string, text: string, start: number, end: number): JsonObject => {
  const words = text.split(' ');
  const step = (end - start) / words.length;
  return {
    role,
    content: text,
    words: words.map((word, nth) => ({ word, start: start + nth * step, end: start + (nth + 1) * step })),
  };
};

const woven = (...entries: Json[]): JsonObject => ({ duration_ms: 60_000, transcript_with_tool_calls: entries });

describe('the call', () => {
  test('money is in dollars, times are ISO, the caller is who is not the agent', () => {
    const call = read({
      start_timestamp: START_MS,
      end_timestamp: START_MS + 5_000,
      call_cost: { combined_cost: 4.79 },
      call_type: 'phone_call',
      direction: 'outbound',
      from_number: '+12025550100',
      to_number: '+12025550177',
    });
    expect(call).toMatchObject({
      startedAt: '2026-10-05T14:00:00.000Z',
      durationMs: 5_000,
      costUsd: 0.0479,
      direction: 'outbound',
      callerNumber: '+12025550177',
      version: 2,
      channel: 'voice',
    });
  });

  test.each(['anonymous', 'Restricted', '+266696687', '', '   ', 'unknown'])(
    'a withheld number identifies nobody (%s)',
    (number) => {
      expect(read({ call_type: 'phone_call', direction: 'inbound', from_number: number }).callerNumber).toBeNull();
    },
  );

  test.each([
    ['user_hangup', 'unknown', 'caller_end', 'caller'],
    ['agent_hangup', 'unknown', 'agent_end', 'agent'],
    ['call_transfer', 'transferred', 'transfer', 'agent'],
    ['transfer_cancelled', 'unresolved', 'transfer', 'platform'],
    ['dial_no_answer', 'no_contact', 'dial', 'platform'],
    ['no_valid_payment', 'no_contact', 'capacity', 'platform'],
    ['error_llm_websocket_runtime', 'unresolved', 'technical', 'platform'],
    ['error_of_next_year', 'unresolved', 'technical', 'platform'],
    ['sip_something_new', 'no_contact', 'dial', 'platform'],
    ['a new reason', 'unknown', 'unknown', 'unknown'],
    ['constructor', 'unknown', 'unknown', 'unknown'],
  ])('the end reason %s is kept and hints at %s', (reason, hint, family, endedBy) => {
    const call = read({ disconnection_reason: reason });
    expect(call.disconnectionReason).toBe(reason);
    expect(call.ending).toEqual({ hint, family, endedBy });
  });

  test('no hint ever says resolved', () => {
    const hints = ['user_hangup', 'agent_hangup', 'call_transfer', 'voicemail_reached', 'manual_stopped'].map(
      (reason) => read({ disconnection_reason: reason }).ending.hint,
    );
    expect(hints).not.toContain('resolved');
  });

  test('what the platform concluded is kept beside the call', () => {
    const call = read({
      call_analysis: { call_summary: 'Moved.', call_successful: true, user_sentiment: 'Positive', in_voicemail: false },
    });
    expect(call.platformAnalysis).toEqual({
      summary: 'Moved.',
      successful: true,
      sentiment: 'Positive',
      inVoicemail: false,
    });
  });

  test('a transcript that was not stored makes the call partial, with a reason', () => {
    const call = read({ duration_ms: 30_000, data_storage_setting: 'basic_attributes_only' });
    expect(call.partial).toBe(true);
    expect(call.warnings.join(' ')).toContain('does not store the transcript');
  });

  test('the redacted transcript goes before the open one', () => {
    const call = read({
      transcript_with_tool_calls: [said('user', 'my card is 4000', 1, 2)],
      scrubbed_transcript_with_tool_calls: [said('user', 'my card is [card]', 1, 2)],
    });
    expect(call.turns[0]?.text).toBe('my card is [card]');
    expect(call.partial).toBe(true);
  });

  test('plain text is read where there is nothing else', () => {
    const call = read({ transcript: 'Agent: Hello.\nUser: I want\nto book.\nAgent: Sure.\n' });
    expect(call.turns.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'agent: Hello.',
      'caller: I want to book.',
      'agent: Sure.',
    ]);
    expect(call.timing).toBe('none');
  });

  test('an answering machine is nobody who calls', () => {
    const call = read({
      disconnection_reason: 'voicemail_reached',
      ...woven(said('user', 'leave a message', 1, 3), said('agent', 'Hello', 4, 5)),
    });
    expect(call.turns.map(({ role }) => role)).toEqual(['other', 'agent']);
  });
});

describe('turns', () => {
  test('a tool call and its result stay two turns, and positions are those of our list', () => {
    const call = read(
      woven(
        { role: 'node_transition', former_node_id: 'begin', new_node_id: 'n1', new_node_name: 'One' },
        said('agent', 'Hello there', 0.5, 1),
        said('user', 'Where is it', 2, 3),
        { role: 'tool_call_invocation', tool_call_id: 't1', name: 'look', arguments: '{"id": 7}', time_sec: 3.5 },
        { role: 'tool_call_result', tool_call_id: 't1', content: '{"found": true}', successful: true, time_sec: 4.75 },
        { role: 'node_transition', former_node_id: 'n1', new_node_id: 'n2', new_node_name: 'Two', time_sec: 4.8 },
        said('agent', 'In Reno', 5.5, 6),
      ),
    );
    expect(call.turns.map(({ index, role, nodeId }) => [index, role, nodeId])).toEqual([
      [0, 'agent', 'n1'],
      [1, 'caller', 'n1'],
      [2, 'agent', 'n1'],
      [3, 'tool', 'n1'],
      [4, 'agent', 'n2'],
    ]);
    expect(call.turns[2]).toMatchObject({ text: '', toolCall: { id: 't1', name: 'look', args: { id: 7 } } });
    expect(call.turns[3]?.toolResult).toEqual({
      id: 't1',
      name: 'look',
      ok: true,
      okSource: 'body',
      body: { found: true },
      latencyMs: 1_250,
    });
    expect(call.transitions).toEqual([
      { atTurn: 0, atMs: null, fromId: 'begin', toId: 'n1', toLabel: 'One', kind: 'normal' },
      { atTurn: 4, atMs: 4_800, fromId: 'n1', toId: 'n2', toLabel: 'Two', kind: 'normal' },
    ]);
  });

  test('keys, messages, injected text and a colleague are nobody of the two', () => {
    const call = read(
      woven(
        { role: 'dtmf', digit: '5' },
        { role: 'sms', content: 'link', time_sec: 2 },
        { role: 'injected', content: 'note' },
        said('transfer_target', 'Front desk', 3, 4),
        { role: 'hologram', content: 'new' },
      ),
    );
    expect(call.turns.map(({ role, text, dtmf }) => [role, text, dtmf])).toEqual([
      ['other', '', '5'],
      ['other', 'link', null],
      ['other', 'note', null],
      ['other', 'Front desk', null],
      ['other', 'new', null],
    ]);
    expect(call.warnings).toEqual(['Transcript entries of the unknown role "hologram".']);
  });

  test('a step that leads to itself is no move', () => {
    const call = read(
      woven(
        { role: 'node_transition', new_node_id: 'n1' },
        { role: 'node_transition', former_node_id: 'n1', new_node_id: 'n1' },
      ),
    );
    expect(call.transitions).toHaveLength(1);
  });

  test('turns before the first move lie in the step that it left', () => {
    const call = read(
      woven(
        said('agent', 'Hi', 0, 1),
        { role: 'node_transition', former_node_id: 'start', new_node_id: 'n2' },
        said('agent', 'So', 2, 3),
      ),
    );
    expect(call.turns.map(({ nodeId }) => nodeId)).toEqual(['start', 'n2']);
  });

  test('states of a prompt are steps too', () => {
    const call = read(
      woven(
        { role: 'tool_call_invocation', tool_call_id: 't', name: 'transition_to_booking', arguments: '{}' },
        { role: 'tool_call_result', tool_call_id: 't', content: 'ok' },
        said('agent', 'So', 2, 3),
      ),
    );
    expect(call.transitions).toMatchObject([{ toId: 'booking', kind: 'state' }]);
    expect(call.turns.at(-1)?.nodeId).toBe('booking');
  });

  test('an agent turn is cut off when the caller begins well before its end', () => {
    const call = read(
      woven(
        said('agent', 'Let me tell you all about it', 1, 5),
        said('user', 'No', 4.8, 5.2),
        said('agent', 'Fine then', 6, 7),
        said('user', 'Bye', 6.9, 7.2),
      ),
    );
    expect(call.turns.map(({ interrupted }) => interrupted)).toEqual([true, false, false, false]);
  });

  test('a step that goes back for an interruption marks the agent turn before it', () => {
    const call = read(
      woven(said('agent', 'Let me', 1, 2), {
        role: 'node_transition',
        former_node_id: 'a',
        new_node_id: 'b',
        transition_type: 'interrupt_go_back',
      }),
    );
    expect(call.turns[0]?.interrupted).toBe(true);
  });
});

describe('tool results', () => {
  const result = (entry: JsonObject) =>
    read(
      woven(
        { role: 'tool_call_invocation', tool_call_id: 't', name: 'look', arguments: '{}' },
        { role: 'tool_call_result', tool_call_id: 't', ...entry },
      ),
    ).turns[1]?.toolResult;

  test.each<[string, JsonObject, boolean | null, string]>([
    ['a flag of failure wins', { content: '{"found": true}', successful: false }, false, 'flag'],
    [
      'an error in the body beats a flag of success',
      { content: '{"status": "error", "message": "boom"}', successful: true },
      false,
      'body',
    ],
    ['a status of 500 in the body', { content: '{"status": 500}', successful: true }, false, 'body'],
    ['text that begins with an error', { content: 'Error: socket hang up', successful: true }, false, 'body'],
    ['an empty list is an answer', { content: '{"slots": []}', successful: true }, true, 'body'],
    ['a refusal is an answer', { content: '{"found": false, "message": "No patient found"}' }, true, 'body'],
    ['nothing but the flag', { successful: true }, true, 'flag'],
    ['nothing at all', {}, null, 'unknown'],
  ])('%s', (_what, entry, ok, okSource) => {
    expect(result(entry)).toMatchObject({ ok, okSource });
  });

  test('a tool that never answered failed, once the call is over', () => {
    const call = read(
      woven(
        said('user', 'Hi', 1, 2),
        { role: 'tool_call_invocation', tool_call_id: 't', name: 'look', arguments: '{}', time_sec: 3 },
        { role: 'node_transition', new_node_id: 'n2' },
        said('agent', 'Hm', 20, 21),
      ),
    );
    expect(call.turns.map(({ role }) => role)).toEqual(['caller', 'agent', 'tool', 'agent']);
    expect(call.turns.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(call.turns[2]?.toolResult).toMatchObject({ ok: false, okSource: 'missing', name: 'look' });
    expect(call.transitions[0]?.atTurn).toBe(3);
  });

  test('nothing follows from a tool that was started as the call ended, or that ends it', () => {
    const late = read({
      duration_ms: 4_000,
      transcript_with_tool_calls: [{ role: 'tool_call_invocation', tool_call_id: 't', name: 'look', time_sec: 3 }],
    });
    expect(late.turns[1]?.toolResult).toMatchObject({ ok: null, okSource: 'missing' });
    for (const name of ['end_call', 'transfer_call', 'hang_up', 'transfer_to_desk']) {
      expect(read(woven({ role: 'tool_call_invocation', tool_call_id: 't', name })).turns).toHaveLength(1);
    }
  });

  test('a call that still goes on waits for its tools', () => {
    expect(
      read({ call_status: 'ongoing', ...woven({ role: 'tool_call_invocation', tool_call_id: 't', name: 'look' }) })
        .turns,
    ).toHaveLength(1);
  });

  test('results without ids go to the oldest call', () => {
    const call = read(
      woven(
        { role: 'tool_call_invocation', name: 'a' },
        { role: 'tool_call_invocation', name: 'b' },
        { role: 'tool_call_result', content: '{"x":1}' },
        { role: 'tool_call_result', content: '{"x":2}' },
      ),
    );
    expect(call.turns.slice(2).map(({ toolResult }) => toolResult?.name)).toEqual(['a', 'b']);
  });
});

describe('odd payloads are read, with a note', () => {
  const odd: [string, JsonObject, Partial<NormalisedCall>, string?][] = [
    ['seconds for milliseconds', { start_timestamp: START_MS / 1000 }, { startedAt: null }, 'lies before 2020'],
    ['a start in two days', { start_timestamp: NOW_MS + 2 * 86_400_000 }, { startedAt: null }, 'lies in the future'],
    ['a start of nonsense', { start_timestamp: 'yesterday' }, { startedAt: null }],
    ['times as text', { start_timestamp: String(START_MS) }, { startedAt: '2026-10-05T14:00:00.000Z' }],
    ['a negative duration', { duration_ms: -5 }, { durationMs: 0 }, "can't be right"],
    ['a duration of years', { duration_ms: 1e15 }, { durationMs: 0 }, "can't be right"],
    ['an end before the start', { start_timestamp: START_MS, end_timestamp: START_MS - 5_000 }, { durationMs: 0 }],
    ['no version', { agent_version: null }, { version: 1 }, 'no agent version'],
    ['half a version', { agent_version: 2.5 }, { version: 1 }, 'no agent version'],
    ['negative money', { call_cost: { combined_cost: -1 } }, { costUsd: null }],
    ['money as a list', { call_cost: [] as Json }, { costUsd: null }],
    [
      'latency of other types',
      { latency: { e2e: { values: [100, 'x', null, -5, '200'] } } },
      { latency: { e2eMs: [100, 200], llmMs: [], ttsMs: [], asrMs: [] } },
    ],
    [
      'variables of other types',
      { retell_llm_dynamic_variables: { a: 1, b: null, c: 'x' } },
      { variables: { a: '1', b: 'null', c: 'x' } },
    ],
    ['a transcript that is a number', { transcript_with_tool_calls: 7, transcript: 8 }, { turns: [] }],
    [
      'entries that are no objects',
      { transcript_with_tool_calls: [null, 7, 'x', []] },
      { turns: [] },
      '4 transcript entries',
    ],
    ['an end reason that is a number', { disconnection_reason: 5 }, { disconnectionReason: 'unknown' }],
    [
      'null everywhere',
      Object.fromEntries(
        ['start_timestamp', 'transcript', 'latency', 'call_cost', 'call_analysis', 'direction'].map((name) => [
          name,
          null,
        ]),
      ),
      { turns: [], timing: 'none' },
    ],
  ];

  test.each(odd)('%s', (_what, payload, expected, warning) => {
    const call = read(payload);
    expect(call).toMatchObject(expected);
    expect(call.warnings.join(' ')).toContain(warning ?? '');
  });

  test('words in milliseconds are no times', () => {
    const call = read({
      duration_ms: 10_000,
      transcript_with_tool_calls: [said('agent', 'Hello there', 400, 900), said('user', 'Hi', 1_200, 1_500)],
    });
    expect(call.timing).toBe('none');
    expect(call.warnings.join(' ')).toContain('were left out');
  });

  test('words that end before they begin are left out', () => {
    const call = read(
      woven({
        role: 'agent',
        content: 'a b',
        words: [
          { word: 'a', start: 5, end: 4 },
          { word: 'b', start: 5, end: 6 },
          { word: 'c', start: -1, end: 2 },
          null,
          'x',
        ],
      }),
    );
    expect(call.turns[0]).toMatchObject({ startMs: 5_000, endMs: 6_000 });
  });

  test('turns out of order are not trusted for timing', () => {
    expect(read(woven(said('agent', 'Late', 30, 31), said('user', 'Early', 2, 3))).timing).toBe('approx');
  });

  test('NUL and lone surrogates come through as they are', () => {
    expect(read(woven({ role: 'user', content: 'a\u0000b\ud800c' })).turns[0]?.text).toBe('a\u0000b\ud800c');
  });

  test('a body nested without end is kept as text', () => {
    const deep = '{"a":'.repeat(500) + '1' + '}'.repeat(500);
    const call = read(woven({ role: 'tool_call_result', tool_call_id: 't', content: deep }));
    expect(call.turns[0]?.toolResult?.body).toBe(deep);
  });

  test.each([
    null,
    7,
    'text',
    [],
    {},
    { call_id: '' },
    { call_id: null },
    { call_id: {} },
    { call_id: 'x'.repeat(300) },
  ])('%o is no call', (payload) => {
    expect(() => normaliseRetell(payload as Json, NOW_MS)).toThrow(UnreadableCall);
  });
});

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const names = [
  'call_status',
  'start_timestamp',
  'end_timestamp',
  'duration_ms',
  'agent_version',
  'call_type',
  'direction',
  'from_number',
  'disconnection_reason',
  'transcript',
  'transcript_object',
  'transcript_with_tool_calls',
  'latency',
  'call_analysis',
  'call_cost',
  'retell_llm_dynamic_variables',
  'data_storage_setting',
];
const roles = fc.constantFrom(
  'agent',
  'user',
  'tool_call_invocation',
  'tool_call_result',
  'node_transition',
  'dtmf',
  'sms',
  'transfer_target',
  'new',
);
const fields = [
  'content',
  'words',
  'tool_call_id',
  'name',
  'arguments',
  'successful',
  'time_sec',
  'digit',
  'former_node_id',
  'new_node_id',
  'transition_type',
];
const entry = fc
  .tuple(
    roles,
    fc.dictionary(
      fc.constantFrom(...fields),
      fc.oneof(json, fc.constantFrom<Json>('t1', '{"error":"x"}', [{ word: 'a', start: 1, end: 2 }], false, 3.5)),
    ),
  )
  .map(([role, rest]) => ({ ...rest, role }));

describe('whatever comes', () => {
  test('a payload is read, or refused with a reason; nothing else is thrown', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('call_id', ...names), json),
        fc.array(entry, { maxLength: 12 }),
        fc.boolean(),
        (payload, entries, wovenIn) => {
          const full = wovenIn ? { call_id: 'c', ...payload, transcript_with_tool_calls: entries } : payload;
          const call = readOrRefuse(() => normaliseRetell(full, NOW_MS));
          const turns = call?.turns ?? [];
          expect(turns.map(({ index }) => index)).toEqual(turns.map((_turn, nth) => nth));
          expect(turns.filter(({ startMs }) => startMs !== null && startMs < 0)).toEqual([]);
          expect(call?.durationMs ?? 0).toBeGreaterThanOrEqual(0);
          expect(() => JSON.stringify(call)).not.toThrow();
        },
      ),
      { numRuns: 1_500 },
    );
  });

  test('the same payload gives the same call', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), (entries) => {
        const payload = { call_id: 'c', transcript_with_tool_calls: entries };
        expect(normaliseRetell(payload, NOW_MS)).toEqual(normaliseRetell(structuredClone(payload), NOW_MS));
      }),
      { numRuns: 200 },
    );
  });
});

const examples = process.env.EARSHOT_FACTS ?? new URL('../../../shared/facts', import.meta.url).pathname;
const example = (name: string) => JSON.parse(readFileSync(`${examples}/${name}`, 'utf8')) as Json;

describe.skipIf(!existsSync(`${examples}/retell-call.example.json`))(
  'the example payloads (set EARSHOT_FACTS to their folder)',
  () => {
    test('a call with a failed look-up: 7 spoken turns, 2 tool results, 1 failure, 1 interruption, 3 moves', () => {
      const call = normaliseRetell(example('retell-call.example.json'), NOW_MS);
      expect(call.turns.filter(({ text }) => text !== '')).toHaveLength(7);
      expect(call.turns.filter(({ toolResult }) => toolResult !== null)).toHaveLength(2);
      expect(call.turns.filter(({ toolResult }) => toolResult?.ok === false)).toHaveLength(1);
      expect(call.turns.filter(({ interrupted }) => interrupted)).toHaveLength(1);
      expect(call.transitions.map(({ fromId }) => fromId)).toEqual(['begin', 'node_greet', 'node_lookup']);
      expect(call).toMatchObject({ timing: 'exact', warnings: [], partial: false });
    });

    test('a call that nobody answered', () => {
      const call = normaliseRetell(example('retell-call-not-connected.example.json'), NOW_MS);
      expect(call).toMatchObject({
        startedAt: null,
        durationMs: 0,
        turns: [],
        ending: { hint: 'no_contact', family: 'dial' },
      });
    });
  },
);
