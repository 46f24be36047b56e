import { expect, test } from 'vitest';
import { checkBriefAnswer } from '../../../src/domain/versions/brief-answer.ts';

const LINES = [
  { line: 1, text: 'You are Ida of the bakery.' },
  { line: 2, text: 'Never promise a delivery on Sundays.' },
];
const rule = (line: number, text: string) => ({ line, text, polarity: 'must_not' as const });
const check = (answer: Partial<Parameters<typeof checkBriefAnswer>[1]>) =>
  checkBriefAnswer(LINES, { reply: ' Done. ', changes: {}, sources: [], ...answer });

test.each([
  ['its line', 2, 'promise a delivery on Sundays', true],
  ['spaces around it', 2, '  promise a delivery on Sundays ', true],
  ['another line', 1, 'promise a delivery on Sundays', false],
  ['no such line', 3, 'promise a delivery on Sundays', false],
  ['too few letters to mean a place', 2, 'promise', false],
  ['eight letters', 2, 'delivery', true],
])('a source with %s', (_, line, quote, holds) => {
  expect(check({ sources: [{ line, quote }] }).sources).toHaveLength(holds ? 1 : 0);
});

test.each([
  ['one that stands in the text', [rule(2, 'Never promise')], [rule(2, 'Never promise')]],
  ['one that does not beside it', [rule(2, 'Never promise'), rule(1, 'Never sing')], [rule(2, 'Never promise')]],
  ['none that stands there', [rule(1, 'Never sing')], undefined],
  ['one without a word', [rule(2, ' ')], undefined],
  ['none at all, so that rules are taken out', [], []],
  ['no rules named', undefined, undefined],
])('of rules, %s', (_, rules, kept) => {
  expect(check({ changes: rules === undefined ? {} : { rules } }).changes.rules).toEqual(kept);
});

test('other parts and the reply go through', () => {
  const { reply, changes } = check({ changes: { purpose: 'Sells bread.', rules: [rule(1, 'Never sing')] } });
  expect({ reply, changes }).toEqual({ reply: 'Done.', changes: { purpose: 'Sells bread.' } });
});
