import { expect, test } from 'vitest';
import { type AskedKind, askedKind, readAnswer } from '../../../src/domain/signals/asked-values.ts';
import { readCall } from '../../../src/domain/signals/reading.ts';
import { scripted } from './scripted-call.ts';

test.each<[string, AskedKind | null]>([
  ['What is your postcode?', 'postcode'],
  ['Could I have your full name?', 'full_name'],
  ["What's your email address?", 'email'],
  ['And your phone number?', 'phone'],
  ['Could I have your full name and your phone number?', null],
  ['What colour is the boat?', null],
  ['…', null],
])('"%s" asks for %s', (text, kind) => {
  const [agent] = readCall(scripted([{ a: text }, { c: 'hm' }])).agent;
  expect(agent === undefined ? null : askedKind(agent)).toBe(kind);
});

test.each<[AskedKind, string, string]>([
  ['postcode', 'LS6 3HN', 'ls63hn'],
  ['postcode', "it's L S six three H N", 'ls63hn'],
  ['postcode', 'Lima Sierra 6 3 hotel november', 'ls63hn'],
  ['postcode', 'yes the postcode is K1A 0B1', 'k1a0b1'],
  ['postcode', '8004', '8004'],
  ['postcode', 'nine oh two one oh', '90210'],
  ['postcode', '1017 AB', '1017ab'],
  ['postcode', '12345-6789', '123456789'],
  ['phone', 'oh one six one, four nine six, double oh two one', '0161496'],
  ['phone', '+49 30 901820', '4930901820'],
  ['phone', "it's 0161 496 0021", '01614960021'],
])('%s: "%s" has the shape, and is %s', (kind, text, value) => {
  const answer = readAnswer(kind, text);
  expect(answer.fits).toBe(true);
  expect(answer.value).toContain(value);
});

test.each<[AskedKind, string]>([
  ['full_name', 'Ida Lund'],
  ['full_name', "yes it's Ida Lund"],
  ['full_name', 'my name is Ida Lund, and I am on boat 12'],
  ['full_name', 'José Ángel Muñoz'],
  ['email', 'ida@loom.org'],
  ['email', 'ida at loom dot org'],
  ['email', 'ida arroba telar punto es'],
  ['email', 'ida at webstuhl punkt de'],
  ['email', 'ida arobase metier point fr'],
])('%s: "%s" has the shape', (kind, text) => {
  expect(readAnswer(kind, text).fits).toBe(true);
});

test.each<[AskedKind, string]>([
  ['postcode', ''],
  ['postcode', '?!'],
  ['postcode', 'the boat house by the lake'],
  ['postcode', 'L S six three'],
  ['postcode', '12'],
  ['full_name', 'Ida'],
  ['full_name', ''],
  ['full_name', 'I D A'],
  ['full_name', 'india delta alpha'],
  ['full_name', 'boat 12 by the pier'],
  ['full_name', 'yes of course'],
  ['email', 'ida loom org'],
  ['email', 'at the loom'],
  ['phone', '496 002'],
  ['phone', 'I have none'],
])('%s: "%s" has not', (kind, text) => {
  expect(readAnswer(kind, text).fits).toBe(false);
});

test.each<[AskedKind, string, string]>([
  ['postcode', 'LS6 3HN', "it's ls6 3hn"],
  ['full_name', 'Ida Lund', "yes, it's Ida Lund"],
  ['email', 'ida@loom.org', 'Ida@Loom.org.'],
  ['phone', '0161 496 0021', 'oh one six one four nine six oh oh two one'],
])('%s: "%s" and "%s" are the same answer', (kind, one, two) => {
  expect(readAnswer(kind, one).value).toBe(readAnswer(kind, two).value);
});
