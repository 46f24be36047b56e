import { readdirSync, readFileSync } from 'node:fs';
import type { Json, JsonObject } from '../../src/domain/json.ts';
import { handOver } from '../../src/platforms/formats/handed-over.ts';
import { retellCall } from '../support/stand-in-platform.ts';

/** What is read: a record of a platform or of our own shape, a document of whatever format, or a request of OpenTelemetry's traces. */
export type Kind = 'record' | 'document' | 'traces';

export interface Example {
  name: string;
  kind: Kind;
  payload: Json;
}

const SPANS = new URL('../platforms/spans/', import.meta.url);
const FORMATS = new URL('../platforms/formats/', import.meta.url);
const START_MS = Date.UTC(2026, 9, 5, 14);
const at = (seconds: number) => new Date(START_MS + seconds * 1000).toISOString();

const vapi: JsonObject = {
  id: 'call_v',
  assistantId: 'assistant_a',
  type: 'inboundPhoneCall',
  status: 'ended',
  endedReason: 'customer-ended-call',
  startedAt: at(0),
  endedAt: at(40),
  cost: 0.12,
  customer: { number: '+15550100' },
  analysis: { summary: 'A booking.', successEvaluation: 'true' },
  artifact: {
    messages: [
      { role: 'system', message: 'You are the desk.' },
      {
        role: 'bot',
        message: 'How can I help?',
        time: START_MS + 500,
        endTime: START_MS + 2_000,
        secondsFromStart: 0.5,
      },
      { role: 'user', message: 'A table for two.', time: START_MS + 3_000, endTime: START_MS + 5_000 },
      {
        role: 'tool_calls',
        toolCalls: [{ id: 't1', type: 'function', function: { name: 'book', arguments: '{"seats":2}' } }],
        time: START_MS + 6_000,
      },
      { role: 'tool_call_result', toolCallId: 't1', name: 'book', result: '{"ok":true}', time: START_MS + 7_000 },
      { role: 'bot', message: 'It is booked. Goodbye.', time: START_MS + 8_000, endTime: START_MS + 10_000 },
    ],
  },
};

const elevenLabs: JsonObject = {
  conversation_id: 'conv_1',
  agent_id: 'agent_a',
  status: 'done',
  metadata: {
    start_time_unix_secs: START_MS / 1000,
    call_duration_secs: 30,
    termination_reason: 'end_call tool was called',
    phone_call: { direction: 'inbound', external_number: '+15550100' },
  },
  analysis: { call_successful: 'success', transcript_summary: 'A booking.' },
  transcript: [
    { role: 'agent', message: 'How can I help?', time_in_call_secs: 0 },
    { role: 'user', message: 'A table for two.', time_in_call_secs: 3 },
    {
      role: 'agent',
      message: null,
      time_in_call_secs: 5,
      tool_calls: [{ request_id: 'r1', tool_name: 'book', params_as_json: '{"seats":2}' }],
      tool_results: [{ request_id: 'r1', tool_name: 'book', result_value: '{"ok":true}', is_error: false }],
      conversation_turn_metrics: { metrics: { convai_llm_service_ttfb: { elapsed_time: 0.4 } } },
    },
    { role: 'agent', message: 'It is booked.', time_in_call_secs: 8, interrupted: true },
  ],
};

const own: JsonObject = {
  id: 'record_1',
  startedAt: at(0),
  endedAt: at(20),
  version: 2,
  direction: 'outbound',
  language: 'en-US',
  callerNumber: '+15550100',
  costUsd: 0.1,
  variables: { name: 'Ada' },
  turns: [
    { role: 'agent', text: 'Hello, how can I help?', startMs: 100, endMs: 1_500, nodeId: 'greet' },
    { role: 'caller', text: 'I want to book a table.', startMs: 2_000, endMs: 3_400 },
    { role: 'agent', toolCall: { id: 't1', name: 'book', args: { seats: 2 } }, startMs: 3_600 },
    { role: 'tool', toolResult: { id: 't1', name: 'book', ok: false, body: { error: 'late' }, latencyMs: 900 } },
    { role: 'agent', text: 'Sorry, that did not work.', startMs: 5_000, endMs: 7_000, interrupted: true },
  ],
};

const openAi: JsonObject = {
  id: 'chat_1',
  messages: [
    { role: 'system', content: 'You are the desk.' },
    { role: 'user', content: [{ type: 'text', text: 'A table for two.' }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 't1', type: 'function', function: { name: 'book', arguments: '{"seats":2}' } }],
    },
    { role: 'tool', tool_call_id: 't1', content: '{"ok":true}' },
    { role: 'assistant', content: 'It is booked.' },
  ],
};

const retellOf = (name: string, failingTool?: string): Json => {
  const made = retellCall(name, failingTool === undefined ? {} : { failingTool });
  return made.kind === 'call' ? (JSON.parse(JSON.stringify(made.payload)) as Json) : null;
};

/** Every way in which the examples name who speaks, so that each is read before it is spoilt. */
const ROLES = {
  0: 'agent',
  1: 'caller',
  2: 'caller',
  A: 'agent',
  B: 'caller',
  spk_0: 'agent',
  spk_1: 'caller',
  SPEAKER_00: 'agent',
  SPEAKER_01: 'caller',
  '+15550133': 'caller',
  'Nina Vale': 'agent',
  'Tom Hart': 'caller',
};

function documentOf(file: string): Example {
  const text = readFileSync(new URL(file, FORMATS), 'utf8');
  const lines = () =>
    text
      .trim()
      .split('\n')
      .map((line): Json => JSON.parse(line));
  const value: Json = file.endsWith('.jsonl') ? lines() : file.endsWith('.json') ? JSON.parse(text) : text;
  return { name: file, kind: 'document', payload: handOver(value, { roles: ROLES }) };
}

/** Sound payloads of every kind that is read, which the fuzzer spoils. */
export const EXAMPLES: readonly Example[] = [
  { name: 'retell', kind: 'record', payload: retellOf('call_r') },
  { name: 'retell with a failing tool', kind: 'record', payload: retellOf('call_f', 'find_times') },
  { name: 'vapi', kind: 'record', payload: vapi },
  { name: 'elevenlabs', kind: 'record', payload: elevenLabs },
  { name: 'our own record', kind: 'record', payload: own },
  { name: 'messages', kind: 'record', payload: openAi },
  ...readdirSync(FORMATS).map(documentOf),
  ...readdirSync(SPANS).map(
    (file): Example => ({
      name: file,
      kind: 'traces',
      payload: JSON.parse(readFileSync(new URL(file, SPANS), 'utf8')),
    }),
  ),
];
