import { expect, test } from 'vitest';
import { nameOf } from '../../../src/domain/watches/name-of.ts';
import type { WatchExpectation, WatchForm, WatchScope } from '../../../src/domain/watches/watch.ts';

const ALL: WatchScope = { kind: 'all_calls' };
const form = (
  expectation: WatchExpectation,
  scope: WatchScope = ALL,
  polarity: WatchForm['polarity'] = 'must',
): WatchForm => ({ scope, expectation, polarity });
const booked: WatchScope = { kind: 'tool_called', tool: 'book' };
const judged = (text: string) => form({ kind: 'judged', text });

test.each<[WatchForm, string]>([
  [form({ kind: 'tool_called', tool: 'find' }, ALL, 'must_not'), 'Never calls find'],
  [form({ kind: 'tool_called', tool: 'find' }, { kind: 'tool_failed', tool: 'book' }), 'Calls find where book fails'],
  [form({ kind: 'tool_called_before', tool: 'find', before: 'book' }, booked), 'Calls find before book'],
  [
    form({ kind: 'tool_called_with', tool: 'book', args: { seats: 2 } }, booked),
    'Calls book with seats as given where book is called',
  ],
  [form({ kind: 'says', text: 'this call is recorded' }), 'Says “this call is recorded”'],
  [form({ kind: 'says', act: 'promises', about: ['refund'] }, ALL, 'must_not'), 'Never promises refund'],
  [form({ kind: 'says', act: 'promises', about: [] }, ALL, 'must_not'), 'Never promises anything'],
  [form({ kind: 'asks_for', words: ['date', 'birth'], before: 'book' }, booked), 'Asks for date birth before book'],
  [form({ kind: 'asks_for', confirmation: true, before: 'book' }, booked), 'Has the caller confirm before book'],
  [
    form({ kind: 'outcome', outcome: 'transferred' }, { kind: 'caller_said', act: 'asks_for_person' }),
    'Hands over where a person is asked for',
  ],
  [
    form({ kind: 'outcome', outcome: 'resolved' }, { kind: 'intent', intent: 'refund' }),
    'Ends as resolved on calls about refund',
  ],
  [
    form({ kind: 'reaches', step: 'Closing' }, { kind: 'step_reached', step: 'Greeting' }),
    'Comes to Closing at Greeting',
  ],
  [
    form({ kind: 'ends_within', seconds: 300 }, { kind: 'outcome', outcome: 'resolved' }),
    'Ends within 300 s on calls that end as resolved',
  ],
  [form({ kind: 'asks_for', words: ['name'], before: null }, ALL, 'must_not'), 'Never asks for name'],
  [
    form({ kind: 'ends_within', seconds: 60 }, { kind: 'caller_said', text: 'refund' }, 'must_not'),
    'Lasts longer than 60 s where the caller says “refund”',
  ],
  [judged('Never be rude.'), 'Never be rude'],
  [judged('Sound\nas if you\n  cared;'), 'Sound as if you cared'],
  [judged(`Always ${'very '.repeat(20)}polite.`), `Always ${'very '.repeat(14).trim()}…`],
  [judged('x'.repeat(300)), `${'x'.repeat(40)}…`],
])('%j is called by what it expects', (given, name) => {
  expect(nameOf(given)).toBe(name);
  expect(name.length).toBeLessThanOrEqual(80);
});
