import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import type { ToolDefinition } from '../../../src/domain/versions/configuration.ts';
import { toolNamed } from '../../support/played.ts';
import { asLine } from '../acts/talk.ts';
import { type Line, scripted } from './scripted-call.ts';

const tool = (name: string, description = '') => toolNamed(name, { description });

/** Codes of signals with their turns, on calls of an agent with these tools. */
function codesOf(tools: readonly ToolDefinition[], language: string, ...lines: (string | Line)[]): string[] {
  const call = scripted(
    lines.map((line) => (typeof line === 'string' ? asLine(line) : line)),
    { language, configuration: { tools: [...tools] } },
  );
  return analyseCall(call, {}).signals.map(({ code, turnIndex }) => `${code} ${turnIndex}`);
}

const CAMPING = [tool('book_pitch'), tool('send_sms'), tool('request_callback'), tool('transfer_to_warden')];
const booked = [
  { call: 'book_pitch', args: { pitch: 12 } },
  { result: 'book_pitch', body: { pitch: 12 }, ok: true },
];

describe('a deed of which the tool was never called', () => {
  test('is one of two, where the other was done', () => {
    const lines = ['a: Lakeside.', 'c: book pitch twelve please', ...booked];
    const told = 'a: Pitch twelve is booked. The SMS with the gate code has been sent.';
    expect(codesOf(CAMPING, 'en', ...lines, told, 'c: fine')).toContain('claimed_without_tool 4');
    const sms = [
      { call: 'send_sms', args: {} },
      { result: 'send_sms', body: { sent: true }, ok: true },
    ];
    expect(codesOf(CAMPING, 'en', ...lines, ...sms, told, 'c: fine')).not.toContain('claimed_without_tool 6');
  });

  test('is none where it only tells what a look-up showed', () => {
    const tools = [tool('get_parcel'), tool('add_note')];
    const looked = [
      { call: 'get_parcel', args: { number: 'A1' } },
      { result: 'get_parcel', body: { state: 'on its way', day: '2026-06-15' }, ok: true },
    ];
    const told = 'a: It is on its way, and the delivery is scheduled for Monday.';
    const codes = codesOf(tools, 'en', 'c: I would like to know where my parcel is please', ...looked, told, 'c: fine');
    expect(codes).not.toContain('claimed_without_tool 3');
  });

  test('is none where the tool that was called says that it does both', () => {
    const tools = [tool('book_pitch', 'Books a pitch and sends the gate code by SMS'), tool('send_sms')];
    const told = 'a: Pitch twelve is booked. The SMS with the gate code has been sent.';
    expect(codesOf(tools, 'en', 'c: book pitch twelve please', ...booked, told, 'c: ok')).not.toContain(
      'claimed_without_tool 3',
    );
  });

  test.each([
    [
      'en',
      [tool('hire_bike'), tool('reserve_bike')],
      'c: put the red bike by for me please',
      'a: The bike is reserved.',
    ],
    ['de', [tool('kurs_buchen')], 'c: ich möchte den Töpferkurs buchen', 'a: Der Kurs ist für Sie gebucht.'],
    ['fr', [tool('reserver_court')], 'c: je voudrais réserver le court deux', 'a: Le court est réservé pour vous.'],
    ['es', [tool('reservar_pista')], 'c: quiero reservar la pista dos', 'a: La pista está reservada.'],
  ])('is told to a caller who asked for it (%s)', (language, tools, asked, told) => {
    expect(codesOf(tools, language, 'a: Hallo.', asked, told, 'c: ok')).toContain('claimed_without_tool 2');
  });

  test.each([
    ['a word that all is well', 'c: I have my passport with me', "a: Then you're all set."],
    ['a state that the agent tells where a fact was asked', 'c: when is the sauna open', 'a: It is closed on Mondays.'],
    ['a plan', 'c: put the red bike by for me please', 'a: Once it is reserved I will tell you.'],
  ])('but not %s', (_, asked, told) => {
    const tools = [tool('reserve_bike')];
    expect(codesOf(tools, 'en', 'a: Wheel House.', asked, told, 'c: ok')).not.toContain('claimed_without_tool 2');
  });

  test('is a word left with a colleague', () => {
    const told = "a: I can't open the gate from here. I've asked the warden to ring you back.";
    expect(codesOf(CAMPING, 'en', 'c: the gate is shut', told, 'c: ok')).toContain('claimed_without_tool 1');
    const left = [{ call: 'request_callback' }, { result: 'request_callback', body: {}, ok: true }];
    expect(codesOf(CAMPING, 'en', 'c: the gate is shut', ...left, told, 'c: ok')).not.toContain(
      'claimed_without_tool 3',
    );
  });

  test('is a hand-over after which the same voice goes on', () => {
    const lines = [
      'a: Lakeside.',
      'c: can i speak to a real person please',
      'a: Putting you through to the warden now.',
    ];
    const after = ['c: hello is that the warden', 'a: It is Lakeside again. What is it about?', 'c: oh'];
    expect(codesOf(CAMPING, 'en', ...lines, ...after)).toContain('claimed_without_tool 2');
    const moved = [{ call: 'transfer_to_warden' }, { result: 'transfer_to_warden', body: {}, ok: true }];
    expect(codesOf(CAMPING, 'en', ...lines, ...moved, ...after)).not.toContain('claimed_without_tool 2');
  });

  test('is one of several, where fewer were done than are told', () => {
    const done = [...booked, ...booked];
    const lines = ['c: book pitches twelve thirteen and fourteen', ...done];
    expect(codesOf(CAMPING, 'en', ...lines, 'a: All three pitches are booked.', 'c: ok')).toContain(
      'claimed_without_tool 5',
    );
    expect(codesOf(CAMPING, 'en', ...lines, 'a: Both pitches are booked.', 'c: ok')).not.toContain(
      'claimed_without_tool 5',
    );
  });
});

