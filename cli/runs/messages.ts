import type { RunResultResource } from '../../src/contract/run-result.ts';

export type RunDocument = RunResultResource;
export type Cell = RunDocument['cells'][number];
export type CriterionResult = Cell['criteria'][number];

/** What the document names by id only. */
export interface Names {
  agent: string;
  /** By test id. */
  tests: ReadonlyMap<string, string>;
  /** By persona id. */
  personas: ReadonlyMap<string, string>;
}

/** The persona of a cell that the test's own caller plays. */
export const OWN_CALLER = '@source';

/** Two tests may have one title: tools that read reports take equal names for one test. */
export function cellNames(cells: Cell[], names: Names): string[] {
  const plain = cells.map((cell) => `${titleOf(cell, names)} [${callerOf(cell, names)}]`);
  return plain.map((name, at) => {
    const isUnique = plain.indexOf(name) === plain.lastIndexOf(name);
    return isUnique ? name : `${name} (${shortId(cells[at]?.testId ?? '')})`;
  });
}

export const titleOf = (cell: Cell, names: Names) => names.tests.get(cell.testId) ?? cell.testId;

export function callerOf(cell: Cell, names: Names): string {
  return cell.persona === OWN_CALLER ? 'own caller' : (names.personas.get(cell.persona) ?? cell.persona);
}

/** The last digits: the first ones of our ids are a time, and equal for tests that were made together. */
export const shortId = (id: string) => id.slice(-8).toLowerCase();

export const spaced = (word: string) => word.replaceAll('_', ' ');

/** Who decided, in the order of first mention; a model is named. */
export function decidersOf(cell: Cell): string {
  const deciders = cell.criteria.map(({ decidedBy: { kind, model } }) => {
    if (kind === 'check') return 'code';
    return kind === 'judge' ? `judge${model === null ? '' : ` ${model}`}` : 'nobody';
  });
  return [...new Set(deciders)].join(', ') || 'nobody';
}

export function describeCriterion({ text, met, decidedBy, quote, evidenceTurn }: CriterionResult): string {
  const state = met === null ? 'undecided' : met ? 'met' : 'not met';
  const by = decidedBy.kind === 'check' ? 'code' : decidedBy.kind === 'judge' ? `judge ${decidedBy.model ?? ''}` : '';
  const because = decidedBy.answers.at(-1)?.because;
  return [
    `${state}: ${text}`,
    by === '' ? '' : ` (decided by ${by.trim()})`,
    because ? ` – ${because}` : '',
    quote === null || quote === '' ? '' : ` “${quote}”${evidenceTurn === null ? '' : ` in turn ${evidenceTurn}`}`,
  ].join('');
}

/** One line: why the cell came out so, or the first criterion that was not met. */
export function whyOf(cell: Cell): string {
  if (failsAsExpected(cell)) return cell.reason ?? describeUnmet(cell);
  if (cell.expect === 'fail' && cell.result === 'failed')
    return `${cell.reason ?? ''} It passes now: set expect to pass.`.trim();
  return cell.reason ?? (cell.result === 'passed' ? '' : describeUnmet(cell));
}

function describeUnmet({ criteria }: Cell): string {
  const unmet = criteria.find(({ met }) => met !== true);
  return unmet === undefined ? '' : describeCriterion(unmet);
}

/** A test of a known fault, which the agent still has: it holds nothing up, and nothing of it works. */
export const failsAsExpected = ({ expect, result }: Cell) => expect === 'fail' && result === 'passed';

/** What came of a cell, as people are told. */
export const resultInWords = (cell: Cell) => (failsAsExpected(cell) ? 'fails as expected' : spaced(cell.result));

export const attemptsOf = (cell: Cell) => (cell.n === 0 ? '' : `${cell.k} of ${cell.n}`);

export function countsOf({ summary, cells }: RunDocument): string {
  const { failed, flaky, error, drift, notRun } = summary;
  const asExpected = cells.filter(failsAsExpected).length;
  const passed = summary.passed - asExpected;
  const counts = Object.entries({
    passed,
    'failing as expected': asExpected,
    failed,
    flaky,
    error,
    drift,
    'not run': notRun,
  });
  const parts = counts.filter(([word, count]) => count > 0 || word === 'passed').map(([word, n]) => `${n} ${word}`);
  return `${summary.cells} ${summary.cells === 1 ? 'cell' : 'cells'}: ${parts.join(', ')}`;
}

export function comparisonOf({ comparedTo, summary }: RunDocument): string {
  if (comparedTo === null) return 'Not compared: there is no earlier run of these tests scored in the same way.';
  const { newlyBroken, fixed } = summary;
  return `Against earlier results, the newest of run ${comparedTo.batchId} (version ${comparedTo.version}): ${newlyBroken} newly broken, ${fixed} fixed.`;
}

export function costOf({ cost }: Pick<RunDocument, 'cost'>): string {
  return `${(cost.platformUsd + cost.serviceUsd).toFixed(4).replace(/0{1,2}$/, '')} USD (estimate)`;
}
