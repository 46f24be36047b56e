import { describe, expect, test } from 'vitest';
import { areNearCodes, asOneKind, isSaidIn, type Nearness } from '../../../src/domain/acts/replaceable.ts';
import type { SpokenTurn } from '../../../src/domain/acts/spoken-turn.ts';
import type { ActValue } from '../../../src/domain/values/value.ts';
import { talk } from './talk.ts';

function only(text: string): { turn: SpokenTurn; value: ActValue } {
  const [turn] = talk(`c: ${text}`).spoken;
  const [value, ...more] = turn?.values ?? [];
  if (turn === undefined || value === undefined || more.length > 0) throw new Error(`"${text}" is not one value.`);
  return { turn, value };
}

/** How the value of one sentence may replace that of another: their slot and forms, `same` or null. */
function alike(old: string, now: string, nearness: Nearness = 'one turn'): string | null {
  const [before, after] = [only(old), only(now)];
  const found = asOneKind(before.turn, before.value, after.turn, after.value, nearness);
  if (found === null || found === 'same') return found;
  expect(found.old.slot).toBe(found.now.slot);
  return `${found.now.slot} ${found.old.forms.join('/')} -> ${found.now.forms.join('/')}`;
}

describe('two values in one turn', () => {
  test.each([
    ['two days', 'on Friday', 'on Sunday', 'date weekday-5 -> weekday-0'],
    ['one day twice', 'on Friday', 'Friday please', 'same'],
    ['two sizes of one thing', 'a small coffee', 'a large coffee', 'size small -> large'],
    ['two sizes of things that nobody names', 'a small', 'a large', 'size small -> large'],
    ['a size whose thing nobody names again', 'a small coffee', 'a large', 'size small -> large'],
    ['two sizes of two things', 'a small coffee', 'a large tea', null],
    ['a size of one and of several', 'a small coffee', 'large coffees', 'size small -> large'],
    ['two sizes of one plate and of several', 'a small plate', 'large plates', 'size small -> large'],
    ['two sizes of one box and of several', 'a small box', 'large boxes', 'size small -> large'],
    ['a day and a size', 'on Friday', 'a large', null],
    ['two amounts of money', 'forty dollars', 'fifty dollars', null],
    ['two codes', '7 3 5 8 2', '4 4 9 1 6', 'code 73582 -> 44916'],
  ])('%s: "%s", "%s"', (_, old, now, expected) => {
    expect(alike(old, now)).toBe(expected);
  });

  test.each([
    ['two counts of one thing', 'two bags', 'three bags', 'count:bags 2 -> 3'],
    ['a count and a number', 'two bags', 'three', 'count:bags 2 -> 3'],
    ['a number and a count', 'two', 'three bags', 'count:bags 2 -> 3'],
    ['two numbers', 'two', 'three', 'count 2 -> 3'],
    ['one number twice', 'two', 'two bags', 'same'],
    ['two counts of two things', 'two bags', 'three boxes', null],
    ['a count and an amount of money', 'forty dollars', 'fifty', null],
    ['a count and a day', 'on Friday', 'three', null],
  ])('%s: "%s", "%s"', (_, old, now, expected) => {
    expect(alike(old, now)).toBe(expected);
  });

  test.each([
    ['a time and an hour', 'half past two', 'four', 'time 0150/0870 -> 0240/0960'],
    ['an hour and a time', 'four', 'half past two', 'time 0240/0960 -> 0150/0870'],
    ['the same hour', "two o'clock", 'two', 'same'],
    ['a time and no hour', 'half past two', 'thirty', null],
    ['a time and a number of things', 'half past two', 'four dogs', null],
  ])('%s: "%s", "%s"', (_, old, now, expected) => {
    expect(alike(old, now)).toBe(expected);
  });
});

describe('two values of two turns', () => {
  test.each<[string, string, Nearness, string | null]>([
    ['two', 'three', 'earlier', null],
    ['two', 'three', 'earlier, clearly', 'count 2 -> 3'],
    ['two bags', 'three bags', 'earlier', 'count:bags 2 -> 3'],
    ['two bags', 'three', 'earlier', null],
    ['two bags', 'three', 'earlier, clearly', 'count:bags 2 -> 3'],
    ['two', 'three bags', 'earlier, clearly', null],
    ['half past two', 'four', 'earlier', null],
    ['half past two', 'four', 'earlier, clearly', 'time 0150/0870 -> 0240/0960'],
    ['7 3 5 8 2', '4 4 9 1 6', 'earlier', null],
    ['7 3 5 8 2', '7 3 5 9 2', 'earlier', 'code 73582 -> 73592'],
    ['on Friday', 'on Sunday', 'earlier', 'date weekday-5 -> weekday-0'],
  ])('"%s", "%s", said %s: %s', (old, now, nearness, expected) => {
    expect(alike(old, now, nearness)).toBe(expected);
  });
});

describe('a value is said in a turn', () => {
  const isSaid = (said: string, wanted: string) => {
    const { turn, value } = only(said);
    return isSaidIn(turn, value, only(wanted).value);
  };

  test.each([
    ['as it is', 'on Friday', 'Friday please', true],
    ['as another one', 'on Sunday', 'Friday please', false],
    ['as what it is not', 'not Friday', 'Friday please', false],
    ['as a number alone', 'three', 'three bags', true],
    ['with the thing that it counts', 'three bags', 'three', true],
    ['with the thing that it counts, wherever the caller had said it', 'three bags', 'well it was three', true],
    ['as another number', 'four', 'three bags', false],
    ['as an hour', 'three', "three o'clock", true],
    ['as a number of another thing', 'three boxes', 'three bags', false],
    ['as an hour of the clock', "three o'clock", 'three', true],
    ['as an amount', 'three dollars', 'three', true],
    ['as another amount', 'four dollars', 'three', false],
  ])('%s: "%s", "%s"', (_, said, wanted, expected) => {
    expect(isSaid(said, wanted)).toBe(expected);
  });
});

describe('codes that may be one', () => {
  const code = (form: string): ActValue => ({ ...only('7 3 5 8 2').value, forms: ['x', form] });

  test.each([
    ['735', '736', true],
    ['735', '746', false],
    ['735821', '745831', true],
    ['735821', '746831', false],
    ['735821904', '746831904', true],
    ['735821904', '746832904', false],
    ['735', '7358', false],
    ['7', '8', true],
  ])('%s, %s: %s', (old, now, near) => {
    expect(areNearCodes(code(old), code(now))).toBe(near);
  });
});
