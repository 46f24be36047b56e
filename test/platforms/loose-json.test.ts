import { describe, expect, test } from 'vitest';
import { looseJson } from '../../src/platforms/otel/attributes.ts';

describe('what a tool answered, as text', () => {
  test.each<[string, unknown]>([
    [`{'ok': True, 'said': "it's", 'left': None}`, { ok: true, said: "it's", left: null }],
    [String.raw`['it\'s', 'a "word"']`, ["it's", 'a "word"']],
    [`{'True': 'None'}`, { True: 'None' }],
    [`['open, True]`, `['open, True]`],
    [String.raw`['ends with \ `.trim(), String.raw`['ends with \ `.trim()],
  ])('%s', (text, value) => {
    expect(looseJson(text)).toEqual(value);
  });

  test('is read however long it is', () => {
    const words = Array.from({ length: 50_000 }, (_, at) => `word ${at}`);
    expect(looseJson(`[${words.map((word) => `'${word}'`).join(', ')}]`)).toEqual(words);
  });

  test.each([String.raw`\'''`, String.raw`\'`, `"'\\`, "'"])(
    'is left as it is where %j repeats without an end',
    (part) => {
      const text = `[${part.repeat(250_000)}`;
      expect(looseJson(text)).toBe(text);
    },
  );
});
