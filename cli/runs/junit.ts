import { EXIT } from '../problem.ts';
import {
  attemptsOf,
  type Cell,
  cellNames,
  comparisonOf,
  costOf,
  decidersOf,
  describeCriterion,
  failsAsExpected,
  type Names,
  type RunDocument,
  resultInWords,
  spaced,
  whyOf,
} from './messages.ts';
import { judgeRun, type VerdictOptions } from './verdict.ts';
import { type Element, element, writeXml } from './xml.ts';

export interface ReportOptions extends VerdictOptions {
  /** How long attempts took, by their ids. */
  seconds?: ReadonlyMap<string, number>;
}

/**
 * The document as JUnit XML: a suite is the run, a case a cell. Red exactly where the exit code is not 0: a gating cell
 * that failed is a `failure`, one that nobody could decide or that was not played an `error`. Whatever does not gate and
 * did not pass is `skipped` with its reason, so that it is seen and breaks nothing.
 */
export function junitOf(document: RunDocument, names: Names, options: ReportOptions = {}): string {
  const cellCases = cellNames(document.cells, names).map((name, at) => {
    const cell = document.cells[at];
    return cell ? caseOf(name, cell, names, options) : null;
  });
  const cases = [...cellCases.filter((each) => each !== null), ...wholeRun(document, cellCases, names, options)];
  const has = (name: string) => cases.filter(({ children }) => children.some((c) => isElement(c, name))).length;
  const counts = { tests: cases.length, failures: has('failure'), errors: has('error'), skipped: has('skipped') };
  const { targetVersion } = document;
  const time = timeOf(document.cells, options);
  const suite = element('testsuite', { name: `${names.agent}, version ${targetVersion.version}`, ...counts, time }, [
    element('properties', {}, propertiesOf(document)),
    ...cases,
  ]);
  return writeXml(element('testsuites', { name: 'earshot', ...counts }, [suite]));
}

const isElement = (child: Element | string, name: string) => typeof child !== 'string' && child.name === name;

function caseOf(name: string, cell: Cell, names: Names, options: ReportOptions): Element {
  return element('testcase', { name, classname: names.agent, time: timeOf([cell], options) }, [
    outcomeOf(cell, options.strict ?? false),
    element('system-out', {}, [textOf(cell)]),
  ]);
}

/** In seconds, as JUnit has it; undefined where it is not known. */
function timeOf(cells: Cell[], { seconds }: ReportOptions): string | undefined {
  const attempts = cells.flatMap((cell) => cell.attempts);
  const known = attempts.flatMap(({ runId }) => seconds?.get(runId) ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, each) => sum + each, 0).toFixed(3);
}

function outcomeOf(cell: Cell, strict: boolean): Element | null {
  const { result, gates } = cell;
  if (result === 'passed') return null;
  const why = whyOf(cell);
  const message = `${spaced(result)}${why === '' ? '' : `: ${why}`}`;
  if (result === 'flaky' && !(gates && strict)) return null;
  if (!gates) return element('skipped', { message: `does not gate; ${message}` });
  const isFailure = result === 'failed' || result === 'flaky';
  return element(isFailure ? 'failure' : 'error', { message, type: result }, [textOf(cell)]);
}

function textOf(cell: Cell): string {
  const attempts = attemptsOf(cell);
  return [
    `${resultInWords(cell)}${attempts === '' ? '' : `, ${attempts} attempts ${failsAsExpected(cell) ? 'did' : 'passed'}`}, decided by ${decidersOf(cell)}`,
    ...(cell.change === null ? [] : [`against the run before: ${spaced(cell.change)}`]),
    ...cell.criteria.map((criterion) => `- ${describeCriterion(criterion)}`),
    ...cell.findings.map(({ severity, title, detail }) => `finding (${severity}): ${title} – ${detail}`),
    ...(cell.noFixture.length === 0 ? [] : [`tools without a fixture: ${cell.noFixture.join(', ')}`]),
    `test ${cell.testId}, revision ${cell.testRevision}`,
  ].join('\n');
}

/** What keeps a run from passing although no cell tells it: refused, failed, or nothing in it was judged. */
function wholeRun(document: RunDocument, cells: (Element | null)[], names: Names, options: VerdictOptions): Element[] {
  const { exitCode, says } = judgeRun(document, options);
  const isTold = cells.some((cell) => cell?.children.some((c) => isElement(c, 'failure') || isElement(c, 'error')));
  if (exitCode === EXIT.done || isTold) return [];
  return [
    element('testcase', { name: 'the run as a whole', classname: names.agent }, [
      element('error', { message: says, type: document.status }),
    ]),
  ];
}

function propertiesOf(document: RunDocument): Element[] {
  const { batchId, agentId, kind, status, targetVersion, epoch } = document;
  const properties = {
    run: batchId,
    agent: agentId,
    kind,
    status,
    platform: targetVersion.platform,
    version: String(targetVersion.version),
    configHash: targetVersion.configHash ?? 'not captured',
    ...epoch,
    comparison: comparisonOf(document),
    cost: costOf(document),
  };
  return Object.entries(properties).map(([name, value]) => element('property', { name, value }));
}
