import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { type Given, type Line, scripted } from '../signals/scripted-call.ts';

type Row = [what: string, outcome: string | null, rule: string, lines: Line[], given?: Given];

const WASH: Line[] = [
  { a: 'Sparkle Car Wash, how can I help?' },
  { c: 'I would like to book a full wash for Saturday.' },
  { a: 'Saturday at ten in the morning. Shall I book it?' },
  { c: 'Yes please.' },
];
const WASH_BOOKED: Line[] = [
  { call: 'book_wash', args: { day: 'Saturday' } },
  { result: 'book_wash', body: { ok: true, day: 'Saturday' } },
];

const EXTRAS: Row[] = [
  [
    'a text message that failed after the booking turns nothing',
    'resolved',
    'write_succeeded',
    [
      ...WASH,
      ...WASH_BOOKED,
      { a: "You're booked for Saturday at ten." },
      { call: 'send_text', args: { number: '5550100' } },
      { result: 'send_text', body: { error: 'carrier refused' } },
      { a: "The text message didn't go out, I'm sorry." },
      { c: 'No problem, thanks, bye.' },
    ],
  ],
  [
    'a text message that went out does not make up for the booking that failed',
    'unresolved',
    'refused_and_accepted',
    [
      ...WASH,
      { call: 'book_wash', args: { day: 'Saturday' } },
      { result: 'book_wash', body: { error: 'no lane free' } },
      { a: "I'm sorry, I couldn't book it. I'll text you our opening hours." },
      { call: 'send_text', args: { number: '5550100' } },
      { result: 'send_text', body: { ok: true } },
      { a: 'It is sent.' },
      { c: 'Okay, bye.' },
    ],
  ],
  [
    'a question beside the request may be refused',
    'resolved',
    'done_in_words',
    [
      ...WASH,
      { a: "You're all set for Saturday at ten." },
      { c: 'Do you know if it rains on Saturday?' },
      { a: "Sorry, I can't tell you that." },
      { c: 'Okay, thanks anyway, bye.' },
    ],
  ],
];

const LATER: Row[] = [
  [
    'a callback in place of an answer is not what was asked',
    'unresolved',
    'called_back_instead',
    [
      { a: 'Harbour Library, good morning.' },
      { c: 'Can you extend my loan of the atlas?' },
      { a: 'For that a colleague can ring you back. On which number?' },
      { c: 'Five five five, oh one hundred.' },
      { call: 'request_callback', args: { number: '5550100' } },
      { result: 'request_callback', body: { status: 'queued' } },
      { a: 'I have passed it on.' },
      { c: 'Thanks, bye.' },
    ],
  ],
  [
    'a callback in words alone is not either',
    'unresolved',
    'called_back_instead',
    [
      { a: 'Harbour Library, good morning.' },
      { c: 'Can you extend my loan of the atlas?' },
      { a: 'Somebody will call you back this afternoon.' },
      { c: 'Okay.' },
    ],
  ],
  [
    'who asks to be left a message gets what they asked for',
    'resolved',
    'answer_accepted',
    [
      { a: 'Harbour Library, good morning.' },
      { c: 'Could I leave a message for Mrs Pell in the map room?' },
      { call: 'leave_message', args: { for: 'Mrs Pell', text: 'The atlas is ready.' } },
      { result: 'leave_message', body: { status: 'saved' } },
      { a: "I've left her the message." },
      { c: 'Thank you, bye.' },
    ],
  ],
];

