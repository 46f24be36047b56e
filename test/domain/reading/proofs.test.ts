import { describe, expect, test } from 'vitest';
import { checkAnswer } from '../../../src/domain/reading/check-answer.ts';
import { proofContext } from '../../../src/domain/reading/proof-context.ts';
import { PROOF_FORMS, type ProofForm, READER_CODES } from '../../../src/domain/reading/reader-codes.ts';
import type { AgentConfiguration, ToolDefinition } from '../../../src/domain/versions/configuration.ts';
import { type Given, type Line, scripted } from '../signals/scripted-call.ts';
import { answered, cited, finding, type Proofs } from './answers.ts';

/** Quote of the finding, its proof, and what comes of it: null where it holds. */
type Row = [why: string, turn: number, quote: string, proof: Proofs, reason: string | null, code?: string];

interface Table {
  code: string;
  lines: Line[];
  given?: Given;
  rows: Row[];
}

const tool = (name: string, description: string, over: Partial<ToolDefinition> = {}): ToolDefinition => ({
  id: name,
  name,
  description,
  kind: 'other',
  parameters: null,
  timeoutMs: null,
  speaksDuring: null,
  ...over,
});

const TOLD = (prompt: string, tools: ToolDefinition[] = []): { configuration: Partial<AgentConfiguration> } => ({
  configuration: { prompt, tools },
});
const NOT_THERE = 'proof_missing';
const REFUTED = 'proof_does_not_hold';

