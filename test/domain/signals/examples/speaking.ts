import { type Line, scripted } from '../scripted-call.ts';
import type { Example } from './example.ts';

const PLAIN = scripted(
  [
    { a: 'Good morning, this is the clinic, how can I help you today?', at: [0.6, 4.2] },
    { c: 'I would like to know what a cleaning costs at your clinic, please.', at: [4.6, 9] },
    { a: 'A cleaning costs ninety dollars without insurance, and we have time on Friday.', at: [10, 15] },
    { c: 'That sounds good, but I have to ask at home before I can say.', at: [15.5, 19.5] },
    { a: 'Of course, just call us again whenever it suits you. Goodbye.', at: [20.4, 24] },
    { c: 'Goodbye and thank you very much.', at: [24.3, 26] },
  ],
  { durationMs: 27_000, latency: { llmMs: [500, 600, 700], ttsMs: [150, 160, 170], asrMs: [90, 100, 110] } },
);
const UNTIMED = scripted([{ a: 'Hello.' }, { c: 'Hello.' }]);
const SILENT = scripted([{ c: 'Hello?' }]);
const FOREIGN = scripted(
  [{ a: 'Waarmee kan ik u van dienst zijn vandaag?' }, { c: 'Ik wil graag een afspraak voor maandag, kan dat?' }],
  { language: 'nl' },
);
const LONG = Array.from(
  { length: 70 },
  (_, at) => ['our', 'offer', 'for', 'members', 'holds', 'until', 'spring'][at % 7],
).join(' ');

/** `count` turns of the agent of ten words each, spoken at a pace. */
const atPace = (wordsPerMinute: number): Line[] =>
  [0, 1, 2, 3].map((at) => ({
    a: 'we can come to you on Monday or on Friday',
    at: [at * 20, at * 20 + 600 / wordsPerMinute] as [number, number],
  }));

/** The caller begins while the agent speaks, once every ten seconds. */
const cutIns = (count: number, words: string, agentGoesOnS: number): Line[] =>
  Array.from({ length: count }, (_, at): Line[] => [
    { a: 'Let me explain all of our conditions to you in detail.', at: [at * 10, at * 10 + 3 + agentGoesOnS] },
    { c: words, at: [at * 10 + 3, at * 10 + 5] },
  ]).flat();

