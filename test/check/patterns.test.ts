import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { growthOf } from './patterns/growth.ts';
import { inFile, patternsInSource } from './patterns/in-source.ts';
import { openKept } from './patterns/kept.ts';
import { patternFindings } from './patterns.ts';

/** Read with the eyes: how long the engine takes on the worst text that does not match. */
const LINEAR = [
  /a+b/y,
  /^\s+x/,
  /(?<!\s)\s+$/,
  /\d+(?:\.\d+)?/g,
  /\b\w+@/,
  /\bmust\b[^.]{0,80}\bask\b/,
  /^(.+?)\s(?:if|when)\b(.{3,160})$/is,
  /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)/g,
  /^(?:a|b)+c/,
  /(?:\r\n|\n)+/,
  /^(?!.*password).*name/,
  /'([^'\\]*(?:\\[\s\S]?[^'\\]*)*)('|$)/g,
  /[\p{L}\p{N}]{1,200}[.:]/u,
];
const POLYNOMIAL = [
  /\s+$/,
  /a+b/,
  /^(.+?)\s+(?:if|when)\b/is,
  /\bmust\b.*\bask\b/,
  /\S+@\S+/,
  /\([^)]*\)/g,
  /^\s*\w*\s*=\s*(.*?)\s*$/,
  /^-+|-+$/,
  /a(?:.*b)?/g,
  /x(?=.*y)/,
  /[\ud800-\udbff]+$/,
  /\p{L}+\d/iu,
];
const EXPONENTIAL = [
  /^(a+)+$/,
  /^(?:a|a)+b/,
  /^(?:\((?:[a-z]+ ?){1,3}\))+$/,
  /^(?:\w+\s?)*!/,
  /^(a|ab|b)*c/i,
  /^(?:(?:x+)y?)*z/,
];

describe('how the time of a regular expression grows', () => {
  test.each(LINEAR)('%s with the text', (pattern) => {
    expect(growthOf(pattern.source, pattern.flags)).toEqual({ kind: 'linear' });
  });

  test.each(POLYNOMIAL)('%s with a power of the text, which does not match', (pattern) => {
    const growth = growthOf(pattern.source, pattern.flags);
    expect(growth).toMatchObject({ kind: 'polynomial' });
    expect('pump' in growth && growth.pump).not.toBe('');
  });

  test.each(EXPONENTIAL)('%s doubles, and its text does not match', (pattern) => {
    const growth = growthOf(pattern.source, pattern.flags);
    expect(growth).toMatchObject({ kind: 'exponential' });
    if (!('pump' in growth)) return;
    expect(pattern.test(growth.prefix + growth.pump.repeat(3) + growth.suffix)).toBe(false);
  });

  test('what it can not read it does not call linear', () => {
    expect(growthOf('(?<=a+)b', '')).toMatchObject({ kind: 'undecided' });
  });
});

test('a finding names the place, the expression and the text', () => {
  const found = patternFindings([
    { source: '\\s+$', flags: '', at: 'src/a.ts:3' },
    { source: '^\\s+', flags: '', at: 'src/a.ts:4' },
  ]);
  expect(found).toEqual([expect.stringMatching(/^src\/a\.ts:3: \/\\s\+\$\/\n {2}The time .* many times/)]);
});

test('expressions are found where they are written, and divisions, paths and tags are none', () => {
  const text =
    'const a = 4 / 2 / 1;\nexport const cut = (t: string) =>\n  t.split(/,\\s/u);\nimport "./x/y.ts"; // a /b/ c\n';
  expect(inFile('src/a.ts', text)).toEqual({ patterns: [{ source: ',\\s', flags: 'u', at: 'src/a.ts:3' }], calls: [] });
  expect(inFile('web/a.tsx', 'export const A = () => <b>{/x+/.test("") ? 1 / 2 : null}</b>;').patterns).toHaveLength(1);
});

test('what a module makes of lists as it loads is known, and what it makes later is refused', () => {
  const project = mkdtempSync(join(tmpdir(), 'earshot-patterns-'));
  mkdirSync(join(project, 'src'));
  mkdirSync(join(project, 'test/check/patterns'), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'package-lock.json'), '{}');
  const lines = [
    "const WORDS = ['red', 'blue'];",
    "const oneOf = (words: string[]) => new RegExp(`(?:${words.join('|')})+$`, 'i');",
    'export const COLOR = oneOf(WORDS);',
    'export const named = (word: string) => new RegExp(word);',
  ];
  writeFileSync(join(project, 'src/a.ts'), lines.join('\n'));
  const expected = {
    patterns: [{ source: '(?:red|blue)+$', flags: 'i', at: 'src/a.ts:2' }],
    unknown: ['src/a.ts:4'],
  };
  const kept = openKept(project);
  expect(patternsInSource(project, kept)).toEqual(expected);
  kept.save();
  expect(patternsInSource(project, openKept(project))).toEqual(expected);
});
