import { describe, expect, test } from 'vitest';
import type { Given, Line } from '../../signals/scripted-call.ts';
import { rulesIn, used } from './found.ts';

/** What is found of figures where the agent says this right after a look-up. */
function told(
  body: object,
  line: string,
  { asked = 'What do you have for me?', ...given }: Given & { asked?: string } = {},
) {
  const lines: Line[] = [{ c: asked }, ...used('get_visit', {}, body), { a: line }];
  const configuration = { prompt: 'Be brief.', ...given.configuration };
  return rulesIn(lines, { ...given, configuration }).filter((rule) => /time_differs|figures_differ/.test(rule));
}

describe('the one time of a result', () => {
  const visit = { visit: { at: '14:10' } };

  test.each([
    ['as it is', 'You come at ten past two.', []],
    ['as it is, on the 24 hour clock', 'You come at 14:10.', []],
    ['rounded', 'You come at 14:12.', []],
    ['as another one', 'You come at half past two.', ['time_differs']],
    ['as another one in figures', 'You come at 14:20.', ['time_differs']],
    ['as a question', 'Do you come at half past two?', []],
    ['beside another time', 'You come at half past two, and we close at six pm.', []],
    ['not at all', 'You come in the afternoon.', []],
  ])('is told %s', (_, line, rules) => {
    expect(told(visit, line)).toEqual(rules);
  });

  test.each([
    ['de', 'Wann ist mein Termin bei Ihnen, bitte?', 'Ihr Termin ist um halb drei.', ['time_differs']],
    ['de', 'Wann ist mein Termin bei Ihnen, bitte?', 'Ihr Termin ist um vierzehn Uhr zehn.', []],
    [
      'fr',
      'Quand est mon rendez-vous, s’il vous plaît ?',
      'Votre rendez-vous est à quatorze heures trente.',
      ['time_differs'],
    ],
    ['fr', 'Quand est mon rendez-vous, s’il vous plaît ?', 'Votre rendez-vous est à quatorze heures dix.', []],
    ['es', '¿Cuándo es mi cita, por favor?', 'Su cita es a las dos y media.', ['time_differs']],
    ['es', '¿Cuándo es mi cita, por favor?', 'Su cita es a las dos y diez.', []],
  ])('is told in another language: (%s) %s %s', (language, asked, line, rules) => {
    expect(told(visit, line, { language, asked })).toEqual(rules);
  });

  test('is not judged where the caller had named the time', () => {
    expect(told(visit, 'You asked for half past two.', { asked: 'Can I come at half past two?' })).toEqual([]);
  });

  test('is not judged where the result has several', () => {
    expect(told({ visits: ['14:10', '16:40'] }, 'You come at half past two.')).toEqual([]);
  });

  test('is the same on both halves of the day', () => {
    expect(told({ visit: { at: '02:10' } }, 'You come at 14:10.')).toEqual([]);
  });

  test('is that of the write where its result has none', () => {
    const write = (line: string) =>
      rulesIn([{ c: 'Book me in.' }, ...used('book_visit', { at: '14:10' }, { done: true }), { a: line }]);
    expect(write('You are booked for half past two.')).toEqual(['time_differs']);
    expect(write('You are booked for ten past two.')).toEqual([]);
  });
});

describe('an amount or a day with its figures changed', () => {
  test.each([
    ['two figures the wrong way round', { price: 164.9 }, 'It costs $146.', ['figures_differ']],
    ['in words', { price: 164 }, 'It costs one hundred and forty-six dollars.', ['figures_differ']],
    ['the right amount', { price: 164.9 }, 'It costs $164.90.', []],
    ['another amount altogether', { price: 164.9 }, 'It costs $200.', []],
    ['two figures that lie apart', { price: 164 }, 'It costs $461.', []],
    ['an amount of two figures', { price: 64 }, 'It costs $46.', []],
    ['both amounts in the result', { price: 164, deposit: 146 }, 'It costs $146.', []],
    ['a day with one figure changed', { day: '2026-12-14' }, 'It is on December 24th.', ['figures_differ']],
    ['the right day', { day: '2026-12-14' }, 'It is on December 14th.', []],
    ['the right day with a time behind it', { day: '2026-12-14T09:00' }, 'It is on December 14th.', []],
    ['a day of another month', { day: '2026-11-14' }, 'It is on December 24th.', []],
    ['a question', { day: '2026-12-14' }, 'Was it December 24th?', []],
  ])('is %s', (_, body, line, rules) => {
    expect(told(body, line)).toEqual(rules);
  });

  test('is in order where the prompt has it', () => {
    const configuration = { prompt: 'A new frame costs 146 dollars.' };
    expect(told({ price: 164 }, 'A frame costs $146.', { configuration })).toEqual([]);
  });
});

test('a time by which to be there is none of what was booked', () => {
  const booked: Line[] = used('book_crossing', {}, { departure: '11:30' });
  const after = (a: string) => rulesIn([{ c: 'Book it.' }, ...booked, { a }]);
  expect(after('Booked. Check-in closes at ten past eleven.')).not.toContain('time_differs');
  expect(after('Booked. It leaves at ten past eleven.')).toContain('time_differs');
});
