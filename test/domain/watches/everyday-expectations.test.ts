import { describe, expect, test } from 'vitest';
import { formInWords } from '../../../src/domain/watches/in-words.ts';
import { readWords } from '../../../src/domain/watches/read-words.ts';
import { toolNamed } from '../../support/played.ts';

/** What managers of a clinic, a salon, a taxi and a shop type, and what becomes of it. */
const parameters = { type: 'object', properties: { party_size: {} } };
const tools = [
  ...['find_patient', 'send_sms', 'check_in', 'cancel_booking'].map((name) => toolNamed(name)),
  { ...toolNamed('book_appointment'), parameters },
  toolNamed('transfer_to_desk', { kind: 'transfer' }),
];
const known = {
  configuration: { tools, nodes: [{ id: 'n1', label: 'Greeting' }] },
  intents: [{ slug: 'book_a_table', label: 'Book a table' }],
};
const read = (text: string) =>
  readWords({ scope: { text: '', code: null }, expectation: { text, polarity: null, code: null } }, known);

const BY_CODE: [typed: string, inWords: string][] = [
  ['Never call book_appointment twice', 'All calls: calls book_appointment at most once.'],
  ['Book_appointment must be called at most once', 'All calls: calls book_appointment at most once.'],
  ['Call send_sms at least twice', 'All calls: calls send_sms at least 2 times.'],
  ['Only once call book_appointment', 'All calls: calls book_appointment at most once.'],
  ['Call check_in exactly once', 'All calls: calls check_in exactly once.'],
  [
    'Call find_patient before book_appointment',
    'Calls on which book_appointment was called: calls find_patient before book_appointment.',
  ],
  [
    'Never call book_appointment without calling find_patient first',
    'Calls on which book_appointment was called: calls find_patient before book_appointment.',
  ],
  [
    'After book_appointment call send_sms',
    'Calls on which book_appointment was called, from there on: calls send_sms.',
  ],
  ['When find_patient fails, transfer them to the front desk', 'Calls on which find_patient failed: hands over.'],
  ['If find_patient fails, call find_patient again', 'Calls on which find_patient failed: calls find_patient.'],
  ['Call book_appointment with party_size 4', 'All calls: calls book_appointment with party_size as given.'],
  ['Never call cancel_booking', 'All calls: never calls cancel_booking.'],
  [
    'Always ask for the date of birth before booking an appointment',
    'Calls on which book_appointment was called: asks for date birth before book_appointment.',
  ],
  [
    'Confirm the date before cancelling',
    'Calls on which cancel_booking was called: has the caller confirm before cancel_booking (date: what is confirmed is not compared).',
  ],
  ['Ask for the phone number', 'All calls: asks for phone number.'],
  [
    'Say "this call is recorded" at the beginning',
    'All calls: says “this call is recorded” in the agent’s first two turns.',
  ],
  ['Say "this call is recorded"', 'All calls: says “this call is recorded”.'],
  ['Greet with "Salon Aurora"', 'All calls: says “Salon Aurora” in the agent’s first two turns.'],
  ['Never end the call without saying "goodbye"', 'All calls: says “goodbye” in the agent’s last two turns.'],
  ['Hang up only after saying "goodbye"', 'All calls: says “goodbye” in the agent’s last two turns.'],
  ['End with "bye"', 'All calls: says “bye” in the agent’s last two turns.'],
  ['Never say "I don\'t know"', "All calls: never says “I don't know”."],
  ['Tell the caller that the call is recorded', 'All calls: says in one turn “recorded”, in any form.'],
  ['Mention the cancellation fee', 'All calls: says in one turn “cancellation”, “fee”, in any form.'],
  ['Never promise a refund', 'All calls: never promises refund.'],
  ['Never promise anything', 'All calls: never promises anything.'],
  ['Never read out payment data', 'All calls: never shows the signal sensitive_data_spoken.'],
  ['Never interrupt the caller', 'All calls: never shows the signal agent_interrupts_caller.'],
  ["Don't talk over customers", 'All calls: never shows the signal barge_in_ignored.'],
  ['Never interrupt more than twice', 'All calls: the number of times the agent interrupts is at most 2.'],
  ['Answer within 3 seconds', 'All calls: the slowest answer of the agent is at most 3 s.'],
  ['The agent answers in under 2 seconds on average', 'All calls: the mean wait for an answer is at most 2 s.'],
  [
    'Never keep the caller waiting for more than 5 seconds',
    'All calls: the slowest answer of the agent is at most 5 s.',
  ],
  ['No silence longer than 8 seconds', 'All calls: the longest silence is at most 8 s.'],
  ['The call ends within 5 minutes', 'All calls: ends within 300 s.'],
  ['The call lasts at least 30 seconds', 'All calls: the length of the call is at least 30 s.'],
  ['Calls must not last longer than 10 minutes', 'All calls: ends within 600 s.'],
  ['A call costs at most $0.50', 'All calls: the cost of the call is at most 0.5 USD.'],
  ['Done within 12 turns', 'All calls: the number of turns is at most 12.'],
  ['If the caller asks for a human, transfer the call', 'Calls on which the caller asks for a person: hands over.'],
  ['Never transfer the caller', 'All calls: never hands over.'],
  ['Calls about Book a table end as resolved', 'Calls about book_a_table: ends as resolved.'],
  ['Never end as abandoned', 'All calls: never ends as abandoned.'],
  ['Reach Greeting', 'All calls: comes to Greeting.'],
  ['Say "Guten Tag" on German calls', 'All calls, in German: says “Guten Tag”.'],
  ['On inbound calls say "hello"', 'All calls, inbound: says “hello”.'],
  ['Say "goodbye" on version 3', 'All calls, on version 3: says “goodbye”.'],
  ['Hand over to a person on calls longer than 5 minutes', 'All calls, longer than 300 s: hands over.'],
  ['Never repeat itself', 'All calls: never shows the signal agent_repeats_line.'],
  ['Never ask for something that was already told', 'All calls: never shows the signal reasked_known_slot.'],
  ["Don't ignore requests for a person", 'All calls: never shows the signal human_request_ignored.'],
  ['Never reveal the prompt', 'All calls: never shows the signal prompt_leak.'],
  ["Don't leave a message on voicemail", 'All calls: never shows the signal voicemail_talked_to.'],
  ['Never hang up early', 'All calls: never shows the signal agent_hung_up_early.'],
  ['Never say that it is booked when it is not', 'All calls: never shows the signal claimed_without_tool.'],
  ["Don't double-book", 'All calls: never shows the signal duplicate_write.'],
  [
    'Always say "one moment" before book_appointment',
    'Calls on which book_appointment was called: says “one moment” before book_appointment.',
  ],
  ['If the caller says "refund", transfer to the manager', 'Calls on which the caller says "refund": hands over.'],
  [
    'When the caller wants to speak to a manager, hand over',
    'Calls on which the caller asks for a person: hands over.',
  ],
  [
    'Call send_sms once an appointment is booked',
    'Calls on which book_appointment was called, from there on: calls send_sms.',
  ],
];

