import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/domain/json.ts';
import { createFileReader } from '../../src/platforms/file/reader.ts';
import { UnreadableCall } from '../../src/platforms/port.ts';
import { LATER } from '../support/spans.ts';

const reader = createFileReader(() => LATER);
const read = (record: unknown) => reader.normalise(record as Json);
const OURS = [
  ['agent', 'Hello.'],
  ['caller', 'Book a table.'],
];
const said = (record: unknown) => read(record).turns.map(({ role, text }) => [role, text]);

describe('records under the names that people have', () => {
  test.each<[string, unknown]>([
    [
      'roles of a model',
      {
        id: 1,
        turns: [
          { role: 'assistant', text: 'Hello.' },
          { role: 'user', text: 'Book a table.' },
        ],
      },
    ],
    [
      'messages',
      {
        id: 1,
        messages: [
          { role: 'bot', content: 'Hello.' },
          { role: 'human', content: 'Book a table.' },
        ],
      },
    ],
    [
      'capitals',
      {
        id: 1,
        messages: [
          { role: 'Agent', content: 'Hello.' },
          { role: 'USER', content: 'Book a table.' },
        ],
      },
    ],
    [
      'speakers',
      {
        call_id: 'a',
        transcript: [
          { speaker: 'ai', text: 'Hello.' },
          { speaker: 'customer', text: 'Book a table.' },
        ],
      },
    ],
    [
      'senders',
      {
        id: 1,
        conversation: [
          { sender: 'agent', message: 'Hello.' },
          { sender: 'client', message: 'Book a table.' },
        ],
      },
    ],
    [
      'words in parts',
      {
        sessionId: 's',
        items: [
          { type: 'message', role: 'assistant', content: ['Hello.'] },
          {
            type: 'message',
            role: 'user',
            content: [
              { type: 'text', text: 'Book' },
              { type: 'text', text: 'a table.' },
            ],
          },
        ],
      },
    ],
    [
      'what only the model is told',
      {
        id: 1,
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'assistant', content: 'Hello.' },
          { role: 'developer', content: 'Be short.' },
          { role: 'user', content: 'Book a table.' },
        ],
      },
    ],
  ])('%s', (_what, record) => {
    expect(said(record)).toEqual(OURS);
  });

  test('tools as OpenAI writes them, several in one answer too', () => {
    const fn = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{"people":4}' } });
    const call = read({
      id: 1,
      messages: [
        { role: 'assistant', content: null, tool_calls: [fn('a', 'find'), fn('b', 'book')] },
        { role: 'tool', tool_call_id: 'a', content: '{"error":"timed out"}' },
        { role: 'tool', tool_call_id: 'b', content: '{"status":"booked"}' },
      ],
    });
    expect(call.turns.map(({ role, toolCall, toolResult }) => [role, toolCall, toolResult])).toMatchObject([
      ['agent', { id: 'a', name: 'find', args: { people: 4 } }, null],
      ['agent', { id: 'b', name: 'book', args: { people: 4 } }, null],
      ['tool', null, { id: 'a', ok: false, body: { error: 'timed out' } }],
      ['tool', null, { id: 'b', ok: true, body: { status: 'booked' } }],
    ]);
  });

  test.each<[string, object, object]>([
    ['our own are milliseconds', {}, { startMs: 1_200, endMs: 3_400 }],
    ['seconds by their name', {}, { startSeconds: 1.2, endSeconds: 3.4 }],
    ['seconds where nothing is said', {}, { start: 1.2, end: 3.4 }],
    ['milliseconds where it is said', { timeUnit: 'milliseconds' }, { start_time: 1_200, end_time: 3_400 }],
    ['clock times in seconds', { startedAt: 1794306600 }, { start: 1794306601.2, end: 1794306603.4 }],
    [
      'clock times as text',
      { started_at: '2026-11-10T10:30:00.000Z' },
      { start: '2026-11-10T10:30:01.200Z', end: '2026-11-10T10:30:03.400Z' },
    ],
  ])('times: %s', (_what, record, times) => {
    const [turn] = read({ id: 1, ...record, turns: [{ role: 'user', text: 'Hi.', ...times }] }).turns;
    expect(turn).toMatchObject({ startMs: 1_200, endMs: 3_400 });
  });

  test.each<[string, unknown, string | null]>([
    ['start in seconds', 1794306600, '2026-11-10T10:30:00.000Z'],
    ['start in milliseconds', 1794306600000, '2026-11-10T10:30:00.000Z'],
    ['start as text', '2026-11-10T11:30:00+01:00', '2026-11-10T10:30:00.000Z'],
    ['a number that is no time', 12, null],
  ])('%s', (_what, startTime, expected) => {
    expect(read({ id: 1, start_time: startTime, turns: [] }).startedAt).toBe(expected);
  });

  test('other fields of the call', () => {
    const call = read({
      conversation_id: 'c9',
      agent_version: 4,
      from_number: '+15550100',
      end_reason: 'user_hangup',
      locale: 'de-DE',
      messages: [],
    });
    expect(call).toMatchObject({
      providerCallId: 'c9',
      version: 4,
      callerNumber: '+15550100',
      disconnectionReason: 'user_hangup',
      language: 'de-DE',
    });
  });

  test.each<[string, unknown, string]>([
    [
      'a role',
      {
        id: 1,
        messages: [
          { role: 'system', content: '' },
          { role: 'wizard', content: '' },
        ],
      },
      'messages[1].role',
    ],
    ['a text', { id: 1, items: [{ role: 'user', content: { a: 1 } }] }, 'items[0].text'],
    ['an entry', { id: 1, conversation: ['hello'] }, 'conversation[0]'],
    ['a list', { id: 1, messages: 'hello' }, 'messages'],
  ])('%s at fault is named where it was given', (_what, record, field) => {
    expect(() => read(record)).toThrow(UnreadableCall);
    try {
      read(record);
    } catch (error) {
      expect((error as UnreadableCall).field).toBe(field);
    }
  });
});

