import { describe, expect, test } from 'vitest';
import type { Mark } from '../../../src/domain/copilot/citation-marks.ts';
import { type Cite, createCitedText } from '../../../src/services/copilot/cited-text.ts';

const CALL = '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e72';
const ISSUE = '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e73';

/** All exists but what is told of. @returns what a reader gets, in its order, and what was looked up. */
function reading({ missing = [] as string[], slow = false } = {}) {
  const told: string[] = [];
  const looked: Mark[] = [];
  const cite: Cite = async (mark) => {
    looked.push(mark);
    if (slow) await new Promise((resolve) => setTimeout(resolve, 5));
    return missing.includes(mark.id) ? null : { ...mark, label: `the ${mark.kind}`, href: `/${mark.kind}s/${mark.id}` };
  };
  const text = createCitedText(cite, {
    text: (words) => void told.push(words),
    event: (kind, data) => void told.push(`${kind} ${JSON.stringify(data)}`),
    end: async () => {},
  });
  return { text, told, looked, said: () => told.filter((part) => !part.startsWith('citation ')).join('') };
}

describe('an answer with marks', () => {
  test('reads with numbers, and each citation is told before its first number', async () => {
    const { text, told, said } = reading();
    text.add(`Two calls[call:${CALL}#3] show it[issue:${ISSUE}].`);
    await text.settle();
    expect(said()).toBe('Two calls[^1] show it[^2].');
    expect(told.findIndex((part) => part.includes('"number":1'))).toBeLessThan(told.indexOf('[^1]'));
    expect(text.citations).toEqual([
      { number: 1, kind: 'call', id: CALL, turn: 3, label: 'the call', href: `/calls/${CALL}` },
      { number: 2, kind: 'issue', id: ISSUE, turn: null, label: 'the issue', href: `/issues/${ISSUE}` },
    ]);
  });

  test('has one number for what it names twice, and looks it up once; another turn is another place', async () => {
    const { text, looked, said } = reading();
    text.add(`[call:${CALL}#3] and [call:${CALL}#3] and [call:${CALL}#4]`);
    await text.settle();
    expect(said()).toBe('[^1] and [^1] and [^2]');
    expect(looked.map(({ turn }) => turn)).toEqual([3, 4]);
  });

  test('loses a mark that names nothing, takes no number for it, and asks for it once', async () => {
    const { text, looked, said } = reading({ missing: [CALL] });
    text.add(`a[call:${CALL}] b[call:${CALL}] c[issue:${ISSUE}]`);
    await text.settle();
    expect(said()).toBe('a b c[^1]');
    expect(looked).toHaveLength(2);
    expect(text.citations).toHaveLength(1);
  });

  test('keeps its order also where looking up takes its time and words come in pieces', async () => {
    const { text, said } = reading({ slow: true });
    for (const piece of ['x [ca', `ll:${CALL}`, '] y ', `[issue:${ISSUE}] z`]) text.add(piece);
    await text.settle();
    expect(said()).toBe('x [^1] y [^2] z');
  });

  test('tells at the end what looked like a mark and was none', async () => {
    const { text, said } = reading();
    text.add('see [the manual');
    await text.settle();
    expect(said()).toBe('see [the manual');
  });
});

test('nothing was said until something is', () => {
  const { text } = reading();
  expect(text.hasText()).toBe(false);
  text.add('a');
  expect(text.hasText()).toBe(true);
});

test('what could not be looked up is told to whoever settles, and nothing after it', async () => {
  const told: string[] = [];
  const broken = createCitedText(() => Promise.reject(new Error('the record is away')), {
    text: (words) => void told.push(words),
    event: () => {},
    end: async () => {},
  });
  broken.add(`a [call:${CALL}] b`);
  await expect(broken.settle()).rejects.toThrow('the record is away');
  expect(told).toEqual(['a ']);
});
