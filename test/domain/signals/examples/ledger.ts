import { type Line, scripted } from '../scripted-call.ts';
import type { Example } from './example.ts';

const NO_TOOLS = scripted([{ a: 'Hello, how can I help?' }, { c: 'I need a taxi to the station.' }]);
const HOURS = { configuration: { prompt: 'Open Monday to Friday from 7 to 18, Saturday from nine to four.' } };
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
    positive: scripted([{ c: 'When do you open on Saturday?' }, { a: 'On Saturday we open at seven.' }], HOURS),
    cause: null,
    negative: scripted([{ c: 'When do you open on Saturday?' }, { a: 'On Saturday we open at nine.' }], HOURS),
    lookAlike: scripted([{ c: 'When do you open on Monday?' }, { a: 'On Monday we open at seven.' }], HOURS),
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
