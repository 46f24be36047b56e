import { isJsonObject, type Json } from '../../src/domain/json.ts';
import { INJECTIONS } from '../support/injections.ts';

type Random = () => number;

const ODD: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  -0.5,
  1e-320,
  1e21,
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  Number.MAX_VALUE,
  253_402_300_800_000,
  '',
  ' ',
  '0',
  'NaN',
  '1e999',
  '-1',
  '2026-13-45T99:99:99Z',
  '0000-00-00',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.001Z',
  'null',
  '{}',
  '[',
  '{"a":{"b":[1,2,3]}}',
  '__proto__',
  'constructor',
  'toString',
  'a\u0000b',
  '\ud800',
  '\u202egnihtemos\u202c',
  '👩‍👩‍👧‍👦'.repeat(20),
  'I said no. '.repeat(400),
  '1 2 3 4 5 6 7 8 9 0 '.repeat(100),
  ...INJECTIONS.slice(0, 4),
  [],
  {},
  [[]],
  [null],
  [{}],
  { length: 3 },
  { toJSON: 'no' },
];

const pick = <Item>(random: Random, items: readonly Item[]): Item | undefined =>
  items[Math.floor(random() * items.length)];

/** Values of one payload: a list that is repeated within others that are would soon hold billions. */
const LARGEST = 50_000;

/** The payload with some of its parts replaced, left out, doubled, moved or wrapped. */
export function spoil(payload: Json, random: Random): Json {
  let spoilt: Json = structuredClone(payload);
  for (let left = 1 + Math.floor(random() ** 2 * 8); left > 0; left -= 1) {
    const next = spoilOnce(spoilt, random);
    if (count(next, LARGEST) > LARGEST) return spoilt;
    spoilt = next;
  }
  return spoilt;
}

/** Counts values until there are more than the most that matters. */
function count(value: Json, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let counted = 1;
  for (const inner of Object.values(value)) {
    if (counted > most) break;
    counted += count(inner, most - counted);
  }
  return counted;
}

function spoilOnce(value: Json, random: Random): Json {
  const isLeaf = typeof value !== 'object' || value === null;
  if (isLeaf || random() < 0.02) return spoilt(value, random);
  return Array.isArray(value) ? inList(value, random) : inObject(value, random);
}

/** Another value in the place of this one. */
function spoilt(value: Json, random: Random): Json {
  const how = random();
  if (how < 0.5) return pick(random, ODD) ?? null;
  if (how < 0.6) return [value];
  if (how < 0.7) return { value };
  if (how < 0.8) return JSON.stringify(value);
  if (typeof value === 'number') return how < 0.9 ? -value : value * 1000;
  return typeof value === 'string' ? cut(value, random) : value;
}

function cut(text: string, random: Random): string {
  const where = Math.floor(random() * text.length);
  return random() < 0.5 ? text.slice(0, where) : text.slice(where) + text.slice(0, where) + text;
}

function inList(list: Json[], random: Random): Json {
  const where = Math.floor(random() * list.length);
  const one = list[where];
  const how = random();
  if (one === undefined) return [pick(random, ODD) ?? null];
  if (how < 0.08) return list.toSpliced(where, 1);
  if (how < 0.16) return list.toSpliced(where, 0, structuredClone(one));
  if (how < 0.22) return [one, ...list.toSpliced(where, 1)];
  if (how < 0.26) return list.toReversed();
  if (how < 0.28) return Array.from({ length: 40 }, () => list.slice(0, 30)).flat();
  return list.with(where, spoilOnce(one, random));
}

function inObject(object: { [name: string]: Json }, random: Random): Json {
  const name = pick(random, Object.keys(object));
  if (name === undefined) return { [String(pick(random, ODD))]: pick(random, ODD) ?? null };
  const { [name]: one = null, ...others } = object;
  const how = random();
  if (how < 0.06) return others;
  if (how < 0.1) return { ...others, [name.toUpperCase()]: one };
  if (how < 0.14) return { ...object, [pick(random, Object.keys(object)) ?? name]: structuredClone(one) };
  if (how < 0.16 && isJsonObject(one)) return { ...object, ...one };
  return { ...object, [name]: spoilOnce(one, random) };
}
