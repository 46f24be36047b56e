import { expect, test } from 'vitest';
import { readTurns } from '../../../../src/domain/calls/read-turns.ts';
import { type Line, scripted } from '../../signals/scripted-call.ts';

function read(lines: readonly Line[], language: string | null) {
  const input = scripted([...lines]);
  return readTurns({ ...input, call: { ...input.call, language } });
}

const GERMAN: Line[] = [
  { a: 'Guten Tag, hier ist der Fahrradladen, was kann ich für Sie tun?' },
  { c: 'ja hallo ich habe mein Rad bei Ihnen und wollte wissen ob es fertig ist' },
];
const SPANISH: Line[] = [
  { a: 'Hola, lavandería Sol, dígame.' },
  { c: 'hola quería saber si ya está listo mi traje porque lo necesito para el sábado' },
];
const FRENCH: Line[] = [
  { a: 'Bonjour, garage du Lac, je vous écoute.' },
  { c: "bonjour je voudrais savoir si ma voiture est prête parce que j'en ai besoin ce soir" },
];

test.each([
  ['de', GERMAN],
  ['es', SPANISH],
  ['fr', FRENCH],
])('a talk in "%s" is known by its words where the platform says nothing', (language, lines) => {
  expect(read(lines, null).language).toBe(language);
});

test.each([
  ['de', GERMAN],
  ['es', SPANISH],
  ['fr', FRENCH],
])('a talk in "%s" is known by its words where the platform says English', (language, lines) => {
  expect(read(lines, 'en-US').language).toBe(language);
});

test('of two languages each turn is read in its own', () => {
  const call = read(
    [
      { a: 'Good morning, how can I help you with your booking today?' },
      { c: 'hello do you speak Spanish because my English is not so good' },
      { a: 'Claro que sí, ¿para cuándo quiere la cita?' },
      { c: 'muy bien pues quería una cita para el cuatro de noviembre a las siete y media' },
      { a: 'Perfecto, el cuatro de noviembre a las siete y media. ¿Me dice su nombre?' },
    ],
    'en',
  );
  expect(call.spoken[3]?.values.map(({ slot, forms }) => `${slot} ${forms[0]}`)).toEqual(['date 11-04', 'time 0450']);
  expect(call.spoken[1]?.acts.map(({ kind }) => kind)).not.toEqual([]);
});

test('in a language that nobody knows here, words are not computable and the reason says so', () => {
  const call = read(
    [
      { a: 'Dzień dobry, przychodnia, w czym mogę pomóc?' },
      { c: 'chciałbym umówić wizytę na przyszły tydzień najlepiej rano jeśli można poproszę' },
      { a: 'Oczywiście, proszę podać swoje nazwisko oraz numer telefonu komórkowego.' },
    ],
    null,
  );
  expect(call.language).toBeNull();
  expect(call.phrasesMissing).toMatch(/language is not known/);
});

test('a few English words without small ones stay English', () => {
  expect(read([{ a: 'Hello?' }, { c: 'Pizza.' }], null).phrasesMissing).toBeNull();
});