export const SPEAKING: readonly Example[] = [
  {
    code: 'silence_timeout_end',
    positive: scripted([{ a: 'How can I help?' }, { c: 'Where is my parcel?' }], {
      disconnectionReason: 'inactivity',
      ending: { hint: 'abandoned', family: 'silence', endedBy: 'platform' },
    }),
    negative: PLAIN,
    lookAlike: scripted([{ c: 'Where is my parcel?' }, { a: 'What is the number on it?' }], {
      disconnectionReason: 'inactivity',
      ending: { hint: 'abandoned', family: 'silence', endedBy: 'platform' },
    }),
    notComputable: scripted([{ a: 'Hello.' }], {
      disconnectionReason: 'unknown',
      ending: { hint: 'unknown', family: 'unknown', endedBy: 'unknown' },
    }),
  },
  {
    code: 'first_word_slow',
    positive: scripted([
      { a: 'Hello, this is the clinic.', at: [4.8, 7] },
      { c: 'Hello.', at: [8, 9] },
    ]),
    negative: PLAIN,
    lookAlike: scripted([
      { c: 'Hello, is this the clinic?', at: [3.2, 5] },
      { a: 'Yes, it is.', at: [5.6, 7] },
    ]),
    notComputable: UNTIMED,
  },
  {
    code: 'turn_latency_high',
    positive: scripted(
      [
        { c: 'What does it cost?', at: [0, 2] },
        { a: 'Ninety dollars.', at: [9, 11] },
      ],
      { latency: { llmMs: [6100] } },
    ),
    cause: 'slow_model',
    negative: PLAIN,
    lookAlike: scripted([
      { c: 'What does it cost?', at: [0, 2] },
      { a: 'Ninety dollars.', at: [5, 7] },
    ]),
    notComputable: UNTIMED,
  },
  {
    code: 'dead_air',
    positive: scripted([
      { c: 'Please move my parcel to the shop.', at: [0, 3] },
      { call: 'redirect_parcel' },
      { result: 'redirect_parcel', body: { success: true }, ms: 9000 },
      { a: 'It is moved.', at: [13, 15] },
    ]),
    place: { kind: 'tool', id: 'redirect_parcel' },
    cause: 'waits_for_tool',
    negative: PLAIN,
    lookAlike: scripted([
      { a: 'What is the number?', at: [0, 2] },
      { c: 'Hold on, let me find it.', at: [3, 5] },
      { a: 'Take your time.', at: [16, 17] },
      { c: 'It is 44.', at: [30, 32] },
    ]),
    notComputable: UNTIMED,
  },
  {
    code: 'llm_slow',
    positive: scripted([{ a: 'Hello.' }], { latency: { llmMs: [2600, 2900, 3100] } }),
    place: { kind: 'platform', id: 'language_model' },
    negative: PLAIN,
    lookAlike: scripted([{ a: 'Hello.' }], {
      latency: { llmMs: [700, 600, 650, 700, 600, 650, 700, 600, 650, 700, 2900] },
    }),
    notComputable: UNTIMED,
  },
  {
    code: 'tts_slow',
    positive: scripted([{ a: 'Hello.' }], { latency: { ttsMs: [1500, 1600, 1700] } }),
    negative: PLAIN,
    lookAlike: scripted([{ a: 'Hello.' }], {
      latency: { ttsMs: [200, 210, 205, 200, 210, 205, 200, 210, 205, 200, 1700] },
    }),
    notComputable: UNTIMED,
  },
  {
    code: 'stt_slow',
    positive: scripted([{ a: 'Hello.' }], { latency: { asrMs: [1500, 1600, 1700] } }),
    negative: PLAIN,
    lookAlike: scripted([{ a: 'Hello.' }], {
      latency: { asrMs: [200, 210, 205, 200, 210, 205, 200, 210, 205, 200, 1700] },
    }),
    notComputable: UNTIMED,
  },
  {
    code: 'agent_interrupts_caller',
    positive: scripted([
      { c: 'My number is five five.', at: [0, 4] },
      { a: 'Thank you.', at: [3, 5] },
      { c: 'No, I was not done yet.', at: [6, 9] },
      { a: 'Please go on.', at: [8, 10] },
    ]),
    negative: PLAIN,
    lookAlike: scripted([
      { c: 'My number is five five.', at: [0, 4] },
      { a: 'Thank you.', at: [3.8, 5] },
      { c: 'And my name is Marta.', at: [6, 9] },
      { a: 'Good.', at: [8.8, 10] },
    ]),
    notComputable: UNTIMED,
  },
  {
    code: 'barge_in_ignored',
    positive: scripted(cutIns(1, 'wait, that is not it', 3)),
    negative: PLAIN,
    lookAlike: scripted(cutIns(1, 'mhm', 3)),
    notComputable: UNTIMED,
  },
  {
    code: 'caller_interrupts_often',
    positive: scripted(cutIns(4, 'yes I know all that', 0.5)),
    negative: PLAIN,
    lookAlike: scripted(cutIns(6, 'mhm', 0.5)),
    notComputable: UNTIMED,
  },
  {
    code: 'monologue',
    positive: scripted([{ c: 'Hello.' }, { a: LONG }, { c: 'And?' }, { a: LONG }, { c: 'And?' }, { a: LONG }]),
    negative: PLAIN,
    lookAlike: scripted([
      { c: 'Please read me the whole policy.' },
      { a: LONG },
      { c: 'Thank you.' },
      { a: 'You are welcome.' },
    ]),
    notComputable: scripted([{ c: 'Hello.' }, { a: LONG }], { channel: 'text' }),
  },
  {
    code: 'talk_ratio_high',
    positive: scripted(
      [
        { c: 'What is new?', at: [0, 3] },
        { a: 'A lot is new this year.', at: [4, 80] },
      ],
      { durationMs: 82_000 },
    ),
    negative: PLAIN,
    lookAlike: scripted(
      [
        { c: 'What is new?', at: [0, 1] },
        { a: 'A lot is new this year.', at: [2, 20] },
      ],
      { durationMs: 21_000 },
    ),
    notComputable: UNTIMED,
  },
  {
    code: 'speech_too_fast',
    positive: scripted(atPace(230)),
    negative: scripted(atPace(150)),
    lookAlike: scripted([...atPace(150).slice(0, 3), { a: 'we can come to you on Monday or on Friday', at: [90, 92] }]),
    notComputable: UNTIMED,
  },
  {
    code: 'speech_too_slow',
    positive: scripted(atPace(80)),
    negative: scripted(atPace(150)),
    lookAlike: scripted([...atPace(150).slice(0, 3), { a: 'B', at: [90, 96] }]),
    notComputable: UNTIMED,
  },
  {
    code: 'filler_heavy',
    positive: scripted([
      { c: 'What is it?' },
      { a: 'One moment.' },
      { a: 'Just a second.' },
      { a: 'Let me check.' },
      { a: 'Hold on.' },
      { a: 'It is ninety dollars.' },
    ]),
    negative: PLAIN,
    lookAlike: scripted([
      { c: 'What is it?' },
      { a: 'One moment.' },
      { a: 'It is ninety dollars.' },
      { c: 'And on Friday?' },
      { a: 'It is the same on Fridays.' },
    ]),
    notComputable: FOREIGN,
  },
  {
    code: 'placeholder_spoken',
    positive: scripted([{ a: 'Hello {{first_name}}, how are you?' }]),
    cause: 'placeholder_spoken',
    negative: PLAIN,
    lookAlike: scripted([{ c: 'Is the contract valid?' }, { a: 'No, it is null and void since March.' }]),
    notComputable: SILENT,
  },
  {
    code: 'markup_spoken',
    positive: scripted([{ a: 'We have **two** free times.' }]),
    negative: PLAIN,
    lookAlike: scripted([{ a: 'Five * three is fifteen, and room # 12 is free - or not.' }]),
    notComputable: scripted([{ a: 'We have **two** free times.' }], { channel: 'text' }),
  },
];