test.each([
  ['names what it failed to do', 'a: Your pass is extended until the end of May.', true],
  ['names it in a word for trouble', "a: I'm sorry, I couldn't extend your pass.", false],
  ['says that it tries again', 'a: One moment, let me try that again.', false],
])('an agent that %s after its tool failed', (_, told, isClaimed) => {
  const failed = [{ call: 'extend_pass' }, { result: 'extend_pass', body: { error: 'timeout' }, ok: false }];
  const codes = codesOf([tool('extend_pass')], 'en', 'c: extend my pass please', ...failed, told, 'c: ok');
  expect(codes.includes('claimed_after_failure 3')).toBe(isClaimed);
});

test.each([
  ['sent', tool('send_text'), 'c: can you text me that number', 'a: Done! I just sent the number to your phone.'],
  ['put on a card', tool('save_note'), 'c: half a tin please, no treats', "a: I've put all of that on his card."],
])('what the agent says it has %s, with a tool for it that was never called', (_, own, asked, told) => {
  const lines = [
    'a: Desk.',
    'c: book pitch twelve please',
    ...(own.name === 'send_text' ? booked : []),
    'a: Right.',
    asked,
    told,
  ];
  const place = lines.length - 1;
  expect(codesOf([tool('book_pitch'), own], 'en', ...lines, 'c: ok')).toContain(`claimed_without_tool ${place}`);
});

test('what the caller will receive is no deed of the agent', () => {
  const lines = [
    'c: book pitch twelve please',
    ...booked,
    'a: Right.',
    'c: can you confirm',
    "a: You'll receive a confirmation.",
  ];
  expect(codesOf([tool('book_pitch'), tool('send_sms')], 'en', ...lines, 'c: ok')).not.toContain(
    'claimed_without_tool 5',
  );
});

test('what has "gone through" is claimed, though the tool had failed', () => {
  const lines = [
    'c: please apply for the permit',
    { call: 'apply_permit', args: {} },
    { result: 'apply_permit', body: { error: 'upstream_timeout', status: 504 } },
    'a: Wonderful, your application has gone through.',
  ];
  expect(codesOf([tool('apply_permit')], 'en', ...lines, 'c: ok')).toContain('claimed_after_failure 3');
});
