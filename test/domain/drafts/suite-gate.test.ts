import { expect, test } from 'vitest';
import {
  type Publishable,
  publishBlockedReason,
  type SuiteRun,
  suiteGate,
} from '../../../src/domain/drafts/suite-gate.ts';
import type { CellResult, GateMode, GateReason } from '../../../src/domain/vocabulary.ts';

const suite = ['a', 'b'].map((id) => ({ id, title: id.toUpperCase(), revision: 2 }));
const run = (results: Record<string, CellResult | null>, set: Partial<SuiteRun> = {}): SuiteRun => ({
  runId: 'run',
  status: 'complete',
  cells: Object.entries(results).map(([testId, result]) => ({ testId, testRevision: 2, result })),
  ...set,
});

test.each<[string, GateMode, SuiteRun[], GateReason | null]>([
  ['no run of the text', 'ran', [], 'no_suite_run'],
  ['a run of all, passed', 'ran', [run({ a: 'passed', b: 'passed' })], null],
  ['a run of all, one failed, for people', 'ran', [run({ a: 'passed', b: 'failed' })], null],
  ['a run of all, one failed, for a key', 'passed', [run({ a: 'passed', b: 'failed' })], 'suite_failed'],
  ['a run of all, one flaky, for a key', 'passed', [run({ a: 'passed', b: 'flaky' })], 'suite_failed'],
  ['a run of a part', 'ran', [run({ a: 'passed' })], 'suite_incomplete'],
  ['a run with an error', 'ran', [run({ a: 'passed', b: 'error' })], 'suite_incomplete'],
  ['a run beyond the budget', 'ran', [run({ a: 'passed', b: 'not_run' })], 'suite_incomplete'],
  ['two runs that share the suite', 'passed', [run({ a: 'passed' }), run({ b: 'passed' })], null],
  ['an error after a pass', 'passed', [run({ b: 'error' }), run({ a: 'passed', b: 'passed' })], null],
  ['a failure after a pass', 'passed', [run({ b: 'failed' }), run({ a: 'passed', b: 'passed' })], 'suite_failed'],
  ['a run that goes on', 'ran', [run({ a: null, b: null }, { status: 'running' })], 'suite_running'],
  ['a run that was refused', 'ran', [run({ a: 'not_run', b: 'not_run' }, { status: 'refused' })], 'no_suite_run'],
])('%s (%s)', (_, mode, runs, reason) => {
  expect(suiteGate(mode, suite, runs)).toMatchObject({ mode, ok: reason === null, reason });
});

test('a test that was changed since has to run again', () => {
  const before = run({ a: 'passed', b: 'passed' });
  const newer = suite.map((one) => (one.id === 'b' ? { ...one, revision: 3 } : one));
  expect(suiteGate('ran', newer, [before])).toMatchObject({
    reason: 'suite_incomplete',
    detail: 'No result on this text: “B”.',
  });
});

test('without tests nothing says what the text does', () => {
  expect(suiteGate('ran', [], [])).toMatchObject({ ok: false, reason: 'no_tests', batchId: null });
});

test('of several callers of one test the worst counts', () => {
  const cells = (['passed', 'failed'] as const).map((result) => ({ testId: 'a', testRevision: 2, result }));
  expect(suiteGate('passed', suite.slice(0, 1), [{ runId: 'r', status: 'complete', cells }]).reason).toBe(
    'suite_failed',
  );
});

const gate = suiteGate('ran', suite, [run({ a: 'passed', b: 'passed' })]);
const open: Publishable = { status: 'draft', stale: false, hasChanges: true, gate, unsupported: null };

test.each<[Partial<Publishable>, RegExp | null]>([
  [{}, null],
  [{ status: 'testing' }, null],
  [{ status: 'published' }, /is published/],
  [{ status: 'publishing' }, /being published/],
  [{ status: 'discarded' }, /discarded/],
  [{ unsupported: 'No platform.' }, /No platform/],
  [{ hasChanges: false }, /changes nothing/],
  [{ stale: true }, /changed at the platform/],
  [{ gate: suiteGate('ran', suite, []) }, /No run of the suite/],
])('publishing %o is blocked by %s', (set, reason) => {
  const blocked = publishBlockedReason({ ...open, ...set });
  if (reason === null) expect(blocked).toBeNull();
  else expect(blocked).toMatch(reason);
});