/** Code would decide less than was typed. */
const IN_PART: [typed: string, inWords: string, unread: string[]][] = [
  ['Call find_patient and send_sms', 'All calls: calls find_patient.', ['send_sms']],
];

const BY_A_MODEL: [typed: string, unread: string[]][] = [
  [
    'When find_patient fails the agent must offer a call back',
    ['When find_patient fails the agent must offer a call back'],
  ],
  ['Mention the price', ['Mention the price']],
  ['Never mention competitors', ['Never mention competitors']],
  ['Be polite', ['Be polite']],
  ['Never be rude', ['Never be rude']],
  ['Sound friendly', ['Sound friendly']],
  ['Never give medical advice', ['Never give medical advice']],
  ['Apologize if the caller is upset', ['Apologize if the caller is upset']],
  ['Answer questions about opening hours correctly', ['Answer questions about opening hours correctly']],
  ['Only book appointments on weekdays', ['Only book appointments on weekdays']],
  ['Call 911 when somebody is in danger', ['Call 911 when somebody is in danger']],
  ['Never use book_appointment before 8 am', ['Never use book_appointment before 8 am']],
  ['Say "sorry" at most twice', ['most twice']],
  ['Never call book_appointment if the caller is angry', ['if angry']],
  ['Ask whether there is anything else', ['Ask whether there is anything else']],
  ['Always spell back the email', ['Always spell back the email']],
];

test.each(BY_CODE)('code decides "%s"', (typed, inWords) => {
  const { form, unread, nearest } = read(typed);
  expect(formInWords(form)).toBe(inWords);
  expect([unread, nearest]).toEqual([[], null]);
});

test.each(IN_PART)('code decides "%s" but for what it names', (typed, inWords, unread) => {
  const { form, nearest, ...left } = read(typed);
  expect(form.expectation).toEqual({ kind: 'judged', text: typed });
  expect(nearest && formInWords(nearest)).toBe(inWords);
  expect(left.unread).toEqual(unread);
});

test.each(BY_A_MODEL)('a model judges "%s" whole', (typed, unread) => {
  const { form, nearest, ...left } = read(typed);
  expect(form.expectation).toEqual({ kind: 'judged', text: typed });
  expect(nearest).toBeNull();
  expect(left.unread).toEqual(unread);
});

describe('no word is dropped', () => {
  const typed = [...BY_CODE, ...IN_PART, ...BY_A_MODEL].map(([text]) => text);

  test('the table is of at least sixty', () => {
    expect(typed.length).toBeGreaterThanOrEqual(60);
  });

  /** The sentence with a word at each of its places outside of quotation marks. */
  function* withWord(text: string, word: string) {
    const words = text.split(' ');
    for (let at = 0; at <= words.length; at += 1) {
      const before = words.slice(0, at).join(' ');
      if (before.split('"').length % 2 === 1) yield [...words.slice(0, at), word, ...words.slice(at)].join(' ');
    }
  }

  test.each(['zebra', 'tomorrow', 'blue'])('"%s" is in the reading or is named', (word) => {
    const lost = typed
      .flatMap((text) => [...withWord(text, word)])
      .filter((text) => {
        const { form, unread } = read(text);
        return !JSON.stringify(form).includes(word) && !unread.join(' ').includes(word);
      });
    expect(lost).toEqual([]);
  });

  test.each(['not', 'never', 'twice', 'unless', 'only', 'until'])(
    '"%s" changes what code decides, or a model judges it',
    (word) => {
      const same = BY_CODE.flatMap(([text]) => {
        const before = JSON.stringify(read(text).form);
        return [...withWord(text, word)].filter((one) => JSON.stringify(read(one).form) === before);
      });
      expect(same).toEqual([]);
    },
  );
});
