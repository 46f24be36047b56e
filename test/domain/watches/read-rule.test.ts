import { describe, expect, test } from 'vitest';
import type { ToolDefinition } from '../../../src/domain/versions/configuration.ts';
import { readRule } from '../../../src/domain/watches/read-rule.ts';
import type { WatchExpectation, WatchForm, WatchScope } from '../../../src/domain/watches/watch.ts';
import { toolNamed } from '../../support/played.ts';

const tool = (name: string, kind: ToolDefinition['kind'] = 'other') => toolNamed(name, { kind });
const tools = [
  tool('book_table'),
  tool('find_table'),
  tool('cancel_booking'),
  tool('transfer_to_host', 'transfer'),
  tool('end_call', 'end_call'),
];
const read = (line: string, known = tools) => readRule(line, { tools: known });

const ALL: WatchScope = { kind: 'all_calls' };
const says = (text: string) => ({ kind: 'says', text }) as const;
const uses = (name: string): WatchExpectation => ({ kind: 'tool_called', tool: name });
const handsOver: WatchExpectation = { kind: 'outcome', outcome: 'transferred' };
const onCallsWith = (name: string): WatchScope => ({ kind: 'tool_called', tool: name });
const must = (expectation: WatchExpectation, scope: WatchScope = ALL): WatchForm => ({
  scope,
  expectation,
  polarity: 'must',
});
const mustNot = (expectation: WatchExpectation, scope: WatchScope = ALL): WatchForm => ({
  scope,
  expectation,
  polarity: 'must_not',
});

describe('what is said in quotation marks', () => {
  test.each<[line: string, form: WatchForm]>([
    ['Always say "this call is recorded".', must(says('this call is recorded'))],
    ['Always greet with “Welcome to Roma”.', must({ ...says('Welcome to Roma'), at: 'start' })],
    ['Never say "no problem".', mustNot(says('no problem'))],
    ['You mustn\'t end with "bye bye".', mustNot({ ...says('bye bye'), at: 'end' })],
    ['Make sure you open with "Roma, good evening!"', must({ ...says('Roma, good evening!'), at: 'start' })],
  ])('%s', (line, form) => {
    expect(read(line).forms.map((one) => one.form)).toEqual([form]);
  });

  test.each([
    ['of two wordings neither', 'Never say "maybe" or "perhaps".'],
    ['of a template nothing', 'Always say "Hello {{name}}".'],
    ['of a line that trails off nothing', 'Always say "Thank you for calling …".'],
    ['of signs nothing', 'Always say "---".'],
    ['without a verb of saying nothing', 'Always be a "team player".'],
  ])('%s is ordered by itself', (_, line) => {
    expect(read(line)).toEqual({ forms: [], unread: [line] });
  });

  test('points inside of it end no sentence, and it stands in the sentence as it was written', () => {
    const line = 'Always say "One moment. I look that up!" Be kind.';
    const sentence = 'Always say "One moment. I look that up!"';
    expect(read(line).forms).toEqual([{ form: must(says('One moment. I look that up!')), sentence }]);
  });
});

describe('a tool is meant by its whole name', () => {
  const alike = [tool('book'), tool('book_table'), tool('end'), tool('send_text')];

  test.each<[line: string, form: WatchForm]>([
    ['Never call book_table.', mustNot(uses('book_table'))],
    ['Never call book.', mustNot(uses('book'))],
    ['Always call send_text.', must(uses('send_text'))],
    ['Never use END!', mustNot(uses('end'))],
    [
      'Call send_text before book_table.',
      must(
        { kind: 'tool_called_before', tool: 'send_text', before: 'book_table' },
        { kind: 'tool_called', tool: 'book_table' },
      ),
    ],
  ])('%s', (line, form) => {
    expect(read(line, alike).forms.map((one) => one.form)).toEqual([form]);
  });

  test('and of two names the one that holds the other, where they have spaces', () => {
    const spaced = [tool('Book'), tool('Book table')];
    expect(read('Never call Book table.', spaced).forms[0]?.form).toEqual(mustNot(uses('Book table')));
  });

  test.each(['Always call the sender.', 'Never call bookings.'])('and by no word that holds it: %s', (line) => {
    expect(read(line, alike)).toEqual({ forms: [], unread: [line] });
  });

  test.each([
    'Never call book_table or find_table.',
    'Always call book_table and find_table.',
    'Always call find_table or cancel_booking before book_table.',
  ])('where several are named none stands for all of them: %s', (line) => {
    expect(read(line)).toEqual({ forms: [], unread: [line] });
  });

  test.each(['Always use find_table to look for tables.', 'Make sure to call find_table for members.'])(
    'and how or for whom it is used is no order to use it always: %s',
    (line) => {
      expect(read(line)).toEqual({ forms: [], unread: [line] });
    },
  );
});

