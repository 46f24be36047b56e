import { type Line, scripted } from '../scripted-call.ts';
import type { Example } from './example.ts';

const NO_TOOLS = scripted([{ a: 'Hello, how can I help?' }, { c: 'I need a taxi to the station.' }]);
const tool = (name: string) => ({
  id: name,
  name,
  description: '',
  kind: 'other' as const,
  parameters: null,
  timeoutMs: null,
  speaksDuring: null,
});
const STAY = { stay_id: 'ST4471', nights: 2, bill: [{ entry: 'room', amount: 180 }] };
const WISH: Line = { c: 'Please add breakfast to stay ST4471.' };
const LOOK: Line[] = [
  { call: 'get_stay', args: { stay_id: 'ST4471' } },
  { result: 'get_stay', body: STAY },
  { a: 'I can add breakfast for twenty four dollars in total. Shall I go ahead?' },
  { c: 'Yes, please go ahead.' },
];
const DONE: Line[] = [
  { call: 'update_breakfast', args: { stay_id: 'ST4471', breakfast: true } },
  {
    result: 'update_breakfast',
    body: { ...STAY, bill: [...STAY.bill, { entry: 'breakfast', amount: 48 }] },
  },
];

/** Codes that lay words, arguments and results beside each other. */
export const LEDGER: readonly Example[] = [
  {
    code: 'result_misreported',
    positive: scripted([WISH, ...LOOK, ...DONE, { a: 'Breakfast is added, and $24 has been charged to your room.' }]),
    place: { kind: 'tool', id: 'update_breakfast' },
    cause: null,
    negative: scripted([
      WISH,
      ...LOOK,
      ...DONE,
      { a: 'Breakfast is added, and forty eight dollars have been charged to your room.' },
    ]),
    lookAlike: scripted([
      WISH,
      ...LOOK,
      ...DONE,
      { a: 'Breakfast is added. With the $48 that were charged for it, the total comes to $228.' },
    ]),
    notComputable: NO_TOOLS,
  },
  {
    code: 'fact_contradicts_source',
    positive: scripted(
      [
        { c: 'Can I park for free? I think I am a gold guest.' },
        { call: 'get_guest', args: { name: 'Ito' } },
        { result: 'get_guest', body: { name: 'Ito', guest_level_guest: 'silver' } },
        { a: 'Since you are a gold guest, parking is free.' },
      ],
      {
        configuration: {
          prompt: 'Parking is free for a gold guest. A silver guest pays half, a basic guest the whole.',
        },
      },
    ),
    cause: null,
    negative: scripted(
      [
        { c: 'Can I park for free? I think I am a gold guest.' },
        { call: 'get_guest', args: { name: 'Ito' } },
        { result: 'get_guest', body: { name: 'Ito', guest_level_guest: 'silver' } },
        { a: 'You are a silver guest, so parking costs half.' },
      ],
      {
        configuration: {
          prompt: 'Parking is free for a gold guest. A silver guest pays half, a basic guest the whole.',
        },
      },
    ),
    lookAlike: scripted(
      [
        { c: 'Can I park for free?' },
        { call: 'get_guest', args: { name: 'Ito' } },
        { result: 'get_guest', body: { name: 'Ito', guest_level_guest: 'silver' } },
        { a: 'If you were a gold guest, parking would be free.' },
      ],
      {
        configuration: {
          prompt: 'Parking is free for a gold guest. A silver guest pays half, a basic guest the whole.',
        },
      },
    ),
    notComputable: NO_TOOLS,
  },
  {
    code: 'tool_missing',
    positive: scripted(
      [
        { c: 'What did I order last week?' },
        { call: 'find_customer', args: { name: 'Ito' } },
        { result: 'find_customer', body: { id: 4 } },
        { a: "I'm sorry, I can't look up your order history." },
      ],
      { configuration: { tools: [tool('find_customer'), tool('get_order_history')] } },
    ),
    place: { kind: 'prompt', id: 'prompt' },
    cause: 'tool_thought_unable',
    negative: scripted(
      [
        { c: 'What did I order last week?' },
        { call: 'get_order_history', args: { id: 4 } },
        { result: 'get_order_history', body: { orders: ['tea'] } },
        { a: 'You ordered tea.' },
      ],
      { configuration: { tools: [tool('find_customer'), tool('get_order_history')] } },
    ),
    lookAlike: scripted(
      [
        { c: 'What did I order last week?' },
        { call: 'get_order_history', args: { id: 4 } },
        { result: 'get_order_history', body: { orders: [] } },
        { a: "I can't find any order in your order history." },
      ],
      { configuration: { tools: [tool('find_customer'), tool('get_order_history')] } },
    ),
    notComputable: NO_TOOLS,
  },
  {
    code: 'tool_args_unsupported',
    positive: scripted([
      { c: 'Where is my parcel? The code is P four seven one.' },
      { call: 'track_parcel', args: { code: 'ZX9902' } },
      { result: 'track_parcel', body: { state: 'on its way' } },
      { a: 'It is on its way.' },
    ]),
    place: { kind: 'tool', id: 'track_parcel' },
    cause: null,
    negative: scripted([
      { c: 'Where is my parcel? The code is P as in Peter four seven one double nine.' },
      { call: 'track_parcel', args: { code: 'P47199' } },
      { result: 'track_parcel', body: { state: 'on its way' } },
      { a: 'It is on its way.' },
    ]),
    // One letter off is a matter of hearing, not of making up.
    lookAlike: scripted([
      { c: 'Where is my parcel? The code is P B four seven one nine.' },
      { call: 'track_parcel', args: { code: 'PD4719' } },
      { result: 'track_parcel', body: { state: 'on its way' } },
      { a: 'It is on its way.' },
    ]),
    notComputable: NO_TOOLS,
  },
];
