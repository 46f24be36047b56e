import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/domain/json.ts';
import { parseJson } from '../../src/domain/parse-json.ts';
import { createOutline } from '../../src/outbound/outline.ts';
import { randomFrom } from '../support/random.ts';

function outlineOf(text: string, cuts: readonly number[] = []): string {
  const outline = createOutline();
  const bytes = Buffer.from(text);
  const places = [0, ...cuts, bytes.length].toSorted((a, b) => a - b);
  for (const [nth, from] of places.entries()) outline.push(bytes.subarray(from, places[nth + 1] ?? bytes.length));
  return outline.text();
}

/** The same, of what is parsed already. */
function kept(value: Json, level = 1): Json {
  if (typeof value === 'string') return value.length > 4_096 ? '' : value;
  if (value === null || typeof value !== 'object') return value;
  if (level > 3) return null;
  if (Array.isArray(value)) return value.map((item) => kept(item, level + 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, kept(item, level + 1)]));
}

const TEXTS = [
  '',
  'plain',
  'say "hello"',
  'back\\slash',
  '\\"',
  'line\nbreak',
  'zażółć 語 🎧',
  '[{}]',
  'x'.repeat(5_000),
];

function anyJson(random: () => number, level = 0): Json {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const kind = level < 6 ? random() : random() / 2;
  if (kind < 0.25) return pick(TEXTS);
  if (kind < 0.5) return pick([0, -1.5e-7, 1e21, true, false, null]);
  const items = Array.from({ length: Math.floor(random() * 4) }, () => anyJson(random, level + 1));
  return kind < 0.75 ? items : Object.fromEntries(items.map((item, at) => [`${pick(TEXTS.slice(0, 8))}${at}`, item]));
}

describe('the outline of an answer', () => {
  test('is its first three levels without long texts, wherever its parts are cut', () => {
    for (let start = 1; start <= 300; start += 1) {
      const random = randomFrom(start);
      const value = anyJson(random);
      const text = JSON.stringify(value, null, random() < 0.5 ? 2 : 0);
      const bytes = Buffer.byteLength(text);
      const cuts = Array.from({ length: 6 }, () => Math.floor(random() * bytes));
      expect(JSON.parse(outlineOf(text, cuts)), `start ${start}`).toEqual(kept(value));
    }
  });

  test('of what was cut, and of what is no JSON, is no JSON', () => {
    const text = JSON.stringify([{ id: 'a', messages: [{ text: 'Hello' }] }]);
    for (let at = 1; at < text.length; at += 1) {
      expect(parseJson(outlineOf(text.slice(0, at))), `cut at ${at}`).toBeUndefined();
    }
    for (const other of ['<html>"</html>', '{"a":}', '[1 2]', 'nothing']) {
      expect(parseJson(outlineOf(other)), `of ${other}`).toBeUndefined();
    }
  });

  test('is small where the answer is large', () => {
    const outline = createOutline();
    const words = Buffer.from(JSON.stringify({ role: 'user', message: 'word '.repeat(200) }));
    outline.push(Buffer.from('[{"id":"a","messages":['));
    for (let nth = 0; nth < 2_000; nth += 1) outline.push(Buffer.concat([Buffer.from(nth === 0 ? '' : ','), words]));
    outline.push(Buffer.from(']}]'));
    expect(outline.bytes()).toBeLessThan(20_000);
    expect(JSON.parse(outline.text())[0]).toMatchObject({ id: 'a' });
  });
});
