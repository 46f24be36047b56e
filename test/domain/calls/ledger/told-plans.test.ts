import { expect, test } from 'vitest';
import { rulesIn, used } from './found.ts';

function isPlanTold(body: object, line: string, language = 'en-US'): boolean {
  const lines = [{ c: 'Is the coach at nine on time?' }, ...used('coach_status', {}, body), { a: line }];
  return rulesIn(lines, { language }).includes('plan_told');
}

const LATE = { scheduled: '09:00', expected: '10:20', stop: 'Market' };

test.each([
  ['a time', LATE, 'It leaves at nine.', 'en-US'],
  ['a time in camel case', { plannedDeparture: '09:00', newDeparture: '10:20' }, 'It leaves at nine.', 'en-US'],
  [
    'a day',
    { original_delivery: '2026-06-15', revised_delivery: '2026-06-18' },
    'It comes on the 15th of June.',
    'en-US',
  ],
  ['in a list of one', { coaches: [LATE] }, 'It runs at nine.', 'en-US'],
  ['in German', { geplant: '09:00', voraussichtlich: '10:20' }, 'Er fährt um neun Uhr.', 'de-DE'],
  ['in Spanish', { hora_prevista: '09:00', hora_real: '10:20' }, 'Sale a las nueve.', 'es-ES'],
  ['in French', { heure_prévue: '09:00', nouvelle_heure: '10:20' }, 'Il part à neuf heures.', 'fr-FR'],
])('the planned one of two is told: %s', (_, body, line, language) => {
  expect(isPlanTold(body, line, language)).toBe(true);
});

test.each([
  ['the expected one is told', LATE, 'It leaves at twenty past ten.'],
  ['both are told', LATE, 'It was due at nine and leaves at 10:20.'],
  ['the planned one names the coach that is late', LATE, 'The nine o’clock is running late, I am afraid.'],
  ['the wait is told', LATE, 'The nine o’clock leaves in eighty minutes.'],
  ['it is asked about', LATE, 'Do you mean the one at nine?'],
  ['they are a few minutes apart', { scheduled: '09:00', expected: '09:06' }, 'It leaves at nine.'],
  ['they are of two coaches', { coaches: [{ scheduled: '09:00' }, { expected: '10:20' }] }, 'It leaves at nine.'],
  ['two are planned', { scheduled: '09:00', planned: '08:45', expected: '10:20' }, 'It leaves at nine.'],
])('nothing is found where %s', (_, body, line) => {
  expect(isPlanTold(body, line)).toBe(false);
});
