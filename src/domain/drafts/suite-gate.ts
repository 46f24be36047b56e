import type { CellResult, DraftStatus, GateMode, GateReason, RunStatus } from '../vocabulary.ts';

/** A test that the suite asks for, in its revision in force. */
export interface SuiteTest {
  id: string;
  title: string;
  revision: number;
}

/** A run of exactly this text, newest first among its like. */
export interface SuiteRun {
  runId: string;
  status: RunStatus;
  cells: readonly { testId: string; testRevision: number; result: CellResult | null }[];
}

export interface SuiteGate {
  mode: GateMode;
  ok: boolean;
  reason: GateReason | null;
  detail: string | null;
  batchId: string | null;
}

/** What a test came to: an error, a drift and what was not run say nothing of the text. */
const SAYS_SOMETHING: readonly (CellResult | null)[] = ['passed', 'failed', 'flaky'];
const OPEN: readonly RunStatus[] = ['queued', 'awaiting_approval', 'running'];

/**
 * Whether the whole suite ran on exactly this text. Several runs may share the work: of each test the newest result in
 * its revision in force counts. People decide about failures themselves; of a key, all have to have passed.
 */
export function suiteGate(mode: GateMode, suite: readonly SuiteTest[], runs: readonly SuiteRun[]): SuiteGate {
  const complete = runs.filter(({ status }) => status === 'complete');
  const batchId = complete[0]?.runId ?? runs[0]?.runId ?? null;
  const shut = (reason: GateReason, detail: string): SuiteGate => ({ mode, ok: false, reason, detail, batchId });
  if (suite.length === 0) return shut('no_tests', 'The agent has no test yet, so nothing says what the text does.');
  const results = resultsOnText(suite, complete);
  const missing = results.filter(({ result }) => !SAYS_SOMETHING.includes(result));
  if (missing.length > 0) {
    if (runs.some(({ status }) => OPEN.includes(status))) {
      return shut('suite_running', `${counted(missing.length)} still to be played on this text.`);
    }
    if (complete.length === 0) return shut('no_suite_run', 'No run of the suite has ended on exactly this text.');
    return shut('suite_incomplete', `No result on this text: ${named(missing)}.`);
  }
  const failed = results.filter(({ result }) => result !== 'passed');
  if (mode === 'passed' && failed.length > 0) return shut('suite_failed', `Not passed: ${named(failed)}.`);
  const passed = results.length - failed.length;
  return { mode, ok: true, reason: null, detail: `${passed} of ${counted(results.length)} passed.`, batchId };
}

/** What each test came to on this text: the newest result of its revision in force, null where there is none. */
export function resultsOnText<Test extends SuiteTest>(
  suite: readonly Test[],
  runs: readonly SuiteRun[],
): (Test & { result: CellResult | null })[] {
  return suite.map((test) => ({ ...test, result: worstOf(newestCells(test, runs)) }));
}

function newestCells({ id, revision }: SuiteTest, runs: readonly SuiteRun[]): SuiteRun['cells'] {
  const played = runs.map(({ cells }) => cells.filter((cell) => cell.testId === id && cell.testRevision === revision));
  return played.find((cells) => cells.some(({ result }) => SAYS_SOMETHING.includes(result))) ?? played[0] ?? [];
}

/** One test by several callers: what went worst. */
function worstOf(cells: SuiteRun['cells']): CellResult | null {
  const results = cells.map(({ result }) => result);
  return results.find((result) => result !== 'passed') ?? results[0] ?? null;
}

const counted = (tests: number) => (tests === 1 ? '1 test' : `${tests} tests`);

const NAMED_AT_MOST = 5;

function named(tests: readonly { title: string }[]): string {
  const titles = tests.slice(0, NAMED_AT_MOST).map(({ title }) => `“${title}”`);
  const more = tests.length - titles.length;
  return `${titles.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export interface Publishable {
  status: DraftStatus;
  /** The platform's configuration is not the one that the draft began from. */
  stale: boolean;
  hasChanges: boolean;
  gate: SuiteGate;
  /** Why nothing can be published where the agent is; null where it can. */
  unsupported: string | null;
}

/** Why a draft can't be published as it stands; null where it can. */
export function publishBlockedReason({ status, stale, hasChanges, gate, unsupported }: Publishable): string | null {
  if (status === 'published') return 'It is published.';
  if (status === 'publishing') return 'It is being published.';
  if (status === 'discarded') return 'It was discarded.';
  if (unsupported !== null) return unsupported;
  if (!hasChanges) return 'It changes nothing yet.';
  if (stale) return 'The agent has changed at the platform since the draft began. Lay the draft over the live version.';
  return gate.ok ? null : (gate.detail ?? 'Its tests have not run on this text.');
}
