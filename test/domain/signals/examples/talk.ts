import { scripted } from '../scripted-call.ts';
import type { Example } from './example.ts';

const PLAIN = scripted([
  { a: 'Good morning, how can I help you?' },
  { c: 'What does a cleaning cost?' },
  { a: 'A cleaning is ninety dollars without insurance.' },
  { c: 'Thank you, goodbye.' },
]);
const FOREIGN = scripted(
  [{ a: 'Waarmee kan ik u van dienst zijn vandaag?' }, { c: 'Ik wil graag een afspraak voor maandag, kan dat?' }],
  { language: 'nl' },
);

/** What codes say about the words of a talk: what was heard, taken up and followed. */
export const TALK: readonly Example[] = [
  {
    code: 'caller_did_not_follow',
    positive: scripted([
      { a: 'Hello.' },
      { c: 'Where is my parcel?' },
      { a: 'The moon is a fine place for cats.' },
      { c: 'What are you talking about?' },
    ]),
    place: { kind: 'prompt', id: 'prompt' },
    negative: PLAIN,
    lookAlike: scripted([
      { a: 'Hello.' },
      { c: 'My doctor talks about a root canal, what is that?' },
      { a: 'That is a treatment of the nerve of a tooth.' },
      { c: 'How much is it?' },
    ]),
    notComputable: FOREIGN,
  },
  {
    code: 'reasked_known_slot',
    positive: scripted([
      { a: 'For how many people is the table?' },
      { c: 'For five people.' },
      { a: 'Good. And for how many people is the table?' },
      { c: 'Five.' },
    ]),
    negative: PLAIN,
    lookAlike: scripted([
      { a: 'What is the date of birth of the first passenger?' },
      { c: 'The 4th of May 1990.' },
      { a: 'What is the date of birth of the second passenger?' },
      { c: 'The 9th of June 1992.' },
    ]),
    notComputable: FOREIGN,
  },
  {
    code: 'kb_miss',
    positive: scripted([
      { c: 'Can I bring my dog?' },
      { call: 'search_faq', args: { query: 'dog' } },
      { result: 'search_faq', body: { results: [] } },
      { a: 'I am not sure about that.' },
    ]),
    negative: scripted([
      { c: 'Can I bring my dog?' },
      { call: 'search_faq', args: { query: 'dog' } },
      { result: 'search_faq', body: { results: ['Dogs are welcome.'] } },
      { a: 'Dogs are welcome.' },
    ]),
    lookAlike: scripted(
      [
        { c: 'A table for two?' },
        { call: 'find_tables' },
        { result: 'find_tables', body: { tables: [] } },
        { a: 'We have none.' },
      ],
      {
        configuration: {
          tools: [
            {
              id: 'f',
              name: 'search_faq',
              description: '',
              kind: 'other',
              parameters: null,
              timeoutMs: null,
              speaksDuring: null,
            },
          ],
        },
      },
    ),
    notComputable: PLAIN,
  },
  {
    code: 'wrong_number',
    positive: scripted([{ a: 'The clinic, hello.' }, { c: 'Oh, sorry, wrong number.' }]),
    negative: PLAIN,
    lookAlike: scripted([{ a: 'The shop, hello.' }, { c: 'You have printed the order number wrong.' }]),
    notComputable: FOREIGN,
  },
  {
    code: 'spam_call',
    positive: scripted([{ a: 'The clinic, hello.' }, { c: 'We can renew the extended warranty of your vehicle.' }]),
    negative: PLAIN,
    lookAlike: scripted([{ a: 'The shop, hello.' }, { c: 'I saw your special offer for members, is it still on?' }]),
    notComputable: FOREIGN,
  },
  {
    code: 'test_call',
    positive: scripted([{ a: 'The clinic, hello.' }, { c: 'Hi, this is just a test.' }]),
    negative: PLAIN,
    lookAlike: scripted([{ a: 'The clinic, hello.' }, { c: 'I would like to make a blood test.' }]),
    notComputable: FOREIGN,
  },
  {
    code: 'closing_missing',
    positive: scripted(
      [
        { a: 'How can I help?' },
        { c: 'Please book a table for two at nine, thanks.' },
        { call: 'book_table' },
        { result: 'book_table', body: { success: true } },
        { a: 'Okay then.' },
        { c: 'Great, thank you, bye.' },
        { a: 'Bye.' },
      ],
      { ending: { hint: 'unknown', family: 'agent_end', endedBy: 'agent' } },
    ),
    negative: scripted(
      [
        { a: 'How can I help?' },
        { c: 'Please book a table for two at nine, thanks.' },
        { call: 'book_table' },
        { result: 'book_table', body: { success: true } },
        { a: 'Your table for two at nine is booked.' },
        { c: 'Great, thank you, bye.' },
        { a: 'Bye.' },
      ],
      { ending: { hint: 'unknown', family: 'agent_end', endedBy: 'agent' } },
    ),
    lookAlike: scripted([
      { a: 'How can I help?' },
      { c: 'Please book a table for two at nine, thanks.' },
      { call: 'book_table' },
      { result: 'book_table', body: { success: true } },
      { c: 'Thanks, bye!' },
      { a: 'Bye.' },
    ]),
    notComputable: PLAIN,
  },
  {
    code: 'ivr_stuck',
    positive: scripted([
      { c: 'For billing, press one. For sales, press two.' },
      { a: 'Hello, I am calling about an order.' },
      { c: 'For billing, press one. For sales, press two.' },
      { a: 'Could I speak to somebody?' },
    ]),
    negative: PLAIN,
    lookAlike: scripted([
      { c: 'For billing, press one. For sales, press two.' },
      { call: 'press_digit', args: { digit: '1' } },
      { result: 'press_digit', body: { success: true } },
      { c: 'For a new order, press one. To hear this again, press nine.' },
      { call: 'press_digit', args: { digit: '1' } },
      { a: 'Hello?' },
    ]),
    notComputable: FOREIGN,
  },
  {
    code: 'false_barge_in',
    positive: scripted([
      { a: 'The clinic is open from nine to five on weekdays.', at: [0, 3], interrupted: true },
      { c: 'Mhm.', at: [2.6, 3] },
      { a: 'The clinic is open from nine to five on weekdays.', at: [3.6, 6.6], interrupted: true },
      { c: 'Okay.', at: [6.2, 6.6] },
      { a: 'The clinic is open from nine to five on weekdays.', at: [7.2, 11] },
    ]),
    negative: scripted([
      { a: 'When would you like to come?', at: [0, 2] },
      { c: 'On Monday.', at: [2.5, 3.5] },
    ]),
    lookAlike: scripted([
      { a: 'The clinic is open from nine to five on weekdays.', at: [0, 3], interrupted: true },
      { c: 'No, I mean on Sunday.', at: [2.6, 4] },
      { a: 'Shall I book you in for Monday at nine?', at: [4.6, 7.6], interrupted: true },
      { c: 'Yes.', at: [7.2, 7.6] },
    ]),
    notComputable: scripted([{ a: 'Hello.' }, { c: 'Mhm.' }]),
  },
];