const WORDS: Row[] = [
  [
    'an order that was read back and accepted is done, also without tools',
    'resolved',
    'done_in_words',
    [
      { a: 'Green Garden Centre, hello.' },
      { c: 'I need forty bags of bark delivered on Monday.' },
      { a: 'So that is forty bags, on Monday. Is that right?' },
      { c: 'Yes.' },
      { a: 'Your bark comes on Monday between eight and ten.' },
      { c: 'Thanks, bye.' },
    ],
  ],
  [
    'an answer that the caller leaves at that is an answer, also without thanks',
    'resolved',
    'told_and_left',
    [
      { a: 'Green Garden Centre, hello.' },
      { c: 'What does a bag of bark cost?' },
      { a: 'One bag is six pounds fifty at the moment.' },
      { c: 'Fair enough, I will think about it.' },
    ],
  ],
  [
    'what the agent says it could not do is not done, whatever the payload',
    'unresolved',
    'refused_and_accepted',
    [
      { a: 'Green Garden Centre, hello.' },
      { c: 'Please cancel my delivery of bark.' },
      { call: 'cancel_delivery' },
      { result: 'cancel_delivery', body: { order: 'B12', items: 2 } },
      { a: "I wasn't able to cancel it, the lorry is loaded." },
      { c: 'All right, bye.' },
    ],
  ],
  [
    'a condition is no refusal',
    'resolved',
    'done_in_words',
    [
      { a: 'Green Garden Centre, hello.' },
      { c: 'I want to book the pruning course on Friday.' },
      { a: "Friday, then. Once it's booked it can't be moved. Shall I book it?" },
      { c: 'Yes, go ahead.' },
      { a: "You're booked for Friday." },
      { c: 'Great, thanks, bye.' },
    ],
  ],
  [
    'a caller who complains about the answer has none',
    'unresolved',
    'not_accepted',
    [
      { a: 'Green Garden Centre, hello.' },
      { c: 'When does my order of bark arrive?' },
      { a: 'Your order arrived on Tuesday the third.' },
      { c: 'This is ridiculous.' },
      { a: 'I understand. Goodbye.' },
    ],
  ],
  [
    'the agent still owes the answer that it was looking for',
    'abandoned',
    'left_with_goal_open',
    [{ a: 'Green Garden Centre, hello.' }, { c: 'When does my order of bark arrive?' }, { a: 'One moment please.' }],
  ],
  [
    'handed over in words',
    'transferred',
    'handed_over_in_words',
    [
      { a: 'Green Garden Centre, hello.' },
      { c: 'I want to speak to the tree surgeon.' },
      { a: "I'm connecting you with her now." },
      { c: 'Thank you.' },
    ],
  ],
];

const AGAINST_DONE: Row[] = [
  [
    'the size that the caller had put right',
    'unresolved',
    'done_otherwise',
    [
      { a: 'Shirt Works, hello.' },
      { c: 'I want to order the blue shirt in medium.' },
      { a: 'The blue shirt in large, right?' },
      { c: 'No, not large, medium.' },
      { a: 'Okay, I will order it.' },
      { call: 'order_shirt', args: { size: 'large' } },
      { result: 'order_shirt', body: { status: 'ordered' } },
      { a: 'It is ordered.' },
      { c: 'Thanks, bye.' },
    ],
  ],
  [
    'another day than the result holds',
    'unresolved',
    'told_otherwise',
    [
      { a: 'Otter Plumbing, hello.' },
      { c: 'I need a plumber on the twelfth of May.' },
      { call: 'book_visit', args: { date: '2026-05-12' } },
      { result: 'book_visit', body: { date: '2026-05-14', status: 'booked' } },
      { a: "You're booked for the twelfth of May." },
      { c: 'Thanks, bye.' },
    ],
  ],
];

const NOBODY_KNOWS: Row[] = [
  [
    'a language without lists, and no tools',
    null,
    'words_unread',
    [
      { a: 'Goedemiddag, waarmee kan ik u helpen?' },
      { c: 'Ik wil graag een afspraak maken.' },
      { a: 'Dat is geregeld, vrijdag om drie uur.' },
    ],
    { language: 'nl-NL' },
  ],
  [
    'a language without lists, and a tool that did it',
    'resolved',
    'write_succeeded',
    [
      { a: 'Goedemiddag, waarmee kan ik u helpen?' },
      { c: 'Ik wil graag een afspraak maken.' },
      { call: 'book_visit' },
      { result: 'book_visit', body: { ok: true } },
      { a: 'Dat is geregeld, vrijdag om drie uur.' },
    ],
    { language: 'nl-NL' },
  ],
  [
    'a record without the words of the agent',
    null,
    'agent_unheard',
    [{ c: 'I want to book a table.' }, { c: 'For four people.' }, { c: 'Yes, please.' }],
  ],
];

