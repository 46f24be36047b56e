import { type Line, scripted } from '../scripted-call.ts';
import type { Example } from './example.ts';

const PLAIN = scripted([
  { a: 'Good morning, how can I help you?', node: 'welcome' },
  { c: 'I would like to book a cleaning on Monday.', node: 'welcome' },
  { call: 'book_visit', args: { day: 'Monday' }, node: 'book' },
  { result: 'book_visit', body: { success: true } },
  { a: 'Your visit is booked. Is there anything else?', node: 'done' },
  { c: "No, that's all, thank you. Bye.", node: 'done' },
  { a: 'Goodbye.', node: 'done' },
]);
const FOREIGN = scripted(
  [{ a: 'Waarmee kan ik u van dienst zijn vandaag?' }, { c: 'Ik wil graag een afspraak voor maandag, kan dat?' }],
  { language: 'nl' },
);
const BARE = scripted([{ a: 'Hello, how can I help?' }, { c: 'I need a plumber.' }], {
  disconnectionReason: 'unknown',
  ending: { hint: 'unknown', family: 'unknown', endedBy: 'unknown' },
});
const AGENT_END = {
  disconnectionReason: 'agent_hangup',
  ending: { hint: 'unknown', family: 'agent_end', endedBy: 'agent' },
} as const;

const edge = (to: string) => ({ to, condition: null });
const FLOW = {
  startNodeId: 'welcome',
  nodes: [
    { id: 'welcome', label: 'Welcome', kind: 'conversation', text: null, toolName: null, edges: [edge('verify')] },
    { id: 'verify', label: 'Verify', kind: 'conversation', text: null, toolName: null, edges: [edge('pay')] },
    { id: 'pay', label: 'Pay', kind: 'conversation', text: null, toolName: null, edges: [] },
  ],
};

const ROUND: Line[] = [
  { a: 'Which day suits you?', node: 'ask_day' },
  { c: 'I do not mind, whatever you have.', node: 'ask_day' },
  { a: 'I have not understood the day.', node: 'check_day' },
];

