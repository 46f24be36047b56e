import type { DetectorInput } from '../../../../src/domain/signals/detector-input.ts';
import type { HeardCall, HeardSide } from '../../../../src/domain/sound/heard-call.ts';
import { scripted } from '../scripted-call.ts';
import type { Example } from './example.ts';

const PLAIN = scripted(
  [
    { a: 'Good morning, how can I help you?', at: [0.5, 2.5] },
    { c: 'I would like to move my appointment to Tuesday.', at: [3, 6], confidence: 0.95 },
    { a: 'Tuesday at nine or at eleven?', at: [7, 9] },
    { c: 'At nine, please.', at: [9.5, 11], confidence: 0.93 },
    { a: 'It is moved, goodbye.', at: [12, 13.5] },
  ],
  { durationMs: 14_000 },
);
const SILENT = scripted([{ a: 'Hello? Is anybody there?' }], { durationMs: 30_000 });
const FOREIGN = scripted(
  [{ a: 'Waarmee kan ik u van dienst zijn vandaag?' }, { c: 'Ik wil graag een afspraak voor maandag, kan dat?' }],
  { language: 'nl' },
);

/** The recording of a call of a minute, in which both sides share a channel. */
function recorded(of: Partial<HeardSide>): DetectorInput {
  const quiet = { spans: [], speechDb: -20, noiseDb: -60, snrDb: 40, isGated: false, isNoisy: false };
  const mixed: HeardSide = { ...quiet, clipped: 0, dropouts: [], echoDb: null, ...of };
  const heard: HeardCall = {
    durationMs: 60_000,
    channels: 'mixed',
    callerChannel: null,
    sides: null,
    mixed,
    lagMs: 0,
    talk: null,
    silences: [],
    unknown: [],
  };
  return { ...PLAIN, call: { ...PLAIN.call, heard } };
}

const cutsAt = (...starts: number[]) => starts.map((startMs) => ({ startMs, endMs: startMs + 60 }));

export const HEARING: readonly Example[] = [
  {
    code: 'caller_turn_empty',
    positive: scripted([
      { a: 'What is your name?', at: [0, 2] },
      { c: '[inaudible]', at: [2.5, 5] },
      { a: 'Sorry?', at: [6, 7] },
      { c: 'Marta.', at: [8, 9] },
    ]),
    negative: PLAIN,
    lookAlike: scripted([
      { a: 'What is your name?', at: [0, 2] },
      { c: '', at: [2.5, 2.9] },
      { c: 'Marta.', at: [4, 5] },
    ]),
    notComputable: scripted([{ c: 'Hello.' }]),
  },
  {
    code: 'agent_asked_to_repeat',
    positive: scripted([
      { a: 'Your name?' },
      { c: 'Szczepanski.' },
      { a: "Sorry, I didn't catch that." },
      { c: 'Szczepanski.' },
      { a: 'Could you say that again, please?' },
    ]),
    negative: PLAIN,
    lookAlike: scripted([
      { a: 'Your name?' },
      { c: 'Szczepanski.' },
      { a: 'Could you please repeat it letter by letter?' },
      { c: 'S, Z, C.' },
      { a: 'I have S, Z, C. Is that right?' },
    ]),
    notComputable: FOREIGN,
  },
  {
    code: 'caller_repeated_self',
    positive: scripted([
      { c: 'I want to return the blue winter jacket from Monday.' },
      { a: 'We have many lovely jackets on offer.' },
      { c: 'I want to return the blue winter jacket from Monday.' },
    ]),
    negative: PLAIN,
    lookAlike: scripted([
      { a: 'Which order number is printed on the parcel label?' },
      { c: 'It says BX forty nine eleven on the parcel label.' },
      { a: 'Which order number is printed on the parcel label?' },
      { c: 'It says BX forty nine eleven on the parcel label.' },
    ]),
    notComputable: SILENT,
  },
  {
    code: 'low_transcript_confidence',
    positive: scripted([1, 2, 3].map((at) => ({ c: `maybe something like ${at}`, confidence: 0.4 }))),
    negative: PLAIN,
    lookAlike: scripted([
      { c: 'mumble mumble', confidence: 0.3 },
      { c: 'I need a taxi now', confidence: 0.95 },
      { c: 'to the station', confidence: 0.9 },
    ]),
    notComputable: scripted([{ c: 'Hello.' }]),
  },
  {
    code: 'background_noise',
    positive: recorded({ snrDb: 6 }),
    negative: recorded({ snrDb: 30 }),
    lookAlike: recorded({ snrDb: 14 }),
    notComputable: recorded({ snrDb: null, isGated: true }),
  },
  {
    code: 'audio_dropout',
    positive: recorded({ dropouts: cutsAt(1_000, 5_000, 9_000) }),
    negative: recorded({ dropouts: [] }),
    lookAlike: recorded({ dropouts: cutsAt(1_000) }),
    notComputable: recorded({ dropouts: null }),
  },
  {
    code: 'stt_phantom_loop',
    positive: scripted([{ c: 'watch the video watch the video watch the video watch the video watch the video' }]),
    negative: PLAIN,
    lookAlike: scripted([{ c: 'My number is five five five five five five five five five five five.' }]),
    notComputable: SILENT,
  },
  {
    code: 'dtmf_ignored',
    positive: scripted([
      { a: 'Press one for sales.', node: 'menu' },
      { o: '1', key: '1' },
      { a: 'Press one for sales.', node: 'menu' },
      { a: 'Are you still there?', node: 'menu' },
    ]),
    negative: scripted([
      { a: 'Press one for sales.', node: 'menu' },
      { o: '1', key: '1' },
      { a: 'Sales, hello.', node: 'sales' },
      { a: 'What do you need?', node: 'sales' },
    ]),
    lookAlike: scripted([
      { a: 'Enter your number.', node: 'menu' },
      { o: '4', key: '4' },
      { o: '7', key: '7' },
      { call: 'find_guest', node: 'menu' },
      { result: 'find_guest', body: { id: 1 } },
      { a: 'Hello Marta.', node: 'menu' },
      { a: 'How can I help?', node: 'menu' },
    ]),
    notComputable: PLAIN,
  },
  {
    code: 'language_mismatch',
    positive: scripted(
      [
        { a: 'Hello, this is the front desk, how can I help you today?' },
        { c: 'Hola, quiero una cita para el lunes por la mañana, por favor.' },
        { a: 'I am sorry, could you say that in another way?' },
        { c: 'No hablo inglés, necesito una cita para mi hijo, por favor.' },
      ],
      { configuration: { language: 'en-US' } },
    ),
    place: { kind: 'agent', id: 'agent' },
    cause: 'one_language_set',
    negative: PLAIN,
    lookAlike: scripted([
      { a: 'Hello, this is the front desk, how can I help you today?' },
      { c: 'Hola! My name is José de la Cruz and I would like a table.' },
      { a: 'Of course, when would you like to come?' },
      { c: 'Tonight at eight, gracias.' },
    ]),
    notComputable: scripted([{ a: 'Ok.' }, { c: 'Ok.' }], { language: null }),
  },
  {
    code: 'caller_never_heard',
    positive: SILENT,
    place: { kind: 'platform', id: 'speech_recognition' },
    negative: PLAIN,
    lookAlike: scripted([{ o: 'You have reached the mailbox of Elm Street.' }, { a: 'Hello?' }], {
      durationMs: 30_000,
    }),
    notComputable: scripted([{ a: 'Hello?' }], { durationMs: 30_000, partial: true }),
  },
];
