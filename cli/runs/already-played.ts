import type { AgentResource } from '../../src/contract/agent.ts';
import type { RunResource } from '../../src/contract/run.ts';
import type { TestResource } from '../../src/contract/test.ts';
import type { VersionResource } from '../../src/contract/version.ts';
import { readList } from '../lists.ts';
import type { Session } from '../session.ts';
import { type FetchedDocument, fetchDocument } from './fetch-document.ts';
import type { RunDocument } from './messages.ts';

export interface WantedRun {
  tests: TestResource[];
  /** Null: each test's own caller. */
  personas: string[] | null;
  /** Null: the current one. */
  version: number | null;
  repeats: number | null;
}

const RUNS_LOOKED_AT = 20;
const OWN_CALLER = '@source';

/**
 * The result of an earlier run of exactly these tests, revisions and callers against the same configuration, in which
 * every cell was decided; null where there is none among the newest runs, or where the configuration is not known.
 */
export async function findPlayed(
  session: Session,
  agent: AgentResource,
  wanted: WantedRun,
): Promise<FetchedDocument | null> {
  const base = `/v1/agents/${agent.id}`;
  const versions = await readList<VersionResource>(session.client, `${base}/versions`);
  const target = versions.find(({ version, isCurrent }) =>
    wanted.version === null ? isCurrent : version === wanted.version,
  );
  if (!target?.configHash) return null;
  const runs = await readList<RunResource>(session.client, `${base}/runs?status=complete`, RUNS_LOOKED_AT);
  let epoch: string | null = null;
  for (const run of runs.filter(({ kind }) => kind === 'run')) {
    const fetched = await fetchDocument(session, agent.id, run.id);
    // What scores now is what scored last: the server names it nowhere else.
    epoch ??= JSON.stringify(fetched.document.epoch);
    const isSameEpoch = JSON.stringify(fetched.document.epoch) === epoch;
    if (isSameEpoch && run.repeats === wanted.repeats && covers(fetched.document, target.configHash, wanted)) {
      return fetched;
    }
  }
  return null;
}

export function covers(
  { targetVersion, cells, shadow }: RunDocument,
  configHash: string,
  { tests, personas }: Pick<WantedRun, 'tests' | 'personas'>,
): boolean {
  if (targetVersion.configHash !== configHash || shadow !== undefined) return false;
  const callers = personas ?? [OWN_CALLER];
  if (cells.length !== tests.length * callers.length || cells.length === 0) return false;
  const cellOf = new Map(cells.map((cell) => [`${cell.testId} ${cell.persona}`, cell]));
  return tests.every(({ id, revision, gates, expect }) =>
    callers.every((persona) => {
      const cell = cellOf.get(`${id} ${persona}`);
      const isDecided = cell?.result === 'passed' || cell?.result === 'failed' || cell?.result === 'flaky';
      return isDecided && cell.testRevision === revision && cell.gates === gates && cell.expect === expect;
    }),
  );
}