const OUTBOUND: Row[] = [
  [
    'a voicemail greeting is no contact',
    'no_contact',
    'answering_machine',
    [
      { c: 'Hi, you have reached the Lunds, leave a message after the tone.' },
      { a: 'Hello, this is Bright Windows about your quote. Please call us.' },
    ],
    { direction: 'outbound' },
  ],
  [
    'somebody who declines has not got what the call was for',
    'unresolved',
    'nothing_decides',
    [
      { c: 'Hello?' },
      { a: 'Hello, this is Bright Windows. Would you like to book your yearly cleaning?' },
      { c: 'No thanks, bye.' },
    ],
    { direction: 'outbound' },
  ],
  [
    'somebody who is only told something took nothing up',
    'unresolved',
    'not_taken_up',
    [
      { c: 'Hello?' },
      { a: 'Hello, this is Bright Windows. Your yearly cleaning is due on the fourth of May.' },
      { c: 'okay thanks bye' },
    ],
    { direction: 'outbound' },
  ],
];

const OPENING: Line[] = [{ a: 'Ferndale Garden Centre, good morning.' }];

const DOUBTS: Row[] = [
  [
    'a caller who relies on nothing of it has not got the answer',
    'unresolved',
    'not_accepted',
    [
      ...OPENING,
      { c: 'hi when do you get the new roses in' },
      { a: 'They should come some time in March, I think, on a Monday.' },
      { c: "right I'll ask when I'm in town then bye" },
    ],
  ],
  [
    'thanks take a doubt back',
    'resolved',
    'told_and_left',
    [
      ...OPENING,
      { c: 'hi when do you get the new roses in' },
      { a: 'They come on Monday the ninth of March.' },
      { c: 'fingers crossed, thanks, bye' },
    ],
  ],
  [
    'ein Zweifel am Ende gilt auch auf Deutsch',
    'unresolved',
    'not_accepted',
    [
      { a: 'Gartenwelt Hansen, guten Tag.' },
      { c: 'guten Tag wann kommen denn die neuen Rosen' },
      { a: 'Die neuen Rosen kommen am Montag, dem neunten März.' },
      { c: 'naja mal sehen tschüss' },
    ],
    { language: 'de-DE' },
  ],
  [
    "a wrong number is nobody's success",
    'unresolved',
    'wrong_number',
    [
      ...OPENING,
      { c: 'hello is that the dentist' },
      { a: 'This is the garden centre on Mill Lane.' },
      { c: "oh I've dialled the wrong number sorry thanks" },
      { a: 'No problem, goodbye.' },
    ],
  ],
  [
    'a message left beside what was done turns nothing',
    'resolved',
    'write_succeeded',
    [
      ...OPENING,
      { c: 'can you reserve two apple trees for me' },
      { call: 'reserve_item', args: { item: 'apple tree', count: 2 } },
      { result: 'reserve_item', body: { status: 'reserved' } },
      { a: 'Two apple trees are reserved. Anything else?' },
      { c: 'somebody could ring me when the pears are in' },
      { call: 'request_callback', args: { about: 'pears' } },
      { result: 'request_callback', body: { status: 'noted' } },
      { a: 'They will ring you about the pears.' },
      { c: 'lovely thanks bye' },
    ],
  ],
];

describe('whether the caller got the main thing', () => {
  test.each([...EXTRAS, ...LATER, ...WORDS, ...AGAINST_DONE, ...NOBODY_KNOWS, ...OUTBOUND, ...DOUBTS])(
    '%s: %s by %s',
    (_what, outcome, rule, lines, given) => {
      const analysis = analyseCall(scripted(lines, given), {});
      expect({ outcome: analysis.outcome, rule: analysis.outcomeReason.rule }).toEqual({ outcome, rule });
      expect(analysis.outcomeReason.text).toMatch(/^[A-Z].*\.$/);
    },
  );

  test('an outcome that nobody can know is counted among what could not be computed', () => {
    const [, , , lines, given] = NOBODY_KNOWS[0] ?? ['', null, '', []];
    const { notComputable } = analyseCall(scripted(lines, given), {});
    expect(notComputable).toContainEqual({ code: 'outcome', reason: expect.stringMatching(/^The call is in "nl"/) });
  });
});
