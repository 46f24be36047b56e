import type { AgentResource } from '../../src/contract/agent.ts';
import type { Session } from '../session.ts';
import { DEFAULT_FOLDER } from '../tests/read-files.ts';
import type { FetchedDocument } from './fetch-document.ts';
import { junitOf } from './junit.ts';
import { markdownOf } from './markdown.ts';
import {
  attemptsOf,
  callerOf,
  comparisonOf,
  costOf,
  countsOf,
  failsAsExpected,
  type Names,
  type RunDocument,
  resultInWords,
  spaced,
  titleOf,
  whyOf,
} from './messages.ts';
import { type OutcomeFiles, takesStandardOutput, writeOutcome } from './outcome-files.ts';
import { readNames } from './read-names.ts';
import { readSeconds } from './read-seconds.ts';
import { sarifOf } from './sarif.ts';
import { judgeRun, type VerdictOptions } from './verdict.ts';

export type ConcludeOptions = OutcomeFiles & VerdictOptions;

/**
 * Writes what was asked for of a run that is over, and says how it went.
 * @param judged what the reports are about, where it is more than the document says.
 * @returns the exit code.
 */
export async function conclude(
  session: Session,
  agent: Pick<AgentResource, 'id' | 'name'>,
  { document, bytes }: FetchedDocument,
  options: ConcludeOptions,
  judged: RunDocument = document,
): Promise<number> {
  const { print, json, client } = session;
  if (options.document !== undefined) await writeOutcome(options.document, bytes);
  const names = await readNames(session, agent, judged);
  if (options.junit !== undefined) {
    const seconds = await readSeconds(session, agent, judged);
    await writeOutcome(options.junit, junitOf(judged, names, { ...options, seconds }));
  }
  if (options.markdown !== undefined) {
    await writeOutcome(options.markdown, markdownOf(judged, names, { url: client.url, ...options }));
  }
  if (options.sarif !== undefined) {
    await writeOutcome(options.sarif, await sarifOf(judged, names, options.dir ?? DEFAULT_FOLDER));
  }
  const verdict = judgeRun(judged, options);
  if (json) print.json({ ...verdict, runId: judged.batchId, document: judged });
  else if (takesStandardOutput(options)) print.note(verdict.says);
  else showResult(session, judged, names, verdict.says);
  return verdict.exitCode;
}

function showResult({ print }: Session, document: RunDocument, names: Names, says: string): void {
  const { cells, batchId, targetVersion } = document;
  print.line(`Run ${batchId} of ${names.agent}, version ${targetVersion.version}`);
  const noted = cells.filter((cell) => cell.result !== 'passed' || cell.change === 'fixed' || failsAsExpected(cell));
  if (noted.length > 0) {
    print.table(
      ['Result', 'Test', 'Caller', 'Passed', 'Gates', 'Change', 'Why'],
      noted.map((cell) => [
        resultInWords(cell),
        titleOf(cell, names),
        callerOf(cell, names),
        attemptsOf(cell),
        cell.gates ? 'yes' : 'no',
        cell.change === null ? '' : spaced(cell.change),
        whyOf(cell),
      ]),
    );
  }
  print.line(`${countsOf(document)}. ${comparisonOf(document)} Cost ${costOf(document)}.`);
  print.line(says);
}
