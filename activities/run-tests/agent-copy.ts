import {
  type CopyView,
  insertCopy,
  isCopyReady,
  loadCopy,
  noteCopyHandle,
  noteCopyProblem,
  setCopyReady,
  setCopyRemoved,
} from '../../src/db/copies/copies.ts';
import type { EntityManager } from '../../src/db/database.ts';
import { loadRevision } from '../../src/db/drafts/revisions.ts';
import { loadRun, type RunView } from '../../src/db/runs/runs.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { type AgentCopies, copyName } from '../../src/platforms/copies.ts';
import { PlatformError } from '../../src/platforms/port.ts';
import { releaseCopies } from '../../src/services/runs/release-copies.ts';
import type { RemoveCopyInput } from '../../src/temporal/remove-copy.ts';
import type { RunInput } from '../../src/temporal/run-tests.ts';
import type { ActivityDeps } from '../deps.ts';
import { type AgentPlatform, openAgentPlatform } from '../shared/agent-platform.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

/** After this time a request that nobody heard the end of has been done, or never will be. */
const SETTLED_MS = 600_000;

/** Copies of versions at their platform: each is in the record before it is made, and until it is gone. */
export function createAgentCopies(deps: ActivityDeps) {
  return {
    /** Makes the copy that a run plays, unless there is one. One that broke off before is given up, and another is made. */
    makeCopy: (input: RunInput): Promise<void> =>
      withHeartbeat(
        () => ({ runId: input.runId }),
        async () => {
          const em = deps.database.within(input.workspaceId);
          const begun = await beginCopy(em, input.runId);
          if (begun === null) return;
          const { run, copyId } = begun;
          const { copies, platform } = await openCopies(deps, em, run.agentId);
          const made = await copies.make(platform.connection, {
            providerAgentId: platform.source.providerAgentId,
            version: run.version,
            texts: await textsOf(em, run),
            name: copyName(copyId),
            handle: null,
            note: (handle) => note(em, copyId, handle),
          });
          await em.transactional((tx) => setCopyReady(tx, { ...made, id: copyId, runId: run.id }));
        },
      ),

    /** Takes away what is left of a copy. */
    removeCopy: (input: RemoveCopyInput): Promise<void> =>
      withHeartbeat(
        () => ({ copyId: input.copyId }),
        async () => {
          const em = deps.database.within(input.workspaceId);
          const copy = await loadCopy(em, input.copyId);
          if (copy === null || copy.state === 'removed') return;
          const { copies, platform } = await openCopies(deps, em, copy.agentId);
          const isGone = await copies.remove(platform.connection, { name: copyName(copy.id), handle: copy.handle });
          if (!isGone && !isSettled(copy)) {
            const message = 'What may have been made of the copy can not be seen yet.';
            throw new PlatformError('unavailable', message, { retryAfterMs: SETTLED_MS });
          }
          await setCopyRemoved(em, copy.id);
        },
      ),
  };
}

/** What is said of a copy that is still there. */
export function createCopyRecord({ database }: Pick<ActivityDeps, 'database'>) {
  return {
    async noteCopy({ workspaceId, copyId, problem }: RemoveCopyInput & { problem: string }): Promise<void> {
      await noteCopyProblem(database.within(workspaceId), copyId, problem);
    },
  };
}

const isSettled = ({ createdAt }: CopyView) => Date.now() - Date.parse(createdAt) > SETTLED_MS;

/** Null where there is nothing to make: the run is over, or has its copy. */
async function beginCopy(em: EntityManager, runId: string): Promise<{ run: RunView; copyId: string } | null> {
  return em.transactional(async (tx) => {
    const run = await loadRun(tx, runId, true);
    if (run === null || run.finishedAt !== null || (await isCopyReady(tx, runId))) return null;
    await releaseCopies(tx, run);
    const { workspaceId, agentId, version } = run;
    return { run, copyId: await insertCopy(tx, { workspaceId, agentId, runId, version }) };
  });
}

async function note(em: EntityManager, copyId: string, handle: JsonObject): Promise<void> {
  if (await noteCopyHandle(em, copyId, handle)) return;
  throw new PlatformError('rejected', 'The run ended while a copy of the agent was made.');
}

async function textsOf(em: EntityManager, { draftId, draftRevision }: RunView) {
  if (draftId === null) return {};
  const revision = await loadRevision(em, { draftId, revision: draftRevision ?? 0 });
  if (revision === null) throw new PlatformError('not_found', 'The draft was deleted.');
  return revision.texts;
}

async function openCopies(
  deps: ActivityDeps,
  em: EntityManager,
  agentId: string,
): Promise<{ copies: AgentCopies; platform: AgentPlatform }> {
  const platform = await openAgentPlatform(deps, em, agentId);
  const copies = deps.platforms.copies(platform.source.provider);
  if (copies === null) throw new PlatformError('rejected', 'No copies are made on the platform of this agent.');
  return { copies, platform };
}
