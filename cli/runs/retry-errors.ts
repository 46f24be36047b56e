import type { AgentResource } from '../../src/contract/agent.ts';
import type { RunResource } from '../../src/contract/run.ts';
import { PROGRAM } from '../../src/layout.ts';
import type { Session } from '../session.ts';
import { type FetchedDocument, fetchDocument } from './fetch-document.ts';
import { type Cell, OWN_CALLER, type RunDocument } from './messages.ts';
import { startRun } from './start-run.ts';
import { waitForRun } from './wait-for-run.ts';

export interface RetryOptions {
  retryErrors?: boolean;
}

interface Retry {
  compareTo?: string;
  idempotencyKey?: string;
  /** On the clock of `performance.now()`. */
  untilMs: number;
}

export interface Retried {
  fetched: FetchedDocument;
  /** What the verdict and the reports are about. */
  judged: RunDocument;
}

/**
 * Plays the cells that ended in an error once more. A signed-in person has the run itself play them again, and its
 * document is the new one. A key cannot: another run plays the tests of those cells, and its cells take the place of the
 * errored ones in what is judged and reported; each run keeps its own document.
 */
export async function retryErrors(
  session: Session,
  agent: AgentResource,
  run: RunResource,
  first: FetchedDocument,
  { compareTo, idempotencyKey, untilMs }: Retry,
): Promise<Retried | 'late'> {
  const errored = first.document.cells.filter(({ result }) => result === 'error');
  const asIs = { fetched: first, judged: first.document };
  if (errored.length === 0 || first.document.status !== 'complete') return asIs;
  const { client, print, access } = session;
  print.note(`${errored.length} ${errored.length === 1 ? 'cell' : 'cells'} ended in an error: tried once more.`);
  if (access.session !== null) {
    await client.person<RunResource>('POST', `/app/agents/${agent.id}/runs/${run.id}/retry-errors`);
    const seen = await waitForRun(session, agent.id, run.id, untilMs);
    if (!seen.over) return 'late';
    const fetched = await fetchDocument(session, agent.id, run.id, compareTo);
    return { fetched, judged: fetched.document };
  }
  const personas = [...new Set(errored.map(({ persona }) => persona))].filter((persona) => persona !== OWN_CALLER);
  const body = {
    testIds: [...new Set(errored.map(({ testId }) => testId))],
    personas: personas.length === 0 ? null : personas,
    version: run.version,
    repeats: run.repeats,
  };
  const second = await startRun(session, agent, body, `${idempotencyKey ?? run.id}-errors`, untilMs);
  print.note(`Run ${second.id} plays them, as a key can start runs only. Its document: ${PROGRAM} result ${second.id}`);
  const seen = await waitForRun(session, agent.id, second.id, untilMs);
  if (!seen.over) return 'late';
  const { document } = await fetchDocument(session, agent.id, second.id);
  return { fetched: first, judged: withRetried(first.document, document) };
}

/** The first document with the errored cells as the second run played them, and a summary that adds up. */
export function withRetried(first: RunDocument, second: RunDocument): RunDocument {
  const again = new Map(second.cells.map((cell) => [keyOf(cell), cell]));
  const cells = first.cells.map((cell) => {
    const other = again.get(keyOf(cell));
    const isBetter = cell.result === 'error' && other !== undefined && other.result !== 'not_run';
    return isBetter ? { ...other, change: null } : cell;
  });
  const count = (is: (cell: Cell) => boolean) => cells.filter(is).length;
  const of = (result: Cell['result']) => count((cell) => cell.result === result);
  return {
    ...first,
    cells,
    summary: {
      ...first.summary,
      passed: of('passed'),
      failed: of('failed'),
      flaky: of('flaky'),
      error: of('error'),
      drift: of('drift'),
      notRun: of('not_run'),
    },
    cost: {
      platformUsd: first.cost.platformUsd + second.cost.platformUsd,
      serviceUsd: first.cost.serviceUsd + second.cost.serviceUsd,
    },
  };
}

const keyOf = ({ testId, persona }: Cell) => `${testId} ${persona}`;
