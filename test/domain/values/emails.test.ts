import { expect, test } from 'vitest';
import { readEmail } from '../../../src/domain/values/emails.ts';
import { cutTokens } from '../../../src/domain/values/tokens.ts';

const addressIn = (text: string, at = 0) => readEmail(cutTokens(text), at)?.form ?? null;

test.each([
  ['anna.berg@mail.com', 'anna.berg@mail.com'],
  ['Anna.Berg@Mail.com', 'anna.berg@mail.com'],
  ['orders at quayside hyphen rigging dot co dot uk', 'orders@quayside-rigging.co.uk'],
  ['h underscore lund at fjord dot no', 'h_lund@fjord.no'],
  ['r dash two at pottery dot studio', 'r-two@pottery.studio'],
  ['anna+clay@mail.com', 'anna+clay@mail.com'],
  ['anna plus clay at mail dot com', 'anna+clay@mail.com'],
  ['kiln42@glazes.example', 'kiln42@glazes.example'],
  ['max.moritz@ofen-bau.de.', 'max.moritz@ofen-bau.de'],
  ['lea@velo.ch, please', 'lea@velo.ch'],
  ['lea@velo.ch. And the bill?', 'lea@velo.ch'],
])('"%s" is the address %s', (said, address) => {
  expect(addressIn(said)).toBe(address);
});

test.each([
  ['nothing', ''],
  ['only signs', '@ . - _'],
  ['a time and a place', 'we meet at the dot'],
  ['no name before the sign', 'at mail dot com'],
  ['no host behind it', 'anna at'],
  ['a host without an ending', 'anna at home'],
  ['an ending of one letter', 'anna at home dot c'],
  ['two signs', 'anna at berg dot com at mail dot com'],
  ['an empty part of the host', 'anna@mail..com'],
  ['an empty part of the name', 'anna dot dot berg at mail dot com'],
  ['an ending in figures', 'room@12.30'],
  ['words beside each other without a sign', 'anna berg mail com'],
])('%s is no address: "%s"', (_, said) => {
  expect(addressIn(said)).toBeNull();
});

test('what stands behind an address is left to other readers', () => {
  const tokens = cutTokens('ida at loom dot org on Friday');
  expect(readEmail(tokens, 0)).toEqual({ next: 5, form: 'ida@loom.org' });
});

test('a row of dots and words without an end is read no further than an address may be', () => {
  expect(addressIn(`a${' dot a'.repeat(5000)} at b dot com`)).toBeNull();
});
