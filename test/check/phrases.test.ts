import { expect, test } from 'vitest';
import { oddPhrases } from './phrases.ts';

test('a phrase that reads as translated is named with its place and what to write', () => {
  expect(oddPhrases('docs/a.md', 'Fine.\nSend records, one a line.')).toEqual([
    'docs/a.md:2: "one a line" → "one per line"',
  ]);
});

test('ordinary sentences pass', () => {
  expect(oddPhrases('docs/a.md', 'Send one record per line. It recommends a fix. 21 calls, 1 call.')).toEqual([]);
});
