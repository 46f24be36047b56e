import { expect, test } from 'vitest';
import { tallyMissing } from '../../../src/domain/calls/missing-fields.ts';
import { scripted } from '../signals/scripted-call.ts';

const complete = scripted(
  [
    { a: 'Hello.', at: [0, 1] },
    { c: 'Hello.', at: [1, 2] },
    { call: 'find', args: {} },
    { result: 'find', body: {} },
  ],
  { startedAt: '2026-03-10T10:00:00.000Z', callerNumber: '+4915112345678' },
).call;
const missing = (...calls: (typeof complete)[]) => {
  const tally = tallyMissing();
  for (const call of calls) tally.add(call);
  return tally.fields().map(({ field, records }) => `${field}: ${records}`);
};

test.each([
  ['nothing', complete, []],
  ['times', { ...complete, timing: 'none' as const }, ['startMs and endMs of turns: 1']],
  ['tools', { ...complete, turns: complete.turns.slice(0, 2) }, ['toolCall and toolResult: 1']],
  ['calls of tools, whose results it holds', { ...complete, turns: complete.turns.slice(3) }, []],
  ['a start', { ...complete, startedAt: null }, ['startedAt: 1']],
  [
    'an end',
    { ...complete, ending: { ...complete.ending, endedBy: 'unknown' as const } },
    ['disconnectionReason or endedBy: 1'],
  ],
  ['a number', { ...complete, callerNumber: null }, ['callerNumber: 1']],
])('a record lacks %s', (_, call, expected) => {
  expect(missing(call)).toEqual(expected);
});

test('records are counted, and the dearest loss stands first', () => {
  const bare = { ...complete, callerNumber: null, turns: [] };
  expect(missing(bare, complete, { ...complete, callerNumber: null })).toEqual([
    'toolCall and toolResult: 1',
    'callerNumber: 2',
  ]);
});
