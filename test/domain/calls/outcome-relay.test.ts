import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { type Given, type Line, scripted } from '../signals/scripted-call.ts';

type Row = [what: string, outcome: string, lines: Line[], given?: Given];

const ASKS: Line[] = [
  { a: 'Harbour Library, hello.' },
  { c: 'Can you tell me what it costs to rent the reading room?' },
];

const ROWS: Row[] = [
  [
    'a message that the caller agrees to instead of an answer leaves the request open',
    'unresolved',
    [
      ...ASKS,
      { a: 'A colleague knows the prices. Shall I have them call you?' },
      { c: 'Mornings on this number' },
      { a: 'The note is with the manager, and says mornings.' },
      { c: 'Thanks, bye.' },
    ],
  ],
  [
    'an answer after the offer of a message meets the request',
    'resolved',
    [
      ...ASKS,
      { a: 'A colleague knows the prices. Shall I have them call you?' },
      { c: 'What is it roughly?' },
      { a: 'It is forty pounds an hour.' },
      { c: 'Great, thanks, bye.' },
    ],
  ],
  [
    'an offer to put somebody through that the caller declines is no transfer',
    'resolved',
    [
      ...ASKS,
      { a: 'It is forty pounds an hour. I can connect you with the manager for a discount.' },
      { c: "No, that's fine, thanks for telling me." },
      { a: 'Goodbye.' },
    ],
  ],
  [
    'an offer to put somebody through, in German, is no transfer either',
    'resolved',
    [
      { a: 'Hafenbücherei, guten Tag.' },
      { c: 'Was kostet der Lesesaal?' },
      { a: 'Er kostet vierzig Euro die Stunde. Ich kann Sie gern mit der Leitung verbinden.' },
      { c: 'Nein danke, das war alles.' },
      { a: 'Auf Wiederhören.' },
    ],
    { language: 'de-DE' },
  ],
  [
    'who says where else they will go, asks on and is told, has given nothing up',
    'resolved',
    [
      { a: 'Harbour Library, hello.' },
      { c: 'Is the new atlas in?' },
      { a: 'It is on the second floor, shelf nine.' },
      { c: "I'll walk over then, what do I need?" },
      { a: 'Your card, and we close at seven.' },
      { c: 'Great, thanks.' },
      { a: 'See you then.' },
    ],
  ],
];

describe('what was handed on was not met, and what was offered was not done', () => {
  test.each(ROWS)('%s', (_, outcome, lines, given) => {
    expect(analyseCall(scripted(lines, given), {}).outcome).toBe(outcome);
  });
});