const TABLES: Record<ProofForm, Table[]> = {
  correction: [
    {
      code: 'correction_not_applied',
      lines: [
        { a: 'Your collar comes in two sizes. Which day shall I put down?' },
        { c: 'thursday the fourteenth for a dog called Biscuit' },
        { a: 'The fourteenth, for Biscuit.' },
        { c: 'no the fifteenth' },
        { a: 'Right, the fourteenth it is.' },
        { a: 'Friday the fifteenth, understood.' },
        { call: 'book_visit', args: { date: '2026-05-14', pet: 'Biscuit' } },
        { result: 'book_visit', body: { ok: true } },
        { c: 'and his name is spelled B I S K I T' },
        { a: 'Thank you, B I S C U I T.' },
        { a: 'So that is Biskit.' },
      ],
      rows: [
        ['the old value is said again', 4, 'the fourteenth it is', [cited(3, 'no the fifteenth')], null],
        ['the old value goes into a tool', 6, '"date":"2026-05-14"', [cited(3, 'no the fifteenth')], null],
        ['a spelled name is kept wrong', 9, 'B I S C U I T', [cited(8, 'B I S K I T')], null],
        ['the new value is there', 5, 'Friday the fifteenth', [cited(3, 'no the fifteenth')], REFUTED],
        ['the new name is there, in one word', 10, 'So that is Biskit.', [cited(8, 'B I S K I T')], REFUTED],
        ['the quote tells nothing, and its turn has the new value', 5, 'Friday', [cited(3, 'fifteenth')], null],
        ['the correction comes later', 2, 'The fourteenth, for Biscuit.', [cited(3, 'no the fifteenth')], NOT_THERE],
        ['the agent said it, not the caller', 4, 'the fourteenth it is', [cited(2, 'The fourteenth')], NOT_THERE],
        ['nothing is cited', 4, 'the fourteenth it is', [], NOT_THERE],
      ],
    },
    {
      code: 'correction_not_applied',
      given: { language: 'de-DE' },
      lines: [
        { c: 'Ich brauche einen Tisch für vier Personen um sieben Uhr' },
        { a: 'Ein Tisch für vier Personen um sieben Uhr.' },
        { c: 'nein, fünf Personen' },
        { a: 'Gut, vier Personen um sieben.' },
        { a: 'Dann also fünf Personen.' },
      ],
      rows: [
        ['in German', 3, 'vier Personen', [cited(2, 'nein, fünf Personen')], null],
        ['in German, taken over', 4, 'Dann also fünf Personen.', [cited(2, 'nein, fünf Personen')], REFUTED],
      ],
    },
    {
      code: 'correction_not_applied',
      given: { language: 'nl-NL' },
      lines: [
        { c: 'ik wil graag een afspraak op 14 mei' },
        { c: 'nee, 15 mei' },
        { a: 'Goed, 14 mei om 9:30.' },
        { a: 'Goed, 15 mei.' },
      ],
      rows: [
        ['in a language without lists', 2, 'Goed, 14 mei', [cited(1, 'nee, 15 mei')], null],
        ['in a language without lists, taken over', 3, 'Goed, 15 mei.', [cited(1, 'nee, 15 mei')], REFUTED],
      ],
    },
  ],
  caller_value: [
    {
      code: 'readback_mismatch',
      lines: [
        { c: 'four oh one five five five oh one six two' },
        { a: 'That is 401 555 0126.' },
        { a: 'That is 401 555 0162.' },
        { c: 'my mail is ana dot ruiz at mail dot com' },
        { a: 'I have ana.ruiz@mail.com.' },
        { a: 'I have anna.ruiz@mail.com.' },
        { c: 'six inch red velvet for friday' },
        { a: 'A six inch carrot cake for Friday.' },
        { a: 'And?' },
        { o: '', key: '90210' },
        { a: 'The zip code is 90201.' },
      ],
      rows: [
        ['two figures are swapped', 1, '401 555 0126', [cited(0, 'five five five oh one six two')], null],
        ['an address differs by a letter', 5, 'anna.ruiz@mail.com', [cited(3, 'ana dot ruiz at mail dot com')], null],
        ['words differ beside the same figures', 7, 'six inch carrot cake', [cited(6, 'six inch red velvet')], null],
        ['against keys that were pressed', 10, '90201', [cited(9, '90210')], null],
        [
          'figures and spoken figures are the same',
          2,
          '401 555 0162',
          [cited(0, 'four oh one five five five oh one six two')],
          REFUTED,
        ],
        [
          'an address that was spoken',
          4,
          'I have ana.ruiz@mail.com.',
          [cited(3, 'my mail is ana dot ruiz at mail dot com')],
          REFUTED,
        ],
        ['the quote holds nothing', 8, 'And', [cited(6, 'red velvet')], REFUTED],
        ['against the agent itself', 1, '401 555 0126', [cited(2, '401 555 0162')], NOT_THERE],
      ],
    },
  ],
  already_told: [
    {
      code: 'reasked_known_slot',
      lines: [
        { a: 'Hello, how can I help?' },
        { c: "it's order b f five one six three for friday" },
        { a: "What's your order number?" },
        { a: 'Friday, is that right?' },
        { a: 'Thank you for the order number.' },
        { call: 'find_order', args: {} },
        { result: 'find_order', body: { phone: '4015550162' } },
        { a: 'And which number do I reach you on?' },
        { c: 'well I told you not friday' },
        { a: 'Which day would you like?' },
      ],
      rows: [
        ['the caller had said it', 2, "What's your order number?", [cited(1, 'order b f five one six three')], null],
        ['a result had it', 7, 'which number do I reach you on', [cited(6, '"phone":"4015550162"', 'tool')], null],
        ['it is read back', 3, 'Friday, is that right?', [cited(1, 'for friday')], REFUTED],
        ['nothing is asked', 4, 'Thank you for the order number.', [cited(1, 'b f five one six three')], REFUTED],
        ['the caller has taken it back', 9, 'Which day would you like?', [cited(1, 'friday')], REFUTED],
        ['the caller says it later', 0, 'how can I help?', [cited(1, 'friday')], NOT_THERE],
        ['what is cited tells nothing', 2, "What's your order number?", [cited(1, "it's")], REFUTED],
      ],
    },
    {
      code: 'said_already_told',
      lines: [
        { c: 'my plate is KL 71 ABC' },
        { c: 'I told you my plate' },
        { a: 'What is your plate?' },
        { c: 'as I said KL 71 ABC' },
      ],
      rows: [
        ['the agent asked in between', 3, 'as I said KL 71 ABC', [cited(0, 'KL 71 ABC')], null],
        ['nobody asked in between', 1, 'I told you my plate', [cited(0, 'KL 71 ABC')], REFUTED],
      ],
    },
    {
      code: 'reasked_known_slot',
      given: { language: 'nl-NL' },
      lines: [{ c: 'mijn klantnummer is 48213' }, { a: 'Wat is uw klantnummer' }],
      rows: [['without lists nothing speaks against it', 1, 'Wat is uw klantnummer', [cited(0, '48213')], null]],
    },
  ],
  unanswered: [
    {
      code: 'question_unanswered',
      lines: [
        { c: 'how long does it keep in the fridge' },
        { a: 'One moment, please.' },
        { c: 'ok' },
        { a: 'Which size of cake would you like to order from us today?' },
        { c: 'six inch but how long does it keep' },
        { a: 'Six inch it is, and which flavor would you like to have?' },
        { c: 'lemon' },
        { a: 'Lemon is a good choice, and on which day do you need it?' },
        { c: 'friday' },
        { a: 'Friday it is. Under what name shall I put down the order?' },
      ],
      rows: [
        [
          'the next reply but a filler',
          3,
          'Which size of cake would you like',
          [cited(0, 'how long does it keep')],
          null,
        ],
        ['the second reply', 5, 'Six inch it is', [cited(0, 'how long does it keep')], null],
        ['a later reply', 7, 'on which day do you need it', [cited(0, 'how long does it keep')], REFUTED],
        ['asked again since', 7, 'on which day do you need it', [cited(4, 'how long does it keep')], null],
        [
          'a wish holds for the rest of the call',
          9,
          'Under what name',
          [cited(0, 'how long')],
          null,
          'opt_out_ignored',
        ],
        ['the question comes later', 3, 'Which size of cake', [cited(4, 'how long does it keep')], NOT_THERE],
        ['the agent asked', 5, 'Six inch it is', [cited(3, 'Which size')], NOT_THERE],
      ],
    },
  ],
  no_tool_success: [
    {
      code: 'claimed_without_tool',
      given: TOLD('After place_order send the link with send_link.', [
        tool('place_order', 'Places an order'),
        tool('send_link', 'Sends the payment link for a deposit by text message'),
      ]),
      lines: [
        { c: 'a lemon cake please, and let my wife know' },
        { call: 'place_order', args: {} },
        { result: 'place_order', body: { status: 'awaiting_deposit' }, ok: true },
        { a: 'Your order is placed and the payment link is in your messages.' },
        { a: 'I have told your wife.' },
        { call: 'send_link', args: {} },
        { result: 'send_link', body: { sent: true }, ok: true },
        { a: 'I sent the link.' },
      ],
      rows: [
        [
          'the tool was not used before',
          3,
          'the payment link is in your messages',
          [cited(null, 'send_link', 'tool')],
          null,
        ],
        [
          'a line names the tool',
          3,
          'the payment link is in your messages',
          [cited(1, 'send the link with send_link', 'prompt')],
          null,
        ],
        [
          'a result shows what was done instead',
          3,
          'the payment link is in your messages',
          [cited(2, 'awaiting_deposit', 'tool')],
          null,
        ],
        ['no tool does it', 4, 'I have told your wife.', [cited(0, 'let my wife know')], null],
        ['the tool worked', 3, 'Your order is placed', [cited(null, 'place_order', 'tool')], REFUTED],
        ['the tool worked since', 7, 'I sent the link.', [cited(null, 'send_link', 'tool')], REFUTED],
        [
          'it was used by the end',
          3,
          'the payment link is in your messages',
          [cited(null, 'send_link', 'tool')],
          REFUTED,
          'tool_missing',
        ],
        ['nothing names a tool', 4, 'I have told your wife.', [cited(2, 'awaiting_deposit', 'tool')], NOT_THERE],
        ['there is no such tool', 4, 'I have told your wife.', [cited(null, 'call_wife', 'tool')], 'proof_not_found'],
      ],
    },
    {
      code: 'claimed_without_tool',
      lines: [
        { c: 'can you send me the link' },
        { a: 'The payment link is already in your messages.' },
        { c: 'uh nope nothing here' },
      ],
      rows: [
        [
          'words alone, and it is shown that it was not done',
          1,
          'already in your messages',
          [cited(2, 'nothing here')],
          null,
        ],
        [
          'words alone: absence shows nothing',
          1,
          'already in your messages',
          [cited(0, 'send me the link')],
          NOT_THERE,
        ],
      ],
    },
  ],
  failed_result: [
    {
      code: 'claimed_after_failure',
      lines: [
        { c: 'book me in at nine' },
        { call: 'book_visit', args: { time: '09:00' } },
        { result: 'book_visit', body: { error: 'timeout' }, ok: false },
        { a: 'You are booked in at nine.' },
        { call: 'book_visit', args: { time: '09:00' } },
        { result: 'book_visit', body: { confirmation: 'A1' }, ok: true },
        { a: 'It is booked now.' },
        { call: 'send_text', args: {} },
        { result: 'send_text', body: { success: false, message: 'No slot is available' } },
        { a: 'The text is on its way.' },
      ],
      rows: [
        ['it failed', 3, 'You are booked in', [cited(2, 'timeout', 'tool')], null],
        ['it was declined', 9, 'on its way', [cited(8, 'No slot is available', 'tool')], null],
        ['cited as a turn', 3, 'You are booked in', [cited(2, 'timeout')], null],
        ['it worked before the claim', 6, 'It is booked now.', [cited(2, 'timeout', 'tool')], REFUTED],
        ['the result is a success', 6, 'It is booked now.', [cited(5, 'A1', 'tool')], REFUTED],
        ['the result comes later', 3, 'You are booked in', [cited(8, 'No slot is available', 'tool')], NOT_THERE],
        ['no result is cited', 3, 'You are booked in', [cited(0, 'book me in at nine')], NOT_THERE],
      ],
    },
  ],
  result_value: [
    {
      code: 'result_misreported',
      lines: [
        { c: 'how much and when' },
        { call: 'quote', args: { item: 'half sheet' } },
        { result: 'quote', body: { total: 142, ready: '2026-05-14', status: 'pending' }, ok: true },
        { a: 'That is one hundred and twenty-four dollars.' },
        { a: 'That is one hundred and forty-two dollars.' },
        { a: 'Ready on the fourteenth of May.' },
        { a: 'It is confirmed.' },
        { a: 'So.' },
        { call: 'quote', args: {} },
        { result: 'quote', body: { total: 124 }, ok: true },
      ],
      rows: [
        ['another amount', 3, 'one hundred and twenty-four dollars', [cited(2, '"total":142', 'tool')], null],
        ['another state', 6, 'It is confirmed.', [cited(2, '"status":"pending"', 'tool')], null],
        ['the same amount', 4, 'one hundred and forty-two dollars', [cited(2, '"total": 142', 'tool')], REFUTED],
        ['the same day', 5, 'the fourteenth of May', [cited(2, '2026-05-14', 'tool')], REFUTED],
        ['a later result', 3, 'one hundred and twenty-four dollars', [cited(9, '"total":124', 'tool')], NOT_THERE],
        [
          'what the tool was asked is no result',
          3,
          'one hundred and twenty-four dollars',
          [cited(1, 'half sheet', 'tool')],
          NOT_THERE,
        ],
        ['the quote holds nothing', 7, 'So', [cited(2, '"total":142', 'tool')], REFUTED],
      ],
    },
  ],
  unused_result: [
    {
      code: 'tool_result_ignored',
      lines: [
        { c: 'where is my parcel' },
        { call: 'track', args: {} },
        { result: 'track', body: { shelf: 'B 417', day: '2026-05-14' }, ok: true },
        { a: 'It comes on the fourteenth.' },
        { call: 'audit', args: {} },
        { result: 'audit', body: { error: 'down' }, ok: false },
        { a: 'Anything else?' },
      ],
      rows: [
        ['never told', 6, 'Anything else?', [cited(2, 'B 417', 'tool')], null],
        ['told', 6, 'Anything else?', [cited(2, '2026-05-14', 'tool')], REFUTED],
        ['there was nothing to use', 6, 'Anything else?', [cited(5, 'down', 'tool')], REFUTED],
        ['no result is cited', 6, 'Anything else?', [cited(0, 'where is my parcel')], NOT_THERE],
      ],
    },
  ],
  prompt_line: [
    {
      code: 'fact_contradicts_source',
      given: TOLD('# Rules of the house\nPrices:\nA call-out is 59 pounds.\nNever read out a card number to anybody.'),
      lines: [
        { c: 'what is a call-out' },
        { a: 'That would be 49 pounds.' },
        { a: 'A call-out is 59 pounds.' },
        { a: 'Your card is 4111 1111.' },
      ],
      rows: [
        ['the line says otherwise', 1, '49 pounds', [cited(3, 'A call-out is 59 pounds.', 'prompt')], null],
        ['a part of the line, with a value', 1, '49 pounds', [cited(3, '59 pounds', 'prompt')], null],
        [
          'an order is broken',
          3,
          'Your card is 4111 1111.',
          [cited(4, 'Never read out a card number', 'prompt')],
          null,
          'instruction_not_followed',
        ],
        [
          'the agent says what the line says',
          2,
          'A call-out is 59 pounds.',
          [cited(3, 'A call-out is 59 pounds.', 'prompt')],
          REFUTED,
        ],
        ['a heading', 1, '49 pounds', [cited(1, 'Rules of the house', 'prompt')], NOT_THERE],
        ['a mere word', 1, '49 pounds', [cited(4, 'Never', 'prompt')], REFUTED],
        ['no such line', 1, '49 pounds', [cited(3, 'A call-out is free.', 'prompt')], 'proof_not_found'],
        ['no line is cited', 1, '49 pounds', [cited(0, 'what is a call-out')], NOT_THERE],
      ],
    },
    {
      code: 'fact_contradicts_source',
      lines: [{ c: 'what is a call-out' }, { a: 'That would be 49 pounds.' }],
      rows: [
        ['no text was captured', 1, '49 pounds', [cited(1, 'A call-out is 59 pounds.', 'prompt')], 'proof_not_found'],
      ],
    },
  ],
  phrase_missing: [
    {
      code: 'required_phrase_missing',
      given: TOLD(
        [
          'Before you book always say: "This booking is binding, and the fee of 20 euros is kept if you do not come."',
          'End with “Thank you {{name}}, and have a good trip.”',
          'Say that calls are recorded for training.',
          'Sag am Ende „Auf Wiederhören und danke“ oder „Schönen Tag noch“.',
        ].join('\n'),
      ),
      lines: [
        { c: 'book it' },
        { a: 'You are booked in.' },
        { a: 'This booking is binding and the fee of twenty euros is kept' },
        { a: 'Thank you Mrs. Ruiz, and have a good trip!' },
        { a: 'this booking is binding, and um the fee of 20 euros is kept if you do not come' },
        { a: 'Say that calls are recorded for training' },
        { a: 'Auf Wiederhören und danke' },
      ],
      rows: [
        [
          'one of two wordings was not said',
          6,
          'Auf Wiederhören',
          [cited(4, 'Sag am Ende „Auf Wiederhören und danke“ oder „Schönen Tag noch“.', 'prompt')],
          null,
        ],
        [
          'said, but for a word and a mark',
          1,
          'You are booked in.',
          [cited(1, 'Before you book always say', 'prompt')],
          REFUTED,
        ],
        [
          'said, with the part that each call fills in',
          1,
          'You are booked in.',
          [cited(2, 'End with “Thank you {{name}}, and have a good trip.”', 'prompt')],
          REFUTED,
        ],
        [
          'said without quotation marks',
          1,
          'You are booked in.',
          [cited(3, 'Say that calls are recorded for training.', 'prompt')],
          REFUTED,
        ],
        ['no line is cited', 1, 'You are booked in.', [cited(0, 'book it')], NOT_THERE],
      ],
    },
    {
      code: 'required_phrase_missing',
      given: TOLD('Always say "The fee of 20 euros is kept if you do not come to the trip."'),
      lines: [{ a: 'The fee of 50 euros is kept if you do not come to the trip.' }, { a: 'A fee may be kept.' }],
      rows: [
        ['a figure of it was changed', 1, 'A fee may be kept.', [cited(1, 'The fee of 20 euros', 'prompt')], null],
      ],
    },
    {
      code: 'required_phrase_missing',
      given: { language: 'ja-JP', ...TOLD('必ず「この通話は録音されています」と言ってください。') },
      lines: [{ a: 'はい、予約しました。' }, { c: 'はい' }, { a: 'なお、この通話は録音されています。' }],
      rows: [
        [
          'in a script without blanks',
          0,
          '予約しました',
          [cited(1, '「この通話は録音されています」', 'prompt')],
          REFUTED,
        ],
      ],
    },
  ],
  phrase_said: [
    {
      code: 'forbidden_phrase_said',
      given: TOLD('Never call a cake "nut free" or "safe".\nDo not promise a refund to anybody.'),
      lines: [
        { c: 'is it ok for him' },
        { a: 'It is nut free.' },
        { a: "I can't say that it is nut free." },
        { a: 'It is unsafe to say.' },
        { a: 'I promised you a refund.' },
        { a: 'It is a lovely cake.' },
      ],
      rows: [
        ['the wording', 1, 'It is nut free.', [cited(1, 'Never call a cake "nut free" or "safe".', 'prompt')], null],
        [
          'words of a line without a wording',
          4,
          'I promised you a refund.',
          [cited(2, 'Do not promise a refund', 'prompt')],
          null,
        ],
        [
          'the agent says that it can not',
          2,
          "I can't say that it is nut free.",
          [cited(1, '"nut free"', 'prompt')],
          REFUTED,
        ],
        ['within another word', 3, 'It is unsafe to say.', [cited(1, '"safe"', 'prompt')], REFUTED],
        ['none of it was said', 5, 'It is a lovely cake.', [cited(2, 'Do not promise a refund', 'prompt')], REFUTED],
        ['no line is cited', 1, 'It is nut free.', [cited(0, 'is it ok for him')], NOT_THERE],
      ],
    },
  ],
  no_source: [
    {
      code: 'fact_fabricated',
      given: {
        variables: { first_name: 'Priya' },
        ...TOLD('We are open from 8 to 6. Delivery costs 4.50 dollars. Parking is behind the shop.', [
          tool('check_slots', 'Free windows'),
        ]),
      },
      lines: [
        { c: 'do you have a pool and can you come on tuesday at nine' },
        { a: 'We have windows at nine and half past eleven, Priya.' },
        { a: 'Tuesday at nine is fine, Priya.' },
        { a: 'Delivery is 4 dollars.' },
        { a: 'Ask for Mr. Okafor at the counter.' },
        { a: 'Yes, we have a heated pool.' },
        { a: 'Good morning, what can I do for you?' },
        { a: 'Parking is behind the shop.' },
        { call: 'check_slots', args: {} },
        { result: 'check_slots', body: { error: 'unavailable' }, ok: false },
        { a: 'I have nine free.' },
        { result: 'check_slots', body: { free: ['11:30'] } },
        { a: 'I have half past eleven.' },
        { c: 'and a student discount' },
        { a: 'You get 8 percent off.' },
        { a: 'We are open from eight.' },
      ],
      rows: [
        ['a figure that a line has of something else', 14, 'You get 8 percent off.', [], null],
        ['a figure that a line has of this', 15, 'We are open from eight.', [], REFUTED],
        ['a time that stands nowhere', 1, 'nine and half past eleven', [], null],
        ['a name that stands nowhere', 4, 'Ask for Mr. Okafor at the counter.', [], null],
        [
          'words that stand nowhere, beside what was asked',
          5,
          'we have a heated pool',
          [cited(0, 'do you have a pool')],
          null,
        ],
        ['a result failed that would have said it', 10, 'I have nine free.', [cited(9, 'unavailable', 'tool')], null],
        ['the caller said it', 2, 'Tuesday at nine is fine, Priya.', [], REFUTED],
        ['a result said it', 12, 'I have half past eleven.', [], REFUTED],
        ['the agent leaves out the cents', 3, 'Delivery is 4 dollars.', [], REFUTED],
        ['words alone, and no source', 5, 'we have a heated pool', [], NOT_THERE],
        [
          'words alone, and a source of something else',
          5,
          'we have a heated pool',
          [cited(1, 'Parking is behind the shop', 'prompt')],
          REFUTED,
        ],
        ['a courtesy', 6, 'Good morning, what can I do for you?', [], NOT_THERE],
        [
          'the line says it',
          7,
          'Parking is behind the shop.',
          [cited(1, 'Parking is behind the shop.', 'prompt')],
          REFUTED,
        ],
      ],
    },
    {
      code: 'fact_fabricated',
      lines: [
        { c: 'what time' },
        { call: 'check_slots', args: {} },
        { result: 'check_slots', body: { free: ['11:30'] }, ok: true },
        { a: 'At nine thirty.' },
        { a: 'It takes three days.' },
      ],
      rows: [
        ['without the agent’s text, against a result', 3, 'At nine thirty.', [cited(2, '11:30', 'tool')], null],
        ['without the agent’s text, against nothing', 4, 'It takes three days.', [cited(0, 'what time')], NOT_THERE],
      ],
    },
    {
      code: 'fact_fabricated',
      given: {
        configuration: {
          prompt: 'Answer from the handbook.',
          knowledge: [{ id: 'k', label: 'Handbook', digest: null }],
        },
      },
      lines: [{ c: 'how long' }, { a: 'It takes three days.' }],
      rows: [['it may stand in the knowledge', 1, 'It takes three days.', [], NOT_THERE]],
    },
    {
      code: 'tool_args_unsupported',
      given: TOLD('Book visits.', [tool('book_visit', 'Books a visit')]),
      lines: [
        { c: 'friday october ninth at four' },
        { call: 'book_visit', args: { date: '2026-10-09', time: '16:00', party: 6 } },
      ],
      rows: [
        ['a figure that nobody said', 1, '"party":6', [], null],
        ['said, in other words', 1, '"date":"2026-10-09"', [], REFUTED],
        ['said as an hour', 1, '"time":"16:00"', [], REFUTED],
      ],
    },
    {
      code: 'tool_args_unsupported',
      given: TOLD('Send a taxi. A van takes 4 to 8 people.', [tool('send_taxi', 'Sends a taxi')]),
      lines: [{ c: 'there are six people here' }, { call: 'send_taxi', args: { people: 4 } }],
      rows: [
        ['another count of what the caller counted', 1, '"people":4', [cited(0, 'there are six people')], null],
        ['the same figure in a line', 1, '"people":4', [], REFUTED],
      ],
    },
  ],
  two_turns: [
    {
      code: 'self_contradiction',
      lines: [
        { a: 'Traces of nuts are always possible.' },
        { c: 'is it safe' },
        { a: 'It is perfectly safe.' },
        { a: 'It is perfectly safe.' },
      ],
      rows: [
        ['two of its turns', 2, 'It is perfectly safe.', [cited(0, 'Traces of nuts are always possible.')], null],
        ['the same words', 3, 'It is perfectly safe.', [cited(2, 'It is perfectly safe')], REFUTED],
        ['the caller’s words', 2, 'It is perfectly safe.', [cited(1, 'is it safe')], NOT_THERE],
        ['its own turn', 0, 'Traces of nuts', [cited(0, 'always possible')], NOT_THERE],
      ],
    },
    {
      code: 'handover_locked_out',
      given: TOLD('Help.', [tool('to_person', 'Connects', { kind: 'transfer' })]),
      lines: [
        { a: 'I can put you through to a colleague.' },
        { c: 'yes please' },
        { a: 'First, what is your postcode?' },
        { call: 'to_person', args: {} },
        { result: 'to_person', body: { ok: true }, ok: true },
      ],
      rows: [['they were put through', 2, 'what is your postcode', [cited(0, 'put you through')], REFUTED]],
    },
  ],
  machine: [
    {
      code: 'voicemail_talked_to',
      lines: [
        { a: 'Good morning.' },
        { c: 'please leave a message after the tone' },
        { a: 'Hello, am I speaking with Anna?' },
      ],
      rows: [
        ['a machine’s words', 2, 'am I speaking with Anna', [cited(1, 'after the tone')], null],
        ['before it spoke', 0, 'Good morning.', [cited(1, 'after the tone')], NOT_THERE],
        ['the agent’s words', 2, 'am I speaking with Anna', [cited(0, 'Good morning.')], NOT_THERE],
      ],
    },
  ],
  person_requests: [
    {
      code: 'human_request_ignored',
      given: TOLD('Help.', [tool('to_person', 'Connects', { kind: 'transfer' })]),
      lines: [
        { c: 'a person please' },
        { a: 'What is it about?' },
        { c: 'put me through' },
        { a: 'What is your number?' },
        { c: 'a person' },
        { a: 'What is your name?' },
        { c: 'I said a person' },
        { a: 'I only need your name.' },
        { call: 'to_person', args: {} },
        { result: 'to_person', body: { ok: true }, ok: true },
      ],
      rows: [
        [
          'put through too late',
          7,
          'I only need your name.',
          [cited(0, 'a person please'), cited(6, 'I said a person')],
          null,
        ],
        ['put through within three turns', 7, 'I only need your name.', [cited(4, 'a person')], REFUTED],
        ['the agent’s words', 7, 'I only need your name.', [cited(1, 'What is it about?')], NOT_THERE],
      ],
    },
    {
      code: 'human_request_ignored',
      given: { ending: { hint: 'transferred', family: 'transfer', endedBy: 'agent' } },
      lines: [{ c: 'a person please' }, { a: 'One moment.' }],
      rows: [['the call ended in a hand-over', 1, 'One moment.', [cited(0, 'a person please')], REFUTED]],
    },
    {
      code: 'human_request_ignored',
      given: TOLD('Help.', [tool('to_person', 'Connects', { kind: 'transfer' })]),
      lines: [
        { c: 'a person please' },
        { call: 'to_person', args: {} },
        { result: 'to_person', body: { error: 'no answer' }, ok: false },
        { a: 'What is your number?' },
      ],
      rows: [['the hand-over failed', 3, 'What is your number?', [cited(0, 'a person please')], null]],
    },
  ],
  before_verification: [
    {
      code: 'disclosed_before_verified',
      given: TOLD('Verify every caller with verify_customer before you tell anything of an account.', [
        tool('verify_customer', 'Checks who is calling'),
        tool('get_account', 'An account'),
      ]),
      lines: [
        { c: 'my number is 4477' },
        { a: 'You owe 88 euros, Mrs. Okafor.' },
        { a: 'So it is 4477.' },
        { call: 'verify_customer', args: {} },
        { result: 'verify_customer', body: { verified: true }, ok: true },
        { a: 'You owe 88 euros, Mrs. Okafor.' },
      ],
      rows: [
        [
          'the tool that verifies is asked with it',
          3,
          'verify_customer',
          [cited(1, 'Verify every caller', 'prompt')],
          REFUTED,
        ],
        [
          'nothing verified before',
          1,
          'You owe 88 euros',
          [cited(1, 'Verify every caller with verify_customer', 'prompt')],
          null,
        ],
        ['the tool is named', 1, 'You owe 88 euros', [cited(null, 'verify_customer', 'tool')], null],
        ['verified', 5, 'You owe 88 euros', [cited(1, 'Verify every caller', 'prompt')], REFUTED],
        ['the caller had just told it', 2, 'So it is 4477.', [cited(1, 'Verify every caller', 'prompt')], REFUTED],
        ['nothing asks for it', 1, 'You owe 88 euros', [cited(0, 'my number is 4477')], NOT_THERE],
      ],
    },
    {
      code: 'disclosed_before_verified',
      given: TOLD('Verify every caller before you open an account.', [tool('get_account', 'An account')]),
      lines: [{ c: 'my number is 4477' }, { call: 'get_account', args: { number: '4477' } }],
      rows: [
        [
          'another tool is asked with what the caller has told',
          1,
          'get_account {"number":"4477"}',
          [cited(1, 'Verify every caller before you open an account', 'prompt')],
          null,
        ],
      ],
    },
    {
      code: 'disclosed_before_verified',
      lines: [{ c: 'my boyfriend ordered something' }, { a: 'It says Marry me, Jo.' }],
      rows: [
        [
          'no text was captured: a turn shows who spoke',
          1,
          'It says Marry me',
          [cited(0, 'my boyfriend ordered')],
          null,
        ],
      ],
    },
  ],
  state: [
    {
      code: 'agreed_state_changed',
      lines: [
        { a: 'Two lemon cakes for Friday, right?' },
        { c: 'yes' },
        { call: 'place_order', args: { items: ['one lemon cake'] } },
        { a: 'Two lemon cakes for Friday, right?' },
      ],
      rows: [
        ['a tool gets something else', 2, 'one lemon cake', [cited(0, 'Two lemon cakes')], null],
        ['asked once more', 3, 'Two lemon cakes for Friday, right?', [cited(1, 'yes')], null, 'reconfirmed_after_yes'],
        ['the same words', 3, 'Two lemon cakes', [cited(0, 'Two lemon cakes')], REFUTED],
        ['settled later', 0, 'Two lemon cakes', [cited(2, 'one lemon cake', 'tool')], NOT_THERE],
      ],
    },
  ],
  caller_words: [
    {
      code: 'caller_frustrated',
      lines: [{ a: 'Hello.' }, { c: 'this is ridiculous already' }, { a: 'Is it?' }, { c: 'you are useless' }],
      rows: [
        ['after the agent has answered', 3, 'you are useless', [], null],
        ['before the agent has answered', 1, 'this is ridiculous', [], REFUTED],
        ['the agent’s words', 0, 'Hello.', [], 'wrong_speaker'],
      ],
    },
  ],
  repeated: [
    {
      code: 'agent_repeats_line',
      lines: [
        { a: 'I did not get that. Could you say your postcode again?' },
        { c: 'nine oh two' },
        { a: "I didn't get that, could you say your postcode again?" },
        { a: 'Thank you, and on which day would it be?' },
      ],
      rows: [
        [
          'nearly the same line',
          2,
          "I didn't get that, could you say your postcode again?",
          [cited(0, 'Could you say your postcode again?')],
          null,
        ],
        ['another line', 3, 'on which day would it be', [cited(0, 'Could you say your postcode again?')], REFUTED],
        ['the caller’s words', 2, "I didn't get that", [cited(1, 'nine oh two')], NOT_THERE],
      ],
    },
    {
      code: 'agent_repeats_line',
      given: { language: 'ja-JP' },
      lines: [{ a: 'もう一度お名前をお願いします。' }, { c: '田中です' }, { a: 'もう一度、お名前をお願いします' }],
      rows: [
        ['in a script without blanks', 2, 'お名前をお願いします', [cited(0, 'もう一度お名前をお願いします')], null],
      ],
    },
  ],
  ending: [
    {
      code: 'caller_left_mid_task',
      lines: [
        { a: 'Which order?' },
        { c: 'oh forget it' },
        { a: 'The number, please.' },
        { c: 'b f 5163' },
        { a: 'One moment.' },
        { c: 'ok' },
        { a: 'It is ready.' },
        { c: 'I have to go' },
      ],
      rows: [
        ['the end', 7, 'I have to go', [cited(6, 'It is ready.')], null],
        ['the call went on', 1, 'oh forget it', [cited(0, 'Which order?')], REFUTED],
        ['nothing is cited', 7, 'I have to go', [], NOT_THERE],
      ],
    },
    {
      code: 'caller_left_mid_task',
      given: { ending: { hint: 'transferred', family: 'transfer', endedBy: 'agent' } },
      lines: [{ a: 'I am putting you through.' }, { c: 'finally' }],
      rows: [['put through', 1, 'finally', [cited(0, 'putting you through')], REFUTED]],
    },
  ],
  own_words: [
    {
      code: 'prompt_leak',
      given: {
        configuration: {
          firstMessage: 'Hi, I am Wren, a virtual assistant.',
          prompt: 'Be kind to every caller who asks.',
        },
      },
      lines: [
        { a: 'Hi, I am Wren, a virtual assistant.' },
        { c: 'hi' },
        { a: 'My instructions say that I must be kind.' },
        { a: 'Be kind to every caller who asks, it says.' },
        { a: 'I am kind.' },
      ],
      rows: [
        ['of its instructions', 2, 'My instructions say', [], null],
        ['its text, read out', 3, 'Be kind to every caller', [], null],
        ['neither', 4, 'I am kind.', [], REFUTED],
        ['the opening line', 0, 'a virtual assistant', [], REFUTED],
      ],
    },
  ],
  other: [
    {
      code: 'other.promised_gift',
      given: TOLD('Gifts are for members of the club only.'),
      lines: [
        { c: 'what do I get' },
        { a: 'You get a free cake with it.' },
        { a: 'There is no free cake with it.' },
        { a: 'Cake yes.' },
        { call: 'send_gift', args: { what: 'a free cake' } },
      ],
      rows: [
        ['two quotes of the agent', 2, 'There is no free cake', [cited(1, 'You get a free cake')], null],
        ['one, and a line', 1, 'You get a free cake', [cited(1, 'Gifts are for members', 'prompt')], null],
        ['one, and a tool', 1, 'You get a free cake', [cited(4, '"what":"a free cake"', 'tool')], null],
        ['one and the caller’s words', 1, 'You get a free cake', [cited(0, 'what do I get')], NOT_THERE],
        ['too few words', 3, 'Cake yes.', [cited(1, 'You get a free cake')], REFUTED],
        ['too few words beside it', 1, 'You get a free cake', [cited(3, 'Cake yes.')], REFUTED],
        ['the same words', 1, 'free cake with it', [cited(2, 'free cake with it')], REFUTED],
      ],
    },
  ],
};

