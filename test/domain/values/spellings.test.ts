import { expect, test } from 'vitest';
import { readSpelling } from '../../../src/domain/values/spellings.ts';
import { cutTokens } from '../../../src/domain/values/tokens.ts';

const lettersIn = (text: string) => readSpelling(cutTokens(text), 0)?.letters ?? null;

test.each([
  ['B R A N D', 'BRAND'],
  ['O-Y-E-L-A', 'OYELA'],
  ['q, u, i, n', 'QUIN'],
  ['S. A. X.', 'SAX'],
  ['S T U double B S', 'STUBBS'],
  ['double L O Y D', 'LLOYD'],
  ['double U S', 'UUS'],
])('"%s" spells %s', (said, letters) => {
  expect(lettersIn(said)).toBe(letters);
});

test.each([
  ['nothing', ''],
  ['only signs', '- , .'],
  ['two letters, which are initials', 'J K'],
  ['words', 'so we begin'],
  ['a doubled word', 'double room please'],
  ['one doubled letter', 'double B'],
])('%s is no spelling: "%s"', (_, said) => {
  expect(lettersIn(said)).toBeNull();
});

test.each([
  ['B R A N D two', 5],
  ['B R A N D-', 5],
  ['B R A N D, please', 5],
  ['B R A double room', 3],
])('"%s" ends behind its last letter', (said, next) => {
  expect(readSpelling(cutTokens(said), 0)?.next).toBe(next);
});

test('letters without an end are read no further than a name is long', () => {
  expect(lettersIn('a '.repeat(10_000))?.length).toBeLessThan(50);
});
