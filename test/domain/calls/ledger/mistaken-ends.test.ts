import { expect, test } from 'vitest';
import { rulesIn, used } from './found.ts';

const found = (body: object, line: string, language = 'en-US', question = 'Do you have a tour?') =>
  rulesIn([{ c: question }, ...used('find_tour', {}, body), { a: line }], { language }).filter(
    (rule) => rule === 'end_mistaken',
  );

const TOUR = { tours: [{ starts: '18:00', summit: '19:15', ends: '20:30' }] };

test.each([
  ['the end told as the beginning', TOUR, 'The tour starts at half past eight.'],
  ['what lies between told as the beginning', TOUR, 'It starts this evening at quarter past seven.'],
  ['the end told with nothing but "at"', TOUR, 'The tour is at half past eight.'],
  [
    'one of several days',
    { tours: [...TOUR.tours, { starts: '10:00', ends: '11:30' }] },
    'It starts at half past eleven.',
  ],
])('finds %s', (_, body, line) => {
  expect(found(body, line)).toEqual(['end_mistaken']);
});

test('finds nothing where the agent tells several results, or a time of the other half of the day', () => {
  const flight = (departs: string, arrives: string) => used('find_flight', {}, { departs, arrives });
  const told = { a: 'The first departs at 07:00, the second departs at 23:00.' };
  const lines = [{ c: 'Which flights?' }, ...flight('07:00', '11:00'), ...flight('23:00', '03:00'), told];
  expect(rulesIn(lines)).not.toContain('end_mistaken');
  expect(found({ departs: '07:00', arrives: '11:00' }, 'It departs at 23:00.')).toEqual([]);
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

test.each<[string, object, string, string, string]>([
  ['en-US', { opens: '09:00', closes: '18:00' }, 'What time do you close?', 'At 6 pm.', 'asks for the end'],
  ['en-US', { departs: '13:00', arrives: '15:30' }, 'Do you fly?', 'It lands at 3:30 pm.', 'names an end'],
  ['fr-FR', { ouvre: '10:00', ferme: '20:00' }, 'Vous ouvrez ?', 'Nous fermons à vingt heures.', 'names an end'],
  ['de-DE', { von: '10:00', bis: '19:30' }, 'Haben Sie auf?', 'Wir schließen um halb acht.', 'names an end'],
  ['de-DE', { von: '10:00', bis: '18:00' }, 'Haben Sie auf?', 'Wir sind ab jetzt bis 18 Uhr da.', 'names an end'],
  ['es-ES', { abre: '10:00', cierra: '20:00' }, '¿Abren?', 'Cerramos los lunes a las ocho.', 'names an end'],
  ['en-US', { opens: '09:00', time: '14:00' }, 'And my lesson?', 'Your lesson starts at 2 pm.', 'is of another field'],
  ['en-US', { from: '15:00', breakfast: '07:30' }, 'And breakfast?', 'Breakfast is at 7:30 am.', 'is of another field'],
  ['en-US', { start: '2026-07-01T14:00:00Z', end: '2026-07-01T16:00:00Z' }, 'When?', 'It starts at 4 pm.', 'is of UTC'],
])('finds nothing (%s, %o): "%s" "%s" %s', (language, body, question, line) => {
  expect(found(body, line, language, question)).toEqual([]);
});
