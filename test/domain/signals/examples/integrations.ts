import type { DetectorInput } from '../../../../src/domain/signals/detector-input.ts';
import { scripted } from '../scripted-call.ts';
import type { Example } from './example.ts';

const NO_TOOLS = scripted([{ a: 'Hello, how can I help?' }, { c: 'I need a taxi to the station.' }], {
  language: 'de-DE',
});
const BOOKED = scripted([
  { c: 'I would like to book a table for two.' },
  { call: 'book_table', args: { people: 2 } },
  { result: 'book_table', body: { success: true, table: 7 } },
  { a: "I've booked a table for two." },
  { c: 'Thank you, bye.' },
]);
const DUTCH = scripted(
  [
    { c: 'Ik wil graag een tafel voor twee personen reserveren, dat is belangrijk.' },
    { call: 'book_table' },
    { result: 'book_table', body: { error: 'internal' } },
    { a: 'De tafel is voor u gereserveerd en wij hebben ook een bericht gestuurd.' },
  ],
  { language: 'nl-NL' },
);
const PLATFORM_END = { hint: 'unresolved', family: 'technical', endedBy: 'platform' } as const;
const FREE_END = {
  disconnectionReason: 'unknown',
  ending: { hint: 'unknown', family: 'unknown', endedBy: 'unknown' },
} as const;

