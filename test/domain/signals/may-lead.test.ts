import { expect, test } from 'vitest';
import { mayLeadIn } from '../../../src/domain/signals/may-lead.ts';
import { makeEntry } from '../../support/analysed-calls.ts';

const CATALOGUE = new Map(
  [
    makeEntry({ code: 'tool_failed' }),
    makeEntry({ code: 'caller_left', ending: true }),
    makeEntry({ code: 'wrong_number', klass: 'behaviour' }),
  ].map((entry) => [entry.code, entry]),
);

test.each([
  ['a fault', 'tool_failed', true],
  ['the bad ending itself', 'caller_left', false],
  ['what a caller does', 'wrong_number', false],
  ['a code that the catalogue has no more', 'gone', true],
])('%s stands behind a bad ending: %s %s', (_, code, may) => {
  expect(mayLeadIn(CATALOGUE)(code)).toBe(may);
});
