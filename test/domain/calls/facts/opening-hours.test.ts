import { describe, expect, test } from 'vitest';
import { openingHours } from '../../../../src/domain/calls/facts/opening-hours.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** The hours of a prompt as "Mon 9-18", on a clock of twelve hours: 18:00 is 6. */
function hours(prompt: string, language = 'en'): string[] {
  return [...openingHours(prompt, language)]
    .sort((a, b) => a[0] - b[0])
    .map(([day, told]) => {
      const clock = (minutes: number) => (minutes % 60 === 0 ? String(minutes / 60) : (minutes / 60).toFixed(2));
      return `${DAYS[day]} ${told === 'closed' ? 'closed' : told.map(clock).join('-')}`;
    });
}

const WEEKDAYS = (told: string) => ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'].map((day) => `${day} ${told}`);

describe('the hours of the business', () => {
  test.each([
    ['a range of days', 'Open Monday to Friday from 9 am to 6 pm.', WEEKDAYS('9-6')],
    [
      'days in a row',
      'We are open Tuesday, Wednesday and Thursday 10:00 to 16:00.',
      ['Tue 10-4', 'Wed 10-4', 'Thu 10-4'],
    ],
    [
      'a day of its own',
      'Open Monday to Friday 9 am to 6 pm, Saturday 10 am to 2 pm.',
      [...WEEKDAYS('9-6'), 'Sat 10-2'],
    ],
    ['a day that is closed', 'Open Saturday 10 am to 2 pm, closed on Sunday.', ['Sun closed', 'Sat 10-2']],
    ['a break at noon', 'Open Monday 9 am to 12 pm and 2 pm to 6 pm.', ['Mon 9-0-2-6']],
    ['half hours', 'Open Friday 8:30 am to 5:30 pm.', ['Fri 8.50-5.50']],
    ['a range over the end of the week', 'Open Saturday to Monday 9 am to 5 pm.', ['Sun 9-5', 'Mon 9-5', 'Sat 9-5']],
    ['what stands in brackets aside', 'Open Friday 8 am to 5 pm (the pool until 8 pm).', ['Fri 8-5']],
    ['other lines aside', 'Be kind.\nOpen Friday 8 am to 5 pm.\nCall 12 if in doubt.', ['Fri 8-5']],
  ])('are read with %s', (_, prompt, expected) => {
    expect(hours(prompt)).toEqual(expected);
  });

  test.each([
    ['de', 'Geöffnet Montag bis Freitag von 9 bis 18 Uhr, Samstag geschlossen.', [...WEEKDAYS('9-6'), 'Sat closed']],
    ['fr', 'Ouvert du lundi au vendredi de 9h à 18h, fermé le dimanche.', ['Sun closed', ...WEEKDAYS('9-6')]],
    ['es', 'Abierto de lunes a viernes de 9:00 a 18:00, domingo cerrado.', ['Sun closed', ...WEEKDAYS('9-6')]],
  ])('are read in other languages: (%s) %s', (language, prompt, expected) => {
    expect(hours(prompt, language)).toEqual(expected);
  });

  test.each([
    ['a prompt without them', 'You answer the phone for a bakery.'],
    ['nothing', ''],
    ['two houses', 'Open Monday 9 am to 6 pm.\nOpen Tuesday 10 am to 4 pm.'],
    ['something with a name of its own', 'The Riverside branch is open Monday 9 am to 6 pm.'],
    ['days alone', 'Open Monday to Friday.'],
    ['one end alone', 'Open Monday from 9 am.'],
    ['hours alone', 'Open 9 am to 6 pm.'],
  ])('are not made up from %s', (_, prompt) => {
    expect(hours(prompt)).toEqual([]);
  });

  test('of a day that is given twice are not known', () => {
    expect(hours('Open Monday to Friday 9 am to 6 pm, Friday 9 am to 2 pm.')).toEqual(WEEKDAYS('9-6').slice(0, 4));
  });
});
