import { expect, test } from 'vitest';
import { turnsOf } from './turns-of.ts';

const MENU = 'For the workshop press one. For sales press two. To hear this again press star.';

test('a menu that is played again is one, whoever the record takes it for', () => {
  const talk = [{ o: MENU }, 'a: May I speak to Jana?', { o: `Sorry. ${MENU}` }, 'a: Jana, please.'];
  expect(turnsOf('ivr_stuck', talk, { direction: 'outbound' })).toEqual([2]);
});

test('a menu that the agent leaves by a key is not', () => {
  const talk = [
    { o: MENU },
    { call: 'press_key', args: { key: '1' } },
    'c: Workshop, this is Jana.',
    'a: Hello, Jana.',
  ];
  expect(turnsOf('ivr_stuck', talk, { direction: 'outbound' })).toEqual([]);
});

test('a menu that takes no key is', () => {
  const talk = [{ o: MENU }, { call: 'press_key', args: { key: '1' } }, { o: `Sorry. ${MENU}` }, 'a: Hello?'];
  expect(turnsOf('ivr_stuck', talk, { direction: 'outbound' })).toEqual([2]);
});

test('nor is a caller who talks about menus', () => {
  const talk = ['a: Hello.', 'c: it says press one and then press two', 'a: Yes.', 'c: so I press two for the boiler'];
  expect(turnsOf('ivr_stuck', talk)).toEqual([]);
});
