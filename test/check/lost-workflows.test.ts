import { expect, test } from 'vitest';
import { lostWorkflowFindings } from './lost-workflows.ts';

function reconcileNotes() {}
const steps = 'const steps = [() => reconcileNotes(deps)];';

test('a workflow that a step of reconciling starts, or that says how it goes on, is in order', () => {
  const again = { takeNotes: reconcileNotes, readNotes: 'A person asks once more.' };
  expect(lostWorkflowFindings(['takeNotes', 'readNotes'], again, steps)).toEqual([]);
});

test('a workflow that nobody begins again is told what to do', () => {
  const [finding] = lostWorkflowFindings(['takeNotes'], {}, steps);
  expect(finding).toMatch(
    /^Nobody knows how takeNotes begins again .* give it a step in src\/services\/outbox\/reconcile.ts/,
  );
});

test('a workflow that is gone, and a step that nothing calls, are named', () => {
  expect(lostWorkflowFindings([], { takeNotes: reconcileNotes }, steps)).toEqual([
    'test/check/lost-workflows.ts names takeNotes, which is no workflow: remove it there.',
  ]);
  expect(lostWorkflowFindings(['takeNotes'], { takeNotes: reconcileNotes }, 'const steps = [];')).toEqual([
    'test/check/lost-workflows.ts says that reconcileNotes starts takeNotes, but src/services/outbox/reconcile.ts does not call it.',
  ]);
});
