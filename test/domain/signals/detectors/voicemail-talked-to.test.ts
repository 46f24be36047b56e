import { expect, test } from 'vitest';
import { analyseCall } from '../../../../src/domain/signals/analyse-call.ts';
import { type Given, type Line, scripted } from '../scripted-call.ts';
import { turnsOf } from './turns-of.ts';

const found = (lines: readonly (string | Line)[], given: Given) => turnsOf('voicemail_talked_to', lines, given);

const PLACED: Given = { direction: 'outbound' };
const LONG =
  'a: Good morning, this is the seed library, I am calling about the three packets of beans that you took home in the spring, and I would like to hear from you whether you could gather any seeds of your own, because others are waiting for them.';

const LONG_IN: Record<string, string> = {
  'de-DE':
    'a: Guten Morgen, hier ist die Saatgutbibliothek, ich rufe wegen der drei Tütchen mit Bohnen an, die Sie im Frühling bei uns mitgenommen haben, und ich wollte gern wissen, ob Sie davon eigene Samen ernten konnten, weil schon andere darauf warten.',
  'fr-FR':
    "a: Bonjour, ici la grainothèque, je vous appelle pour les trois sachets de haricots que vous avez pris chez nous au printemps, et je voudrais savoir si vous avez pu récolter des graines, parce que d'autres personnes les attendent déjà depuis un moment.",
  'es-ES':
    'a: Buenos días, le llamo de la biblioteca de semillas por los tres sobres de judías que se llevó usted en primavera, y quería saber si ha podido recoger semillas de su huerto, porque ya hay otras personas que las están esperando desde hace tiempo.',
};

test.each([
  ['en-US', 'hi this is Wren leave me a message'],
  ['en-US', "hello I can't come to the phone right now"],
  ['en-US', 'we are unable to take your call at present'],
  ['en-US', 'please record your message after the beep'],
  ['de-DE', 'hier ist die Mailbox von Jule Brandt bitte hinterlassen Sie eine Nachricht nach dem Signalton'],
  ['fr-FR', 'bonjour vous êtes bien sur la messagerie de Paul laissez un message après le bip'],
  ['es-ES', 'este es el buzón de voz deje su mensaje después de la señal'],
])('an agent that talks on after the greeting of a machine is found (%s): %s', (language, greeting) => {
  expect(found([`c: ${greeting}`, LONG_IN[language] ?? LONG], { ...PLACED, language })).toEqual([1]);
});

test.each([
  ['en-US', "hi I can't come to the class on Friday can I move it"],
  ['en-US', 'hello can I leave a message for Doctor Brown please'],
  ['en-US', "I'm unable to come to the rehearsal tonight"],
  ['en-US', 'I tried to leave a message yesterday but nobody called'],
  ['en-US', 'the smoke alarm stopped right after the beep'],
  ['de-DE', 'guten Tag ich wollte eine Nachricht hinterlassen'],
  ['fr-FR', 'bonjour je voudrais laisser un message pour le docteur'],
  ['es-ES', 'hola me salió el buzón de voz y por eso llamo otra vez'],
])('a caller who speaks of messages is no machine (%s): %s', (language, said) => {
  expect(found(['a: Hi.', `c: ${said}`, LONG_IN[language] ?? LONG], { direction: 'inbound', language })).toEqual([]);
});

test('a record without a direction counts as inbound, and its machine is known by speaking first', () => {
  expect(found(["c: hi this is Wren I can't get to the phone leave me a message", LONG], {})).toEqual([1]);
});

test.each(['can I leave a message for my wife with you', 'I want you to leave a message with her office'])(
  'nor is somebody who was called and asks for something: %s',
  (said) => {
    expect(found(['a: Is that Mr Wren?', `c: ${said}`, LONG], PLACED)).toEqual([]);
  },
);

test('a caller who cannot come has not been an answering machine in the end either', () => {
  const call = scripted(
    [{ a: 'Glaze Pottery.' }, { c: "hi I can't come to the class on Friday" }, { a: 'I will tell them.' }],
    { direction: 'inbound' },
  );
  expect(analyseCall(call, {}).outcome).not.toBe('no_contact');
});

test('a short message is left on purpose: words stand for time where there are no times', () => {
  const words = (count: number) => `a: ${Array.from({ length: count }, () => 'word').join(' ')}`;
  expect(found(['c: leave me a message', words(37)], PLACED)).toEqual([]);
  expect(found(['c: leave me a message', words(38)], PLACED)).toEqual([1]);
});

test('times decide where there are any', () => {
  const lasting = (seconds: number): Line[] => [
    { c: 'leave me a message', at: [0, 2] },
    { a: 'This is the seed library, please call us back.', at: [3, 3 + seconds] },
  ];
  expect(found(lasting(15), PLACED)).toEqual([]);
  expect(found(lasting(15.1), PLACED)).toEqual([1]);
});

test('a greeting counts at the beginning of a call, in the line of the network too', () => {
  const later = ['a: One.', 'c: yes', 'a: Two.', 'c: yes', 'a: Three.', 'c: yes', 'c: leave me a message', LONG];
  expect(found(later, PLACED)).toEqual([]);
  expect(found([{ o: 'The person you are calling is busy, record your message.' }, LONG], PLACED)).toEqual([1]);
});

test('what the platform knows counts whoever called, and an agent that says nothing talked to nobody', () => {
  const machine: Given = { ending: { hint: 'no_contact', family: 'machine', endedBy: 'agent' } };
  expect(found(['c: hello', LONG], machine)).toEqual([1]);
  expect(found(['c: leave me a message'], PLACED)).toEqual([]);
});