describe('exports as files', () => {
  const facts = (name: string) => new URL(`../../../shared/facts/${name}`, import.meta.url);
  test.each([
    ['vapi-call.example.json', '5e2c1a94-7b3d-4c8e-9f10-6a5b4c3d2e1f', 12],
    ['elevenlabs-conversation.example.json', 'conv_0001example00000000000000001', 10],
  ])('%s', (name, id, turns) => {
    const call = read(JSON.parse(readFileSync(facts(name), 'utf8')));
    expect([call.providerCallId, call.turns.length]).toEqual([id, turns]);
  });

  test("LiveKit's session report says what the spans of the same call say", () => {
    const at = (seconds: number) => 1794306600 + seconds;
    const message = (role: string, text: string, from: number, to: number, interrupted = false) => ({
      type: 'message',
      role,
      content: [text],
      interrupted,
      metrics: { started_speaking_at: at(from), stopped_speaking_at: at(to) },
      created_at: at(to),
    });
    const call = read({
      job_id: 'AJ_1',
      room_id: 'RM_1',
      events: [{ type: 'close', reason: 'participant_disconnected', created_at: at(12) }],
      chat_history: {
        items: [
          { type: 'agent_handoff', new_agent_id: 'a', created_at: at(0) },
          message('assistant', 'Hello.', 1.3, 2),
          message('user', 'Book a table.', 3, 4),
          { type: 'function_call', call_id: 'c', name: 'find', arguments: '{"people":4}', created_at: at(5) },
          {
            type: 'function_call_output',
            call_id: 'c',
            name: 'find',
            output: 'down',
            is_error: true,
            created_at: at(7),
          },
          message('assistant', 'I could not', 8, 10, true),
        ],
      },
    });
    expect(call).toMatchObject({
      providerCallId: 'RM_1',
      durationMs: 12_000,
      ending: { family: 'caller_end', endedBy: 'caller' },
      timing: 'exact',
    });
    expect(call.turns.map(({ role, startMs, interrupted }) => [role, startMs, interrupted])).toEqual([
      ['agent', 1_300, false],
      ['caller', 3_000, false],
      ['agent', 5_000, false],
      ['tool', 7_000, false],
      ['agent', 8_000, true],
    ]);
    expect(call.turns[3]?.toolResult).toMatchObject({ ok: false, okSource: 'flag', latencyMs: 2_000 });
  });
});
