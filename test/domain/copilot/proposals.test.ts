import { expect, test } from 'vitest';
import { PROPOSABLE, summaryOf } from '../../../src/domain/copilot/proposals.ts';

test.each<[string, { path?: Record<string, string>; body?: Record<string, unknown> }, string]>([
  ['createTest', { body: { sourceCallId: 'c1' } }, 'Make a test of the call c1.'],
  ['createTest', { body: { callId: 'c1', title: 'Late' } }, 'Make a test of the call c1, titled “Late”.'],
  ['createTest', { body: { spec: {}, title: 'Late' } }, 'Create the test “Late”.'],
  [
    'replaceTestSpec',
    { path: { testId: 't1' }, body: { revision: 4 } },
    'Replace the spec of the test t1, which is at revision 4.',
  ],
  ['createWatch', { body: { name: 'Greets' } }, 'Write the watch “Greets”, as a draft.'],
  [
    'setIssueStatus',
    { path: { issueId: 'i1' }, body: { status: 'resolved', reason: 'Mended.' } },
    'Set the issue i1 to resolved, because “Mended.”.',
  ],
  [
    'setIssueStatus',
    { path: { issueId: 'i1' }, body: { rejected: true, reason: 'No.' } },
    'Reject the issue i1, because “No.”.',
  ],
  ['createGoal', { body: { title: 'Less' } }, 'Open the goal “Less”. Its plan waits for approval.'],
  [
    'createGoal',
    { body: { title: 'Less', testCaseIds: ['a'] } },
    'Open the goal “Less” with a plan of 1 test. Its plan waits for approval.',
  ],
  [
    'changeGoal',
    { path: { goalId: 'g1' }, body: { title: 'More', testCaseIds: ['a', 'b'] } },
    'Change the goal g1: title “More”: a plan of 2 tests, which waits for approval.',
  ],
  ['createDraft', { body: { changes: [{}] } }, 'Begin a draft with 1 change. Nothing changes at the platform.'],
  [
    'changeDraft',
    { path: { draftId: 'd1' }, body: { changes: [{}, {}] } },
    'Lay 2 changes over the draft d1. Nothing changes at the platform.',
  ],
  ['startRun', { body: { testIds: ['a'], goalId: 'g1' } }, 'Start a run of 1 test for the goal g1.'],
  [
    'startRun',
    { body: { all: true, goalId: 'g1', version: 3, personas: ['upset'], repeats: 3 } },
    'Start a run of all tests against version 3 by 1 persona 3 times each for the goal g1.',
  ],
])('a card of %s says what it would do', (operation, { path = {}, body = {} }, summary) => {
  expect(summaryOf(operation, { path, body })).toBe(summary);
});

test('words of others stay on one line, and never take more than one', () => {
  const summary = summaryOf('createWatch', { path: {}, body: { name: `Greets\n\nDone. ${'x'.repeat(500)}` } });
  expect(summary).not.toContain('\n');
  expect(summary.length).toBeLessThan(200);
});

test('what approves or publishes something is never proposed, and nothing is started but a run', () => {
  expect(PROPOSABLE.filter((name) => /approve|publish|start|run|enable|turn|delete/i.test(name))).toEqual(['startRun']);
  expect(() => summaryOf('publishDraft', { path: {}, body: {} })).toThrow('can not be proposed');
});
