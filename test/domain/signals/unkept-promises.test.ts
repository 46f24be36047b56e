import { expect, test } from 'vitest';
import { toolNamed } from '../../support/played.ts';
import { turnsOf } from './detectors/turns-of.ts';
import type { Line } from './scripted-call.ts';

const tools = (...names: string[]) => names.map((name) => toolNamed(name));
const LIBRARY = tools('find_book', 'send_text', 'send_payment_link', 'report_fault', 'log_breakdown');

function promised(lines: readonly (string | Line)[], { language = 'en-US', with: own = LIBRARY } = {}): number[] {
  return turnsOf('tool_missing', ['a: Hello.', ...lines], { language, configuration: { tools: own } });
}

test.each([
  ['a text', ['c: when are you open', "a: Till six. I'll text you the hours right away.", 'c: great'], {}],
  ['a report', ['c: the lift is stuck', "a: I'm filing a report with the fault team now.", 'c: good'], {}],
  ['all that a tool does', ['c: the lift is stuck', "a: I'll log it as a breakdown now.", 'c: good'], {}],
  [
    'what was asked about a turn before',
    [
      'c: I want to pay',
      'a: Where shall I send the link?',
      'c: to my mobile',
      "a: Fine, I'll get that over to you now.",
    ],
    {},
  ],
  [
    'in German',
    ['c: wann haben Sie auf', 'a: Bis sechs. Ich schicke Ihnen eine SMS.', 'c: gut'],
    { language: 'de-DE', with: tools('buch_suchen', 'send_sms') },
  ],
  [
    'in Spanish',
    ['c: hasta qué hora abren', 'a: Hasta las seis. Le envío un mensaje.', 'c: bien'],
    { language: 'es-ES', with: tools('send_sms') },
  ],
  [
    'in French',
    ['c: vous fermez quand', 'a: À six heures. Je vous envoie un message.', 'c: bien'],
    { language: 'fr-FR', with: tools('send_sms') },
  ],
])('what is promised and never done is found: %s', (_, lines, given) => {
  expect(promised(lines, given)).toEqual([lines.findLastIndex((line) => line.startsWith('a:')) + 1]);
});

const sent = (name: string): Line[] => [
  { call: name, args: {} },
  { result: name, body: { status: 'sent' }, ok: true },
];

test.each<[string, (string | Line)[]]>([
  [
    'it was done later',
    ['c: when are you open', "a: I'll text you the hours.", 'c: ok', ...sent('send_text'), 'a: Sent.'],
  ],
  ['it was tried', ['c: hi', "a: I'll text you.", { call: 'send_text', args: {} }, 'a: Hm.']],
  ['it hangs on something', ['c: hi', "a: If you like I'll text you the hours.", 'c: ok']],
  ['the caller turns it down', ['c: hi', "a: I'll text you the hours.", 'c: no I have them']],
  ['somebody else is to call', ['c: hi', "a: I'll text the team and somebody will call you back tomorrow.", 'c: ok']],
  ['the agent needs an answer first', ['c: stuck', "a: I'll log a breakdown. Which floor?", 'c: the third']],
  ['it is one of the ways that there are', ['c: stuck', "a: What I can do is this: I'll log a breakdown.", 'c: hm']],
  ['it has to be done', ['c: stuck', "a: I'll need to log a breakdown for that.", 'c: hm']],
  ['a part of what a tool does is named', ['c: stuck', "a: I'll log you out now.", 'c: ok']],
  ['it is asked', ['c: hi', "a: Shall I, or I'll text you later?", 'c: ok']],
])('no promise is broken where %s', (_, lines) => {
  expect(promised(lines)).toEqual([]);
});

test('no promise is broken by an agent without a tool for it', () => {
  const lines = ['c: when are you open', "a: Till six. I'll text you the hours.", 'c: great'];
  expect(promised(lines, { with: tools('find_book', 'send_payment_link') })).toEqual([]);
});
