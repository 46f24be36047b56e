import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { randomFrom } from '../support/random.ts';
import { EXAMPLES } from './examples.ts';
import { whatIsWrong } from './judge.ts';
import { spoil } from './spoil.ts';

/** What the fuzzer found, one a line. */
const found = readFileSync(new URL('cases.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

describe('what is read from platforms, senders and files', () => {
  test.each(EXAMPLES)('$name is sound before it is spoilt', ({ kind, payload }) => {
    expect(whatIsWrong(kind, payload)).toBeNull();
  });

  test.each(found)(
    '$from of seed $seed, which went wrong once, is read or refused with a reason',
    ({ kind, payload }) => {
      expect(whatIsWrong(kind, payload)).toBeNull();
    },
  );

  test('spoilt in any way, it is a call or a refusal with a reason, and what is quoted was said', () => {
    const random = randomFrom(20);
    for (let round = 0; round < 40; round += 1) {
      for (const { name, kind, payload } of EXAMPLES) {
        const spoilt = spoil(payload, random);
        expect([name, whatIsWrong(kind, spoilt)]).toEqual([name, null]);
      }
    }
  });
});