export const FLOW_EXAMPLES: readonly Example[] = [
  {
    code: 'agent_repeats_line',
    positive: scripted([
      { a: 'Please tell me your full name and birthday.' },
      { c: 'It is for my son.' },
      { a: 'Please tell me your full name and birthday.' },
      { c: 'His name is Tom.' },
      { a: 'Please tell me your full name and birthday.' },
    ]),
    negative: PLAIN,
    lookAlike: scripted(
      [1, 2, 3, 4].flatMap(() => [
        { a: 'Is there anything else I can help you with today?' },
        { c: 'Yes, another question about parking there.' },
        { a: 'One moment, let me check that for you.' },
      ]),
    ),
    notComputable: scripted([{ c: 'Hello?' }]),
  },
  {
    code: 'flow_loop',
    positive: scripted([...ROUND, ...ROUND, ...ROUND, ...ROUND]),
    place: { kind: 'node', id: 'check_day' },
    negative: PLAIN,
    lookAlike: scripted(
      ['Monday', 'Tuesday', 'Friday'].flatMap((day): Line[] => [
        { a: 'Which day suits you?', node: 'ask_day' },
        { c: `What about ${day}?`, node: 'ask_day' },
        { a: 'Nothing free then.', node: 'check_day' },
      ]),
    ),
    notComputable: BARE,
  },
  {
    code: 'no_progress',
    positive: scripted([
      { a: 'How can I help?', node: 'welcome' },
      ...Array.from({ length: 6 }, (): Line[] => [
        { c: 'Hm.', node: 'welcome' },
        { a: 'So what is it about?', node: 'welcome' },
      ]).flat(),
    ]),
    negative: PLAIN,
    lookAlike: scripted([
      { a: 'How can I help?', node: 'welcome' },
      ...Array.from({ length: 6 }, (): Line[] => [
        { c: 'Hold on.', node: 'welcome' },
        { a: 'Take your time.', node: 'welcome' },
      ]).flat(),
    ]),
    notComputable: BARE,
  },
  {
    code: 'step_skipped',
    positive: scripted(
      [
        { a: 'Hello.', node: 'welcome' },
        { c: 'I want to pay.', node: 'welcome' },
        { a: 'Your card number?', node: 'pay' },
      ],
      { configuration: FLOW },
    ),
    place: { kind: 'node', id: 'verify' },
    negative: scripted(
      [
        { a: 'Hello.', node: 'welcome' },
        { a: 'Your birthday?', node: 'verify' },
        { a: 'Your card number?', node: 'pay' },
      ],
      { configuration: FLOW },
    ),
    lookAlike: scripted(
      [
        { a: 'Hello.', node: 'welcome' },
        { c: 'I want to pay.', node: 'welcome' },
        { a: 'Your card number?', node: 'pay' },
      ],
      {
        configuration: {
          ...FLOW,
          nodes: FLOW.nodes.map((node) =>
            node.id === 'welcome' ? { ...node, edges: [edge('verify'), edge('pay')] } : node,
          ),
        },
      },
    ),
    notComputable: PLAIN,
  },
  {
    code: 'dead_end_step',
    positive: scripted(
      [
        { a: 'Hello.', node: 'welcome' },
        { c: 'I need a new key for my room.', node: 'welcome' },
        { a: 'What is your room?', node: 'key' },
        { c: 'Twelve.', node: 'key' },
      ],
      AGENT_END,
    ),
    place: { kind: 'node', id: 'key' },
    negative: PLAIN,
    lookAlike: scripted(
      [
        { a: 'Hello.', node: 'welcome' },
        { c: 'A table at eight?', node: 'welcome' },
        { a: 'Unfortunately we are fully booked at eight.', node: 'no_table' },
        { c: 'Okay, thank you, bye.', node: 'no_table' },
      ],
      AGENT_END,
    ),
    notComputable: BARE,
  },
  {
    code: 'human_request_ignored',
    positive: scripted(
      [
        { c: 'I want to speak to a person.' },
        { a: 'I can help you with that myself.' },
        { c: 'No, let me talk to a human, please.' },
        { a: 'What is it about?' },
        { c: 'My bill.' },
        { a: 'Which bill?' },
      ],
      { configuration: { tools: [] } },
    ),
    cause: 'no_transfer_tool',
    negative: PLAIN,
    lookAlike: scripted([
      { c: 'I want to speak to a person.' },
      { a: 'Of course, what is it about?' },
      { c: 'My bill. Connect me to an agent.' },
      { call: 'transfer_call' },
      { result: 'transfer_call', body: { status: 'ok' } },
    ]),
    notComputable: FOREIGN,
  },
  {
    code: 'agent_hung_up_early',
    positive: scripted(
      [{ a: 'How can I help?' }, { c: 'I have two questions.' }, { a: 'Which one comes first?' }],
      AGENT_END,
    ),
    cause: 'ends_on_open_question',
    negative: PLAIN,
    lookAlike: scripted(
      [{ a: 'How can I help?' }, { c: 'Wrong number, sorry, bye.' }, { a: 'No problem, goodbye.' }],
      AGENT_END,
    ),
    notComputable: BARE,
  },
  {
    code: 'goodbye_loop',
    positive: scripted([{ a: 'Goodbye.' }, { c: 'Bye.' }, { a: 'Have a nice day.' }, { c: 'Bye.' }, { a: 'Bye bye.' }]),
    negative: PLAIN,
    lookAlike: scripted([{ a: 'Thank you for calling. Have a good day, goodbye.' }, { c: 'Bye.' }]),
    notComputable: FOREIGN,
  },
  {
    code: 'caller_left_mid_task',
    positive: scripted([
      { a: 'How can I help?' },
      { c: 'I need to change my address.' },
      { a: 'What is your customer number?' },
    ]),
    negative: PLAIN,
    lookAlike: scripted([
      { c: 'Please open the gate.' },
      { call: 'open_gate' },
      { result: 'open_gate', body: { success: true } },
      { a: 'The gate is open now.' },
    ]),
    notComputable: scripted([{ c: 'Hello?' }, { c: 'Anybody?' }]),
  },
  {
    code: 'instant_hangup',
    positive: scripted([{ a: 'Hello, you are talking to our assistant.' }], { durationMs: 4000 }),
    negative: PLAIN,
    lookAlike: scripted(
      [
        { c: 'Please open the gate.' },
        { call: 'open_gate' },
        { result: 'open_gate', body: { success: true } },
        { a: 'It is open now.' },
      ],
      { durationMs: 20_000 },
    ),
    notComputable: BARE,
  },
  {
    code: 'max_duration_end',
    positive: scripted([{ a: 'Hello.' }, { c: 'I need a plumber.' }], {
      disconnectionReason: 'max_duration_reached',
      ending: { hint: 'unresolved', family: 'limit', endedBy: 'platform' },
    }),
    negative: PLAIN,
    lookAlike: scripted([{ a: 'Hello.' }, { c: 'I need a plumber.' }], { durationMs: 3_000_000 }),
    notComputable: BARE,
  },
  {
    code: 'voicemail_talked_to',
    positive: scripted(
      [
        { o: 'Please leave a message after the tone.' },
        {
          a: 'Good afternoon, I am calling from the clinic about the appointment that you have next week and I would like to ask you whether the time still suits you or whether we should look for another one together now.',
        },
      ],
      {
        direction: 'outbound',
      },
    ),
    negative: PLAIN,
    lookAlike: scripted(
      [{ o: 'Please leave a message after the tone.' }, { a: 'This is the clinic, please call us back.' }],
      { direction: 'outbound' },
    ),
    notComputable: scripted([]),
  },
  {
    code: 'opt_out_ignored',
    positive: scripted([
      { a: 'We have a new offer.' },
      { c: 'Please do not call me again.' },
      { a: 'It is half the price this week.' },
      { c: 'No.' },
      { a: 'And the first month is free.' },
    ]),
    negative: PLAIN,
    lookAlike: scripted([
      { a: 'We have a new offer.' },
      { c: 'Take me off your list.' },
      { a: 'I have removed your number. Goodbye.' },
    ]),
    notComputable: FOREIGN,
  },
];
