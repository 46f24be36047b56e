import { expect, test } from 'vitest';
import { rulesIn, used } from './found.ts';

const found = (body: object, line: string, language = 'en-US') =>
  rulesIn([{ c: 'When is the tour?' }, ...used('find_tour', {}, body), { a: line }], { language }).filter(
    (rule) => rule === 'end_mistaken',
  );

const TOUR = { tours: [{ starts: '18:00', turns_back: '19:15', ends: '20:30' }] };

test.each([
  ['the end told as the beginning', TOUR, 'The tour starts at half past eight.'],
  ['what lies between told as the beginning', TOUR, 'It begins this evening at quarter past seven.'],
  ['the end told with nothing but "at"', TOUR, 'The tour is at half past eight.'],
  [
    'one of several days',
    { tours: [...TOUR.tours, { starts: '10:00', ends: '11:30' }] },
    'It starts at half past eleven.',
  ],
])('finds %s', (_, body, line) => {
  expect(found(body, line)).toEqual(['end_mistaken']);
});

test('finds it in German', () => {
  expect(found({ kurse: [{ von: '18:00', bis: '19:30' }] }, 'Der Kurs beginnt um halb acht.', 'de-DE')).toEqual([
    'end_mistaken',
  ]);
});

test.each([
  ['the beginning', TOUR, 'The tour starts at six.'],
  ['both ends', TOUR, 'The tour starts at six pm and ends at half past eight.'],
  ['an end with a word of it', TOUR, "You'd be back by half past eight."],
  ['how long it goes on', TOUR, 'It runs until half past eight.'],
  ['a beginning of another day', { tours: [...TOUR.tours, { starts: '20:30' }] }, 'It starts at half past eight.'],
  ['a time of a result without a beginning', { ends: '20:30' }, 'It starts at half past eight.'],
  ['a time that the result does not hold', TOUR, 'It starts at nine pm.'],
])('finds nothing in %s', (_, body, line) => {
  expect(found(body, line)).toEqual([]);
});
