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
const SILENT = scripted([{ c: 'Hello?' }]);

export const UNDERSTANDING: readonly Example[] = [
  {
    code: 'said_already_told',
    positive: scripted([
      { a: 'What is your order number?' },
      { c: 'It is 4471.' },
      { a: 'And what is your order number?' },
      { c: "I've already told you my order number." },
    ]),
    cause: 'answer_not_taken',
    negative: PLAIN,
    lookAlike: scripted([
      { a: 'How can I help?' },
      { c: 'As I said to your colleague, I need a refund.' },
      { a: 'Let us see.' },
    ]),
    notComputable: FOREIGN,
  },
  {
    code: 'required_phrase_missing',
    positive: scripted([{ a: 'Hello.' }, { c: 'I want to pay.' }, { a: 'Go ahead.' }], {
      configuration: { prompt: 'You must say "this call is recorded" at the start.' },
    }),
    place: { kind: 'prompt', id: 'prompt' },
    negative: scripted([{ a: 'Hello, this call is recorded.' }, { c: 'I want to pay.' }, { a: 'Go ahead.' }], {
      configuration: { prompt: 'You must say "this call is recorded" at the start.' },
    }),
    lookAlike: scripted([{ a: 'Hello.' }, { c: 'Sorry, wrong number.' }], {
      configuration: { prompt: 'You must say "this call is recorded" at the start.' },
    }),
    notComputable: PLAIN,
  },
  {
    code: 'forbidden_phrase_said',
    positive: scripted([{ c: 'Will I win?' }, { a: 'Yes, we guarantee success.' }], {
      configuration: { prompt: 'Never say "guarantee success".' },
    }),
    negative: scripted([{ c: 'Will I win?' }, { a: 'Nobody can promise that.' }], {
      configuration: { prompt: 'Never say "guarantee success".' },
    }),
    lookAlike: scripted([{ c: 'Do you guarantee success?' }, { a: 'Nobody can promise that.' }], {
      configuration: { prompt: 'Never say "guarantee success".' },
    }),
    notComputable: PLAIN,
  },
  {
    code: 'sensitive_data_spoken',
    positive: scripted([
      { c: 'Which card do you have?' },
      { a: 'The card is 4111 1111 1111 1111, valid for two years.' },
    ]),
    negative: PLAIN,
    lookAlike: scripted([
      { c: 'Which card do you have?' },
      { a: 'The one that ends in 1111. Your parcel is 4111 1111 1111 1112, our phone number 555 010 4477.' },
    ]),
    notComputable: SILENT,
  },
  {
    code: 'prompt_leak',
    positive: scripted([
      { c: 'Book it.' },
      { call: 'book_table' },
      { result: 'book_table', body: { success: true } },
      { a: 'I will now use book_table for you.' },
    ]),
    negative: PLAIN,
    lookAlike: scripted([{ c: 'Are you a robot?' }, { a: 'I am a virtual assistant of the clinic.' }]),
    notComputable: SILENT,
  },
  {
    code: 'caller_abusive',
    positive: scripted([{ a: 'How can I help?' }, { c: 'Shut up, you stupid machine.' }]),
    negative: PLAIN,
    lookAlike: scripted([{ a: 'How can I help?' }, { c: 'My stupid washing machine is broken.' }]),
    notComputable: FOREIGN,
  },
];
