import { describe, expect, test } from 'vitest';
import type { Given, Line } from '../../signals/scripted-call.ts';
import { rulesIn, used } from './found.ts';

function told(body: object, line: string, { asked = 'What do you have?', ...given }: Given & { asked?: string } = {}) {
  const lines: Line[] = [{ c: asked }, ...used('find_tours', {}, body), { a: line }];
  return rulesIn(lines, { configuration: { prompt: 'Be brief.' }, ...given }).filter(
    (rule) => rule === 'value_unsourced',
  );
}

describe('an amount', () => {
  const tours = {
    tours: [
      { name: 'cave', price: 38 },
      { name: 'lake', price: 26 },
    ],
  };

  test.each([
    ['of the result', 'The cave is $38.'],
    ['the sum of two', 'Both together are $64.'],
    ['the difference of two', 'The cave is $12 more.'],
    ['one several times', 'Four of you pay $152 for the cave.'],
    ['its share of one', 'Half of the cave tour is $19.'],
    ['rounded', 'The lake is about $25.60.'],
    ['denied', 'The lake is not $90.'],
    ['asked', 'Did you pay $90 last time?'],
    ['beside a right one', 'The cave is $38, elsewhere you pay $90.'],
  ])('is sourced where it is %s', (_, line) => {
    expect(told(tours, line)).toEqual([]);
  });

  test.each([
    ['en', 'What do you have?', 'The cave is $91.'],
    ['en', 'What do you have?', 'The cave is ninety-one dollars.'],
    ['de', 'Was haben Sie denn für uns am Samstag?', 'Die Höhle kostet einundneunzig Euro.'],
    ['fr', 'Qu’est-ce que vous avez pour nous samedi ?', 'La grotte coûte quatre-vingt-onze euros.'],
    ['es', '¿Qué tienen para nosotros el sábado?', 'La cueva cuesta noventa y un euros.'],
  ])('is unsourced where nothing holds it: (%s) %s %s', (language, asked, line) => {
    expect(told(tours, line, { language, asked })).toEqual(['value_unsourced']);
  });

  test.each<[string, Given & { asked?: string }]>([
    ['the prompt', { configuration: { prompt: 'A guide costs 91 dollars.' } }],
    ['the caller', { asked: 'Is it still $91?' }],
  ])('is sourced by %s', (_, given) => {
    expect(told(tours, 'That is $91.', given)).toEqual([]);
  });

  test('is not judged where the prompt is not known', () => {
    expect(told(tours, 'The cave is $91.', { configuration: { prompt: null } })).toEqual([]);
  });

  test('is not judged where the result has no amount, or so many that some sum fits', () => {
    expect(told({ tours: [] }, 'The cave is $91.')).toEqual([]);
    const many = { tours: [11, 13, 17, 19, 23].map((price) => ({ price })) };
    expect(told(many, 'The cave is $97.')).toEqual([]);
  });

  test('that the result holds in a text is known from there', () => {
    expect(told({ price: 26, note: 'With lunch 91 dollars' }, 'With lunch it is $91.')).toEqual([]);
  });
});

describe('a time', () => {
  const tours = { starts: ['09:40', '15:20'] };

  test.each([
    ['of the result', 'The first one starts at 9:40.', []],
    ['in words', 'The first one starts at twenty to ten.', []],
    ['on the other clock', 'The second one starts at twenty past three.', []],
    ['a few minutes off, rounded', 'It starts at about a quarter to ten, at 9:42 in truth.', ['value_unsourced']],
    ['of nothing', 'The first one starts at 11:10.', ['value_unsourced']],
    ['asked', 'Shall we say 11:10?', []],
  ])('%s', (_, line, rules) => {
    expect(told(tours, line)).toEqual(rules);
  });
});

describe('a time that is reckoned', () => {
  const boat = { departure: '11:30', arrival: '13:45' };
  const prompt = 'Check-in closes 20 minutes before departure.';

  test.each([
    ['from what the turn says', 'Be there forty-five minutes before, so at quarter to eleven.', 'Be brief.'],
    ['from what the prompt says', 'Check-in closes at ten past eleven.', prompt],
    ['forwards', 'The crossing takes two hours, so you land at half past one.', 'Be brief.'],
  ])('%s is sourced', (_, line, given) => {
    expect(told(boat, line, { configuration: { prompt: given } })).toEqual([]);
  });

  test('by nothing is unsourced', () => {
    expect(told(boat, 'It leaves at ten past eleven.', { configuration: { prompt } })).toEqual(['value_unsourced']);
  });
});
