import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { type Given, type Line, scripted } from '../signals/scripted-call.ts';

type Row = [what: string, outcome: string, lines: Line[], given?: Given];

const BOOKED: Line[] = [
  { a: 'Museum of Glass, how can I help?' },
  { c: 'I would like to book a tour for Saturday at two.' },
  { a: 'A tour on Saturday at two for one person. Shall I book it?' },
  { c: 'Yes please.' },
  { a: "You're booked for Saturday at two." },
];

const ROWS: Row[] = [
  [
    'what nobody can promise is not turned down',
    'resolved',
    [
      ...BOOKED,
      { c: 'Will it be quiet then?' },
      { a: "I can't promise that, but afternoons are mostly calm." },
      { c: 'Thanks, bye.' },
    ],
  ],
  [
    'what the caller need not do is not turned down',
    'resolved',
    [...BOOKED, { c: 'Do I bring a ticket?' }, { a: "You don't have to bring anything." }, { c: 'Thanks, bye.' }],
  ],
  [
    'a no to a remark after the deed takes nothing back',
    'resolved',
    [...BOOKED, { c: 'I suppose my dog waits outside' }, { a: "Dogs aren't allowed, sorry." }, { c: 'Thanks, bye.' }],
  ],
  [
    'a no after the deed takes it back where the caller had complained',
    'unresolved',
    [
      ...BOOKED,
      { c: 'But this is ridiculous, I said Sunday.' },
      { a: "I'm sorry, I can't book Sunday." },
      { c: 'Too bad, bye.' },
    ],
  ],
  [
    'a promise that can not be kept to is no word on a request that was turned down',
    'unresolved',
    [
      { a: 'Museum of Glass, how can I help?' },
      { c: 'I would like to book a tour for Saturday at two.' },
      { a: "I'm sorry, we can't book tours on Saturdays." },
      { c: 'That is a shame, bye.' },
    ],
  ],
  [
    'no one need worry, in German',
    'resolved',
    [
      { a: 'Glasmuseum, guten Tag, wie kann ich helfen?' },
      { c: 'Ich möchte eine Führung am Samstag um zwei buchen.' },
      { a: 'Samstag um zwei für eine Person. Soll ich das buchen?' },
      { c: 'Ja bitte.' },
      { a: 'Die Führung ist gebucht.' },
      { c: 'Ob es da wohl ruhig ist?' },
      { a: 'Versprechen kann ich es Ihnen nicht, meistens ist nachmittags wenig los.' },
      { c: 'Gut, danke, tschüss.' },
    ],
    { language: 'de-DE' },
  ],
];

describe('a no of the agent decides where it is a no to the request', () => {
  test.each(ROWS)('%s', (_, outcome, lines, given) => {
    expect(analyseCall(scripted(lines, given), {}).outcome).toBe(outcome);
  });
});
