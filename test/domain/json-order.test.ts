import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/domain/json.ts';
import { canonicalText, inStoredOrder, namesOf } from '../../src/domain/json-order.ts';

const object = (...names: string[]): JsonObject => Object.fromEntries(names.map((name) => [name, 1]));

/** Every object's keys turned round. */
function turned(value: Json): Json {
  if (Array.isArray(value)) return value.map(turned);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, turned(inner)]),
  );
}

describe('the order in which storage keeps the keys of an object', () => {
  test.each<[rule: string, names: string[], order: string[]]>([
    ['shorter names come first', ['ccc', 'a', 'bb'], ['a', 'bb', 'ccc']],
    ['names of one length by their letters', ['b', 'c', 'a'], ['a', 'b', 'c']],
    ['capitals before small letters', ['b', 'B', 'a'], ['B', 'a', 'b']],
    [
      'length is that of bytes in UTF-8: an umlaut has two, a CJK sign three, an emoji four',
      ['😀', 'dddd', '語', 'ü', 'zz', 'z'],
      ['z', 'zz', 'ü', '語', 'dddd', '😀'],
    ],
    // In UTF-16 the emoji would come first, as surrogates are below U+FFxx; in UTF-8 it comes last.
    ['of one length, by code points', ['😀x', 'ｚyz'.slice(0, 3)], ['ｚyz', '😀x']],
    ['digits are names as others are', ['b', '10', '2'], ['2', 'b', '10']],
    ['the empty name first', ['a', ''], ['', 'a']],
  ])('%s', (_, names, order) => {
    expect(namesOf(object(...names))).toEqual(order);
    expect(namesOf(object(...names.toReversed()))).toEqual(order);
  });

  test('is that of every object inside, and lists keep theirs', () => {
    const value = { list: [{ bb: 1, a: 2 }, 'z', 'a'], a: { dd: null, c: 1 } };
    expect(JSON.stringify(inStoredOrder(value))).toBe('{"a":{"c":1,"dd":null},"list":[{"a":2,"bb":1},"z","a"]}');
  });

  test('what is in order already is the very same value, so that nothing is copied', () => {
    const value = { a: [{ b: 1, cc: [1, 2] }], bb: null };
    expect(inStoredOrder(value)).toBe(value);
  });

  test.each<Json>([null, 0, '', 'text', true, [], {}])('%j has none', (value) => {
    expect(inStoredOrder(value)).toBe(value);
  });
});

/**
 * V8 13.6 (Node 24) parses a name that is nothing but a quotation mark as a backslash where an object before it had one in
 * that place, which says nothing of ours.
 */
const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"\\"":'));

describe('the text of a value', () => {
  test('is the same whatever order its keys stand in, and tells values apart', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const value = one as Json;
        expect(canonicalText(turned(value))).toBe(canonicalText(value));
        expect(JSON.parse(canonicalText(value))).toEqual(JSON.parse(JSON.stringify(value)));
        const same = canonicalText(one) === canonicalText(other);
        expect(same).toBe(
          JSON.stringify(turned(inStoredOrder(value))) === JSON.stringify(turned(inStoredOrder(other as Json))),
        );
      }),
    );
  });

  test('leaves out what JSON leaves out', () => {
    expect(canonicalText({ b: undefined, a: [undefined], c: new Date(0) })).toBe(
      '{"a":[null],"c":"1970-01-01T00:00:00.000Z"}',
    );
  });
});