describe('what has to come before a tool is asked of the calls that came to the tool', () => {
  const first = (name: string, before: string) =>
    must({ kind: 'tool_called_before', tool: name, before }, onCallsWith(before));
  const asks = (words: string[], before: string) => must({ kind: 'asks_for', words, before }, onCallsWith(before));
  const confirms = (before: string, ...of: string[]) =>
    must({ kind: 'asks_for', confirmation: true, before, ...(of.length > 0 && { of }) }, onCallsWith(before));

  test.each<[line: string, form: WatchForm]>([
    ['Call find_table before you call book_table.', first('find_table', 'book_table')],
    ['Before you call book_table, call find_table.', first('find_table', 'book_table')],
    ['Never call book_table before find_table.', first('find_table', 'book_table')],
    ['Do not call book_table until find_table has been called.', first('find_table', 'book_table')],
    ['Never use book_table unless find_table was called.', first('find_table', 'book_table')],
    ['Ask the caller for their name before calling book_table.', asks(['name'], 'book_table')],
    ['Never book a table without asking for the phone number.', asks(['phone', 'number'], 'book_table')],
    ['Before cancelling, read the booking back.', confirms('cancel_booking', 'booking')],
    ['Confirm the date prior to booking.', confirms('book_table', 'date')],
    ['Do not book a table unless the caller agrees.', confirms('book_table')],
    [
      'Before booking, say "one moment".',
      must({ kind: 'says', text: 'one moment', before: 'book_table' }, onCallsWith('book_table')),
    ],
  ])('%s', (line, form) => {
    expect(read(line).forms.map((one) => one.form)).toEqual([form]);
  });

  test('each of several tools by itself', () => {
    expect(read('Ask for the name before book_table or cancel_booking.').forms.map((one) => one.form)).toEqual([
      asks(['name'], 'book_table'),
      asks(['name'], 'cancel_booking'),
    ]);
  });
});

describe('a condition says which calls are meant', () => {
  const asksPerson: WatchScope = { kind: 'caller_said', act: 'asks_for_person' };

  test.each<[line: string, form: WatchForm]>([
    ['If the caller asks for a human, transfer the call.', must(handsOver, asksPerson)],
    ['When a guest wants to talk to a manager, hand them over to the host.', must(handsOver, asksPerson)],
    ['Transfer the call if the caller insists on a person.', must(handsOver, asksPerson)],
    ['If book_table fails, say "I am sorry".', must(says('I am sorry'), { kind: 'tool_failed', tool: 'book_table' })],
    ['If book_table does not work, transfer the call.', must(handsOver, { kind: 'tool_failed', tool: 'book_table' })],
    [
      'Do not call book_table if find_table times out.',
      mustNot(uses('book_table'), { kind: 'tool_failed', tool: 'find_table' }),
    ],
    [
      'Once a table is booked, say "see you soon".',
      must(says('see you soon'), { ...onCallsWith('book_table'), following: true }),
    ],
    [
      'After booking a table always say "see you soon".',
      must(says('see you soon'), { ...onCallsWith('book_table'), following: true }),
    ],
  ])('%s', (line, form) => {
    expect(read(line).forms.map((one) => one.form)).toEqual([form]);
  });

  test.each([
    ['that only a model can tell', 'If the caller sounds upset, always say "I am sorry".'],
    ['that allows it somewhere', 'Never say "closed" unless the kitchen is closed.'],
    ['that stands in front and allows it somewhere', 'Unless the caller objects, always say "this call is recorded".'],
    ['that leaves something out', 'Except on transfers, always say "this call is recorded".'],
    ['of two tools', 'If book_table or find_table fails, always say "I am sorry".'],
    ['of the opposite', 'If the caller does not ask for a person, never transfer them.'],
    ['of a failure that did not come', 'If book_table hasn\'t failed, always say "all done".'],
    ['of a question about who speaks', 'If the caller asks if this is a person, always say "I am an assistant".'],
    ['of a question about people', 'If the caller asks about staff discounts, never transfer them.'],
    ['of a question about a person', 'If the caller asks when the manager is in, always say "at nine".'],
    ['of a wish to know something of a person', 'If the caller wants to know an agent\'s name, always say "Roma".'],
    ['of a day', 'Never say "we are open" on Sundays.'],
  ])('and one %s is left to a model', (_, line) => {
    expect(read(line)).toEqual({ forms: [], unread: [line] });
  });
});