export const INTEGRATIONS: readonly Example[] = [
  {
    code: 'tool_failed',
    positive: scripted([
      { c: 'Is my parcel on its way?' },
      { call: 'track_parcel', args: { number: 'A1' } },
      { result: 'track_parcel', body: { status: 503, message: 'Upstream is down' } },
      { a: 'I can not see that at the moment.' },
    ]),
    place: { kind: 'tool', id: 'track_parcel' },
    cause: 'tool_service_error',
    negative: BOOKED,
    lookAlike: scripted([
      { c: 'A table at eight, please.' },
      { call: 'book_table', args: { at: '20:00' } },
      {
        result: 'book_table',
        body: { success: false, reason: 'no_availability', message: 'No tables available at 20:00' },
      },
      { a: 'There is nothing free at eight.' },
    ]),
    notComputable: NO_TOOLS,
  },
  {
    code: 'tool_slow',
    positive: scripted([
      { c: 'When can I come?' },
      { call: 'find_times' },
      { result: 'find_times', body: ['10:00'], ms: 5200 },
      { a: 'At ten.' },
    ]),
    place: { kind: 'tool', id: 'find_times' },
    cause: 'slow_service',
    negative: scripted([
      { c: 'When can I come?' },
      { call: 'find_times' },
      { result: 'find_times', body: ['10:00'], ms: 700 },
    ]),
    lookAlike: scripted([
      { c: 'When can I come?' },
      { a: 'One moment, let me check.' },
      { call: 'find_times' },
      { result: 'find_times', body: ['10:00'], ms: 2400 },
    ]),
    notComputable: BOOKED,
  },
  {
    code: 'tool_retry_storm',
    positive: scripted(
      [1, 2, 3].flatMap(() => [
        { call: 'find_guest', args: { name: 'Ito' } },
        { result: 'find_guest', body: { error: 'oops' } },
      ]),
    ),
    cause: 'retries_after_failure',
    negative: BOOKED,
    lookAlike: scripted(
      [1, 2, 3].flatMap((day) => [
        { call: 'find_times', args: { day } },
        { result: 'find_times', body: ['10:00'] },
      ]),
    ),
    notComputable: NO_TOOLS,
  },
  {
    code: 'tool_args_invalid',
    positive: scripted(
      [
        { call: 'find_guest', args: { name: '' } },
        { result: 'find_guest', body: 'Error: name is required' },
      ],
      {
        configuration: {
          tools: [tool('find_guest', { type: 'object', required: ['name'], properties: { name: { type: 'string' } } })],
        },
      },
    ),
    cause: 'required_argument_missing',
    negative: scripted(
      [
        { call: 'find_guest', args: { name: 'Ito' } },
        { result: 'find_guest', body: { id: 4 } },
      ],
      {
        configuration: {
          tools: [tool('find_guest', { type: 'object', required: ['name'], properties: { name: { type: 'string' } } })],
        },
      },
    ),
    lookAlike: scripted(
      [
        { call: 'find_guest', args: { room: '12', extra: true } },
        { result: 'find_guest', body: { id: 4 } },
      ],
      {
        configuration: {
          tools: [
            tool('find_guest', { type: 'object', required: ['room'], properties: { room: { type: 'integer' } } }),
          ],
        },
      },
    ),
    notComputable: BOOKED,
  },
  {
    code: 'duplicate_write',
    positive: scripted(
      [1, 2].flatMap((id) => [
        { call: 'open_claim', args: { parcel: 'A1' } },
        { result: 'open_claim', body: { success: true, claim: id } },
      ]),
    ),
    cause: 'no_guard_against_repeat',
    negative: BOOKED,
    lookAlike: scripted([
      { call: 'book_table', args: { at: 8 } },
      { result: 'book_table', body: { success: true } },
      { call: 'cancel_table', args: { at: 8 } },
      { result: 'cancel_table', body: { success: true } },
      { call: 'book_table', args: { at: 8 } },
      { result: 'book_table', body: { success: true } },
    ]),
    notComputable: NO_TOOLS,
  },
  {
    code: 'step_blocked',
    positive: scripted([
      { call: 'find_times', args: {} },
      { result: 'find_times', body: { slots: [] } },
      { a: 'Nothing is free, I am sorry.' },
    ]),
    negative: BOOKED,
    lookAlike: scripted([
      { call: 'find_times', args: {} },
      { result: 'find_times', body: { error: 'database locked' } },
      { a: 'That did not work.' },
    ]),
    notComputable: NO_TOOLS,
  },
  {
    code: 'claimed_after_failure',
    positive: scripted([
      { c: 'Please book a table for two.' },
      { call: 'book_table' },
      { result: 'book_table', body: { status: 'error', message: 'Gateway timeout' } },
      { a: "I've booked your table for two." },
    ]),
    place: { kind: 'tool', id: 'book_table' },
    negative: BOOKED,
    lookAlike: scripted([
      { c: 'Please book a table for two.' },
      { call: 'book_table' },
      { result: 'book_table', body: { status: 'error', message: 'Gateway timeout' } },
      { a: "I'll let you know once I have booked it. Has it been booked before?" },
    ]),
    notComputable: DUTCH,
  },
  {
    code: 'claimed_without_tool',
    positive: scripted(
      [
        { c: 'Please tell the driver to ring twice.' },
        { a: 'Sure, I have added your note for the driver.' },
        { c: 'Thanks.' },
      ],
      {
        configuration: { tools: [tool('track_parcel', null)] },
      },
    ),
    cause: 'no_such_tool',
    negative: BOOKED,
    lookAlike: scripted([
      { c: 'Is my flight still on?' },
      { call: 'get_flight' },
      { result: 'get_flight', body: { status: 'cancelled' } },
      { a: 'Your flight has been cancelled by the airline.' },
    ]),
    notComputable: DUTCH,
  },
  {
    code: 'transfer_failed',
    positive: scripted([
      { c: 'A person, please.' },
      { call: 'transfer_call' },
      { result: 'transfer_call', body: { error: 'No answer at the destination' } },
    ]),
    place: { kind: 'tool', id: 'transfer_call' },
    cause: 'destination_not_answering',
    negative: scripted([
      { call: 'transfer_call' },
      { result: 'transfer_call', body: { status: 'transfer_initiated' } },
    ]),
    lookAlike: scripted([
      { c: 'A person, please.' },
      { a: 'I connect you to the desk.' },
      { c: 'No, I have to go, bye.' },
    ]),
    notComputable: null,
  },
  {
    code: 'variable_unfilled',
    positive: scripted([{ a: 'Hello, this is the clinic.' }], {
      variables: { clinic: 'Elm Street' },
      configuration: { prompt: 'You speak for {{clinic}} to {{patient_name}}.' },
    }),
    negative: scripted([{ a: 'Hello.' }], {
      variables: { patient_name: 'Ito' },
      configuration: { prompt: 'You speak to {{patient_name}}.' },
    }),
    lookAlike: scripted([{ a: 'Hello.' }], {
      variables: {},
      configuration: { prompt: 'Today is {{current_time}}; you speak to {{name}}.', variables: { name: 'our guest' } },
    }),
    notComputable: scripted([{ a: 'Hello.' }]),
  },
  {
    code: 'platform_error_end',
    positive: scripted([{ a: 'Hello.' }, { c: 'I need a taxi.' }], {
      disconnectionReason: 'error_asr',
      ending: PLATFORM_END,
    }),
    place: { kind: 'platform', id: 'speech_recognition' },
    cause: 'part_failed',
    negative: BOOKED,
    lookAlike: scripted([{ a: 'Hello.' }], {
      disconnectionReason: 'dial_no_answer',
      ending: { hint: 'no_contact', family: 'dial', endedBy: 'platform' },
    }),
    notComputable: scripted([{ a: 'Hello.' }], FREE_END),
  },
  {
    code: 'capacity_refused',
    positive: scripted([], {
      disconnectionReason: 'concurrency_limit_reached',
      ending: { hint: 'no_contact', family: 'capacity', endedBy: 'platform' },
    }),
    cause: 'concurrency_limit',
    negative: BOOKED,
    lookAlike: scripted([], {
      disconnectionReason: 'dial_busy',
      ending: { hint: 'no_contact', family: 'dial', endedBy: 'platform' },
    }),
    notComputable: scripted([], FREE_END),
  },
  {
    code: 'tool_call_repeated',
    positive: scripted([
      { c: 'When does flight 12 leave?' },
      { call: 'get_flight', args: { number: 12 } },
      { result: 'get_flight', body: { leaves: '09:30' } },
      { a: 'At half past nine.' },
      { c: 'And from where?' },
      { call: 'get_flight', args: { number: 12 } },
      { result: 'get_flight', body: { leaves: '09:30' } },
      { a: 'I do not see that.' },
    ]),
    place: { kind: 'tool', id: 'get_flight' },
    cause: null,
    negative: scripted([
      { c: 'When does flight 12 leave?' },
      { call: 'get_flight', args: { number: 12 } },
      { result: 'get_flight', body: { leaves: '09:30' } },
      { a: 'At half past nine.' },
    ]),
    lookAlike: scripted([
      { c: 'Please move me to flight 14.' },
      { call: 'get_booking', args: { code: 'A1' } },
      { result: 'get_booking', body: { flight: 12 } },
      { call: 'change_booking', args: { code: 'A1', flight: 14 } },
      { result: 'change_booking', body: { success: true } },
      { call: 'get_booking', args: { code: 'A1' } },
      { result: 'get_booking', body: { flight: 12 } },
      { a: 'Can you see it?' },
      { c: 'No, please check again.' },
      { call: 'get_booking', args: { code: 'A1' } },
      { result: 'get_booking', body: { flight: 12 } },
      { a: 'Still flight 12.' },
    ]),
    notComputable: scripted([{ c: 'Hello.' }]),
  },
  {
    code: 'tool_args_placeholder',
    positive: scripted([
      { c: 'Where is my order?' },
      { call: 'find_order', args: { number: 'UNKNOWN' } },
      { result: 'find_order', body: { success: false, message: 'No such order.' } },
      { a: 'What is the number?' },
    ]),
    place: { kind: 'tool', id: 'find_order' },
    cause: 'called_before_asking',
    negative: scripted([
      { c: 'Where is my order 44?' },
      { call: 'find_order', args: { number: '44' } },
      { result: 'find_order', body: { place: 'depot' } },
      { a: 'At the depot.' },
    ]),
    lookAlike: scripted([
      { c: 'A coffee without anything, for Mister Null.' },
      { call: 'order_coffee', args: { milk: 'none', name: 'Mister Null', note: '' } },
      { result: 'order_coffee', body: { success: true } },
      { a: 'It is ordered.' },
    ]),
    notComputable: scripted([{ c: 'Hello.' }]),
  },
  {
    code: 'cost_outlier',
    positive: withCosts(scripted([{ a: 'Hello.' }, { c: 'Hello.' }], { costUsd: 2.5 })),
    negative: withCosts(scripted([{ a: 'Hello.' }, { c: 'Hello.' }], { costUsd: 0.12 })),
    // Dearer than 99 in 100, and still about as dear as any.
    lookAlike: withCosts(scripted([{ a: 'Hello.' }, { c: 'Hello.' }], { costUsd: 0.15 }), 0.12),
    notComputable: scripted([{ a: 'Hello.' }, { c: 'Hello.' }], { costUsd: 2.5 }),
  },
];

function withCosts(input: DetectorInput, p99Usd = 0.4): DetectorInput {
  return { ...input, agentCosts: { calls: 400, medianUsd: 0.1, p99Usd } };
}

function tool(name: string, parameters: Parameters<typeof JSON.stringify>[0]) {
  return { id: name, name, description: '', kind: 'other' as const, parameters, timeoutMs: null, speaksDuring: null };
}
