import { type Line, scripted } from '../scripted-call.ts';
import type { Example } from './example.ts';

const NO_TOOLS = scripted([{ a: 'Hello, how can I help?' }, { c: 'I need a taxi to the station.' }]);
const TERMS = { configuration: { prompt: 'A cancellation costs 30 dollars. The deposit is 200 dollars.' } };
const FOUND: Line[] = [
  { c: 'When does my parcel come?' },
  { call: 'find_parcel', args: { parcel: 'K47B19' } },
  { result: 'find_parcel', body: { parcel: 'K47B19', delivery_date: '2026-06-18' } },
];

/** Codes that lay words, arguments and results beside each other. */
export const LEDGER: readonly Example[] = [
  {
    code: 'result_misreported',
    positive: scripted([...FOUND, { a: 'It comes on June 21st.' }]),
    place: { kind: 'tool', id: 'find_parcel' },
    cause: null,
    negative: scripted([...FOUND, { a: 'It comes on June 18th.' }]),
    lookAlike: scripted([
      { c: 'I thought that it comes on June 21st.' },
      ...FOUND,
      { a: 'Not on June 21st, on June 18th.' },
    ]),
    notComputable: NO_TOOLS,
  },
  {
    code: 'fact_contradicts_source',
    positive: scripted([{ c: 'What does it cost to cancel?' }, { a: 'A cancellation costs fifty dollars.' }], TERMS),
    cause: null,
    negative: scripted([{ c: 'What does it cost to cancel?' }, { a: 'A cancellation costs thirty dollars.' }], TERMS),
    lookAlike: scripted([{ c: 'What is the deposit?' }, { a: 'The deposit is two hundred dollars.' }], TERMS),
    notComputable: NO_TOOLS,
  },
];