describe('handing over', () => {
  test.each<[line: string, forms: WatchForm[]]>([
    ['Never transfer the caller.', [mustNot(handsOver)]],
    // What may go elsewhere but not there can't be told from the outcome.
    ['Under no circumstances put the caller through to the kitchen.', []],
    // An order to hand over says on which calls, or it would be asked of all.
    ['You must transfer the caller.', []],
    ['Transfer the caller to the host.', []],
  ])('%s', (line, forms) => {
    expect(read(line).forms.map((one) => one.form)).toEqual(forms);
  });
});

describe('promises', () => {
  const promises = (...about: string[]) => mustNot({ kind: 'says', act: 'promises', about });

  test.each<[line: string, forms: WatchForm[]]>([
    ['Never promise a refund.', [promises('refund')]],
    ['Do not guarantee a specific time.', [promises('time')]],
    ['Never promise anything.', [promises()]],
    ['Always promise a call back.', []],
    ['Never promise one two three four five six seven eight things.', []],
  ])('%s', (line, forms) => {
    expect(read(line).forms.map((one) => one.form)).toEqual(forms);
  });
});

describe('no line is read as its opposite', () => {
  test.each<[line: string, form: WatchForm]>([
    ['Do not forget to say "goodbye".', must(says('goodbye'))],
    ["Don't forget to call find_table.", must(uses('find_table'))],
    ['Never fail to say "thank you".', must(says('thank you'))],
    [
      'If book_table fails, never omit to say "I am sorry".',
      must(says('I am sorry'), { kind: 'tool_failed', tool: 'book_table' }),
    ],
  ])('a reminder orders: %s', (line, form) => {
    expect(read(line).forms).toEqual([{ form, sentence: line }]);
  });

  test.each([
    'Never hang up without saying "goodbye".',
    'Do not end the call until you have said "goodbye".',
    'Never transfer the caller without asking for their name.',
    'Never call cancel_booking without a reason.',
    'Never promise a refund before the manager has agreed.',
  ])('what is forbidden only without something else is not forbidden: %s', (line) => {
    expect(read(line)).toEqual({ forms: [], unread: [line] });
  });

  test.each([
    'You do not have to call find_table.',
    "You don't need to ask for the name before book_table.",
    'It is not required to call find_table.',
    'You need not always say "hello".',
    'Do not hesitate to transfer the caller.',
    'There is no need to say "sorry".',
  ])('what need not be is neither ordered nor forbidden: %s', (line) => {
    expect(read(line)).toEqual({ forms: [], unread: [] });
  });

  test('an order beside it is not lost', () => {
    const line = 'You need not say "hello", but you must call find_table.';
    expect(read(line)).toEqual({ forms: [], unread: [line] });
  });
});

describe('the sentences of a line', () => {
  test('are read one by one; of those that order something none is lost', () => {
    const line = 'You are Ada. Always be kind. Never say "no way"; always call find_table! Tables are by the window.';
    expect(read(line)).toEqual({
      forms: [
        { form: mustNot(says('no way')), sentence: 'Never say "no way";' },
        { form: must(uses('find_table')), sentence: 'always call find_table!' },
      ],
      unread: ['Always be kind.'],
    });
  });

  test('two orders in one sentence are two', () => {
    expect(read('Never say "no way", and never promise a refund.').forms.map(({ form }) => form)).toEqual([
      mustNot(says('no way')),
      mustNot({ kind: 'says', act: 'promises', about: ['refund'] }),
    ]);
  });

  test.each(['', '   ', '"', '""', '...', '?!', 'Say "hello".', 'We use find_table.', '«0»', 'Tables: 12'])(
    'that order nothing say nothing: %j',
    (line) => {
      expect(read(line)).toEqual({ forms: [], unread: [] });
    },
  );
});
