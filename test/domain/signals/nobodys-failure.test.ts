import { expect, test } from 'vitest';
import { type EndedCall, isNobodysFailure } from '../../../src/domain/signals/nobodys-failure.ts';
import { makeAnalysis, makeSignal } from '../../support/analysed-calls.ts';

const seen = (rule: string, basis: 'phrases' | 'model' = 'phrases') => ({
  observations: [{ rule, kind: 'candidate' as const, label: '', turnIndex: 1, detail: '', basis }],
});
const byRule = (rule: string) => ({ outcomeReason: { rule, turns: [], text: '' } });
const signals = [makeSignal({ code: 'tool_failed' })];
const behaviour = [makeSignal({ code: 'caller_abusive', klass: 'behaviour' })];

test.each<[string, Partial<EndedCall>, boolean]>([
  ['left open, with nothing to explain it', {}, false],
  ['to a wrong number', byRule('wrong_number'), true],
  ['to a wrong number, on which a tool failed too', { ...byRule('wrong_number'), signals }, true],
  ['to a wrong number that got through all the same', { ...byRule('wrong_number'), outcome: 'resolved' }, false],
  ['that sounds like a test', seen('test_call'), true],
  ['that sounds like a test of a rude caller', { ...seen('test_call'), signals: behaviour }, true],
  ['that sounds like a test, on which a tool failed', { ...seen('test_call'), signals }, false],
  ['that a model says is spam', { ...seen('spam_call', 'model'), signals }, true],
  ['that a model names so', { readIntent: 'wrong number' }, true],
  ['that a model names by a number', { readIntent: 'report wrong number on invoice' }, false],
  ['with another voice agent', { answeredBy: { by: 'agent', turns: [1], text: '', basis: 'rules', before: [] } }, true],
])('a call %s', (_, over, expected) => {
  expect(isNobodysFailure(makeAnalysis({ outcome: 'unresolved', ...over }))).toBe(expected);
});