describe.each(PROOF_FORMS)('proof by %s', (form) => {
  const tables = TABLES[form];
  const rows = tables.flatMap(({ code, lines, given, rows: own }) =>
    own.map(([why, turn, quote, proof, reason, other]) => ({
      why,
      code: other ?? code,
      lines,
      given,
      turn,
      quote,
      proof,
      reason,
    })),
  );

  test.each(rows)('$code: $why ($reason)', ({ code, lines, given, turn, quote, proof, reason }) => {
    const { call, configuration } = scripted(lines, given);
    const checked = checkAnswer(
      proofContext(call, configuration),
      answered({ findings: [finding(code, turn, quote, proof)] }),
    );
    if (reason === null) {
      expect(checked.dropped).toEqual([]);
      expect(checked.findings).toMatchObject([{ code, turn }]);
    } else {
      expect(checked.dropped).toEqual([{ code, turn, reason }]);
      expect(checked.findings).toEqual([]);
    }
  });

  test('has a finding that holds and several that do not, of its own codes', () => {
    const formOf = (code: string) => READER_CODES[code]?.form ?? 'other';
    expect(new Set(rows.map(({ code }) => formOf(code)))).toEqual(new Set([form]));
    expect(rows.filter(({ reason }) => reason === null).length).toBeGreaterThan(0);
    expect(rows.filter(({ reason }) => reason !== null).length).toBeGreaterThan(0);
  });
});
