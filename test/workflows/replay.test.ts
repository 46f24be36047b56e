import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { beforeAll, expect, test } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import { quietRuntime, testBundle } from '../support/pipeline.ts';

const FOLDER = fileURLToPath(new URL('../histories/', import.meta.url));
const histories = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ name, history: JSON.parse(readFileSync(`${FOLDER}${name}`, 'utf8')) as object }));

interface History {
  events: { workflowExecutionStartedEventAttributes?: { workflowType: { name: string } } }[];
}
const typeOf = ({ events }: History) => events[0]?.workflowExecutionStartedEventAttributes?.workflowType.name;

let code: string;
beforeAll(async () => {
  quietRuntime();
  code = readFileSync(await testBundle(), 'utf8');
});

/** @returns what is wrong, by the name of the history. */
async function replay(bundle: string, wanted = histories) {
  const failures = new Map<string, string>();
  const given = wanted.map(({ name, history }) => ({ workflowId: name, history }));
  for await (const result of Worker.runReplayHistories({ workflowBundle: { code: bundle } }, given)) {
    if (result.error) failures.set(result.workflowId, result.error.name);
  }
  return failures;
}

test('the workflow bundle builds and stays small', () => {
  process.stdout.write(`the workflow bundle has ${Math.round(code.length / 1024)} kB\n`);
  expect(code.length).toBeLessThan(3 * 1024 * 1024);
});

test('work that was begun by an earlier version goes on under this one', async () => {
  expect(await replay(code)).toEqual(new Map());
});

test('every workflow that there is has a history to replay', () => {
  const recorded = histories.map(({ history }) => typeOf(history as History));
  expect([...new Set(recorded)].toSorted()).toEqual(Object.keys(workflows).toSorted());
});

test.each([
  [
    'another first step of an import',
    'control.beginImport(key)',
    'control.planPoll(key)',
    'import-with-rate-limit.json',
  ],
  ['a step left out of an import', 'if (!input.carried &&', 'if (false &&', 'import-retried.json'],
  ['another first step of a small import', ').importAtOnce(', ').captureVersions(', 'import-at-once.json'],
  ['a small import that is not taken as done', 'if (!isSettled)', 'if (true)', 'import-at-once.json'],
  ['another step before a poll', 'control.planPoll({', 'control.waitingCalls({', 'desk-with-polls.json'],
  ['another look for calls', '.lookForCalls({', '.captureVersions({', 'coordinator-with-quiet-polls.json'],
  ['another look at an account', '.pollAccount(', '.captureVersions(', 'poller-of-an-account.json'],
  ['a connection that does not say what it waits for', 'await say(message);', '', 'connection-that-waited.json'],
  ['another last step of a brief', 'control.draftBrief(owner)', 'control.noteBrief(owner)', 'brief-that-waited.json'],
  ['another look at due issues', '.applyDueIssues({', '.captureVersions({', 'grace-of-an-agent.json'],
  ['another step of a pass of retention', '.removeExpired({', '.applyDueIssues({', 'retention-passes.json'],
  ['another look of a run at the record', '.planRun(', '.cellsOfPart(', 'run-approved.json'],
  ['a cell that is scored before it is played', '.playAttempt(key)', '.playTwice(key)', 'cells-with-errors.json'],
  ['another window of cells', '.playWindow(', '.playAttempt(', 'cells-in-windows-with-errors.json'],
  ['another end of a rescore', '.finishRescore(', '.finishRun(', 'run-rescored.json'],
  ['another window of a rescore', '.rescoreCells(', '.scoreCells(', 'run-rescored-in-windows.json'],
  ['another try of a delivery', '.deliverOnce({', '.deliverTwice({', 'delivery-that-waited.json'],
])('a change that would break running work is caught: %s', async (_what, from, to, history) => {
  const changed = code.replace(from, to);
  expect(changed).not.toBe(code);
  const own = histories.filter(({ name }) => name === history);
  expect(await replay(changed, own)).toEqual(new Map([[history, 'DeterminismViolationError']]));
});
