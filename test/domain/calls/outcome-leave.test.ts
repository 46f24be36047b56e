import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { type Line, scripted } from '../signals/scripted-call.ts';

type Row = [what: string, outcome: string, lines: Line[]];

const ASKS: Line[] = [
  { a: 'Spoke and Wheel, how can I help?' },
  { c: 'hi I want to bring my bike in for a service this week' },
];

const ROWS: Row[] = [
  [
    'a caller who goes while the agent waits for an answer has left in the middle',
    'abandoned',
    [...ASKS, { a: 'What make is the bike?' }, { c: 'oh my bus is here' }],
  ],
  [
    'a caller who gives up on a question has left in the middle, whatever was said before',
    'abandoned',
    [...ASKS, { a: 'What make is the bike?' }, { c: 'forget it' }],
  ],
  [
    'a caller who gives up and is wished well by the agent was not helped, and knew it',
    'unresolved',
    [...ASKS, { a: 'We have nothing this week.' }, { c: 'never mind then' }, { a: 'All right. Have a nice day.' }],
  ],
  [
    'a wrong number that is cleared up ends in order',
    'unresolved',
    [
      { a: 'Spoke and Wheel, how can I help?' },
      { c: 'can I get two tickets for the late film' },
      { a: 'This is a bicycle workshop.' },
      { c: 'oh sorry I rang the wrong place' },
      { a: 'No harm done.' },
    ],
  ],
  [
    'who asks for a person again and again and then goes has left, with or without a goodbye',
    'abandoned',
    [
      ...ASKS,
      { a: 'What make is the bike?' },
      { c: 'can I speak to a person please' },
      { a: 'I can help you here. What make is it?' },
      { c: 'I want to speak to a human' },
      { a: 'Which make is the bike?' },
      { c: 'bye' },
    ],
  ],
  [
    'a record that stops on an answer while the caller still had questions does not end in order',
    'abandoned',
    [...ASKS, { a: 'Let me check.' }, { c: 'is Thursday free?' }, { a: 'One moment.' }],
  ],
  [
    'a look-up that was announced and never answered for leaves the request open',
    'abandoned',
    [
      ...ASKS,
      { a: "I'll look in the diary for that." },
      { c: 'hello' },
      { a: 'Just looking.' },
      { c: 'no she is gone' },
    ],
  ],
];

describe('how an open call ended hangs on who had the last word', () => {
  test.each(ROWS)('%s', (_, outcome, lines) => {
    expect(analyseCall(scripted(lines), {}).outcome).toBe(outcome);
  });
});

test.each([
  ['abandoned', 'asks into silence', [{ c: 'hello' }, { c: "hello are you there... no it's gone" }]],
  [
    'transferred',
    'is told that they are being put through',
    [{ a: "That's one for the manager. I'll connect you now." }],
  ],
])('the call is %s where the caller %s', (outcome, _, last: Line[]) => {
  const lines: Line[] = [...ASKS, { a: 'What is it about?' }, { c: 'I want to talk to the manager' }, ...last];
  const spoken: Line[] = outcome === 'abandoned' ? [...ASKS, { a: 'One moment.' }, ...last] : lines;
  expect(analyseCall(scripted(spoken), {}).outcome).toBe(outcome);
});
