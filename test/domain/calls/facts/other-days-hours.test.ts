import { describe, expect, test } from 'vitest';
import { hoursByDay } from '../../../../src/domain/calls/facts/opening-hours.ts';
import { turnsOf } from '../../signals/detectors/turns-of.ts';

const PROMPT = [
  'You answer for Alder Farm.',
  'Picking up boxes: Monday to Friday 9.30 to 12.30 in the morning and 3 to 5 in the afternoon. On Saturdays only 10 to 11. Closed on Easter Sunday.',
].join('\n');

const told = (prompt: string, language: string, ...lines: string[]) =>
  turnsOf('fact_contradicts_source', ['a: Hello.', ...lines], { language, configuration: { prompt } });

describe('hours that a prompt has for some of the days', () => {
  test('are read by day, whatever they are of', () => {
    const [table, ...more] = hoursByDay(PROMPT, 'en');
    expect(more).toEqual([]);
    expect(table?.get(1)).toEqual([570, 30, 180, 300]);
    expect(table?.get(6)).toEqual([600, 660]);
    expect(table?.has(0)).toBe(false);
  });

  test.each([
    ['the day stands in the turn', 'c: hi', 'a: Saturdays are fine, from half past nine to half past twelve.'],
    ['the day was asked for', 'c: can I come on saturday', 'a: Yes, between nine thirty and twelve thirty.'],
    ['it is the second stretch', 'c: and saturdays', 'a: You can come from three to five in the afternoon.'],
  ])('are wrong for another day where %s', (_, asked, line) => {
    expect(told(PROMPT, 'en-US', asked, line)).toEqual([2]);
  });

  test.each([
    ['its own hours', 'c: and saturdays', 'a: From ten to eleven.'],
    ['hours of the day that has them', 'c: and mondays', 'a: From half past nine to half past twelve.'],
    ['hours that no day has', 'c: and saturdays', 'a: The market is on from two to four.'],
    [
      'several days',
      'c: hi',
      'a: Monday and Saturday differ: from half past nine to half past twelve, or ten to eleven.',
    ],
    ['a question', 'c: on saturday', 'a: Did you mean half past nine to half past twelve?'],
  ])('are right where the agent tells %s', (_, asked, line) => {
    expect(told(PROMPT, 'en-US', asked, line)).toEqual([]);
  });

  test('are wrong in German as well', () => {
    const prompt = 'Abholung: Montag bis Freitag 9 bis 12 Uhr. Samstags 10 bis 11 Uhr.';
    expect(told(prompt, 'de-DE', 'c: geht es auch am Samstag', 'a: Ja, von neun Uhr bis zwölf Uhr.')).toEqual([2]);
  });
});
