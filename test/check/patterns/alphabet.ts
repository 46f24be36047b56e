/** A set of symbols, one bit each. */
export type Symbols = bigint;

/**
 * The characters that a pattern can tell apart, as few symbols: two characters that every class of it takes or refuses
 * alike are one. What a class takes is asked of the engine itself, of characters that stand for all others.
 */
export interface Alphabet {
  /** One character of each symbol. */
  examples: readonly string[];
  all: Symbols;
  /** What a class, a set or a character of the pattern takes, as it is written there. */
  taken(raw: string): Symbols;
  word: Symbols;
  lineEnd: Symbols;
}

/** Without those that say where to look, and not for what. */
const ofClasses = (flags: string): string => flags.replaceAll(/[dgmy]/g, '');

/** @param raws of every class, set and character of the pattern */
export function alphabetOf(raws: readonly string[], source: string, flags: string): Alphabet {
  const written = new Set<string>();
  for (const character of source) {
    const code = character.codePointAt(0) ?? 0;
    for (const near of [code - 1, code, code + 1])
      if (near >= 0 && near <= 0x10ffff) written.add(String.fromCodePoint(near));
  }
  const asked = [...new Set([String.raw`\w`, String.raw`[\n\r\u2028\u2029]`, ...raws])];
  const more = [...written].filter((one) => !STANDING_IN.has(one) && (one.length === 1 || /[uv]/.test(flags)));
  const characters = [...STANDING_IN, ...more];
  const takes = asked.map((raw) => {
    const usual = takenOfUsual(raw, ofClasses(flags));
    const test = matcher(raw, ofClasses(flags));
    return [...usual, ...more.map((one) => test.test(one))];
  });
  const symbolOf = new Map<string, number>();
  const examples: string[] = [];
  const sets = asked.map(() => 0n);
  for (const [at, character] of characters.entries()) {
    const row = takes.map((one) => (one[at] ? '1' : '0')).join('');
    if (symbolOf.has(row)) continue;
    const bit = 1n << BigInt(examples.length);
    symbolOf.set(row, examples.length);
    examples.push(character);
    for (const index of sets.keys()) if (row[index] === '1') sets[index] = (sets[index] ?? 0n) | bit;
  }
  const bySource = new Map(asked.map((raw, index) => [raw, sets[index] ?? 0n]));
  const [word = 0n, lineEnd = 0n] = sets;
  return {
    examples,
    all: (1n << BigInt(examples.length)) - 1n,
    taken: (raw) => bySource.get(raw) ?? 0n,
    word,
    lineEnd,
  };
}

const matcher = (raw: string, flags: string) => new RegExp(`^(?:${raw})$`, flags);

const known = new Map<string, boolean[]>();

function takenOfUsual(raw: string, flags: string): boolean[] {
  const key = `${flags}/${raw}`;
  let found = known.get(key);
  if (!found) {
    const test = matcher(raw, flags);
    found = [...STANDING_IN].map((one) => test.test(one));
    known.set(key, found);
  }
  return found;
}

/** Letters of a few alphabets, what case folding does oddly, signs, spaces, digits and halves of pairs. */
const STANDING_IN: ReadonlySet<string> = new Set([
  ...Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code)),
  ...Array.from({ length: 0x70 }, (_, at) => String.fromCharCode(0x2000 + at)),
  ...'ſKẞΑαЖжאاあ漢한٣²Ⅷ€™→\u0301\u3000\ufeff\ue000\u0378',
  '\ud800',
  '\udbff',
  '\udc00',
  '\udfff',
]);
