import { describe, expect, test } from 'vitest';
import { openingHours } from '../../../../src/domain/calls/facts/opening-hours.ts';
import { analyseCall } from '../../../../src/domain/signals/analyse-call.ts';
import { asLine } from '../../acts/talk.ts';
import { scripted } from '../scripted-call.ts';

const PROMPT = [
  'You answer the phone of the Glasshouse Garden Centre.',
  '- Open Monday to Friday from 8:30 a.m. to 6 p.m., Saturday from ten to four. Closed on Sundays. The cafe shuts at 3.',
  '- The saw bench opens at noon on Tuesdays.',
].join('\n');

function contradicted(...lines: string[]): number[] {
  const { signals } = analyseCall(scripted(lines.map(asLine), { configuration: { prompt: PROMPT } }), {});
  return signals.filter(({ code }) => code === 'fact_contradicts_source').map(({ turnIndex }) => turnIndex);
}

describe('opening hours of a prompt', () => {
  const hours = (prompt: string, language: string) => Object.fromEntries(openingHours(prompt, language));
  const day = [540, 300];

  test.each([
    [
      'en',
      PROMPT,
      { 0: 'closed', 1: [510, 360], 2: [510, 360], 3: [510, 360], 4: [510, 360], 5: [510, 360], 6: [600, 240] },
    ],
    [
      'en',
      'Opening: weekdays 9 a.m. to 5 p.m., weekends 8 a.m. to 8 p.m.',
      { 0: [480, 480], 1: day, 2: day, 3: day, 4: day, 5: day, 6: [480, 480] },
    ],
    ['en', 'Open for every constructor Tuesday 9 to 5.', { 2: day }],
    ['de', 'Geöffnet Dienstag und Donnerstag 9 bis 17 Uhr. Montag geschlossen.', { 1: 'closed', 2: day, 4: day }],
    ['fr', 'Ouvert du mardi au jeudi de 9 h à 17 h, fermé le dimanche.', { 0: 'closed', 2: day, 3: day, 4: day }],
    ['es', 'Abierto de lunes a miércoles de 9 a 17.', { 1: day, 2: day, 3: day }],
  ])('are read, in %s', (language, prompt, days) => {
    expect(hours(prompt, language)).toEqual(days);
  });

  test.each([
    ['of two houses', 'Open Monday 9 to 5.\nOpen Monday 10 to 6.'],
    ['of a branch', 'Branches are open Monday 9 to 5.'],
    ['of another thing', 'The office in the old town is open Monday 9 to 5.'],
    ['that are none', 'You answer the phone.'],
  ])('are none %s', (_, prompt) => {
    expect(hours(prompt, 'en')).toEqual({});
  });
});

describe('an agent tells opening hours', () => {
  test.each([
    ['a later end', ['c: how late can I come on a friday', 'a: On Fridays we are open until eight.']],
    [
      'an earlier beginning',
      ['c: are you open tomorrow thursday', 'a: Yes, we open at seven on Thursdays, so come early.'],
    ],
    ['a day on which it is closed', ['c: are you open on sunday', 'a: Yes, on Sundays we are open from ten to four.']],
    ['closed on a day on which it is open', ['c: I would come saturday', "a: I'm afraid we're closed on Saturdays."]],
    ['for the day that the caller named', ['c: when do you close saturdays', 'a: We close at six.']],
    [
      'with a question behind it',
      ['c: have you time saturday', "a: On Saturday we're here from ten until six. What is it about?"],
    ],
  ])('against its prompt: %s', (_, lines) => {
    expect(contradicted(...lines)).toEqual([1]);
  });

  test.each([
    ['right', ['c: how late can I come on a friday', 'a: On Fridays we are open until six.']],
    [
      'right on the other clock',
      ['c: when do you shut on friday', 'a: We close at eighteen hundred hours on Fridays.'],
    ],
    [
      'of other days than the one that is closed',
      [
        'c: are you open sundays',
        "a: No, we're closed on Sundays. Monday to Friday we open from half past eight to six.",
      ],
    ],
    ['of the cafe', ['c: is the cafe open on friday', 'a: On Fridays the cafe is open until three.']],
    ['of the saw bench', ['c: when can you cut wood on tuesday', 'a: On Tuesdays the saw bench opens at noon.']],
    ['of one date', ['c: are you open on the 24th', 'a: On Thursday the 24th we close at two.']],
    ['for a holiday', ['c: are you open monday', "a: This Monday we're closed for the bank holiday."]],
    ['when asking', ['c: I come on friday', 'a: Can you come until eight on Friday?']],
    ['of a visit', ['c: I want to come on saturday', 'a: I have you down on Saturday from five to six.']],
  ])('rightly or of something else: %s', (_, lines) => {
    expect(contradicted(...lines)).toEqual([]);
  });
});
