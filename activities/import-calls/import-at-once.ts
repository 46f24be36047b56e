import { CancelledFailure, log } from '@temporalio/activity';
import { isDatabaseAway } from '../../src/db/away.ts';
import { PlatformError } from '../../src/platforms/port.ts';
import { type Asking, laneOf } from '../../src/temporal/import-calls.ts';
import type { AnalyseResult, createAnalyseCalls } from '../analyse-calls/analyse-calls.ts';
import type { ActivityDeps } from '../deps.ts';
import type { createRecomputeIssues } from '../recompute-issues/recompute-issues.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import type { createCaptureVersions } from './capture-versions.ts';
import { type BegunImport, beginOwned, type OwnedImport, readWaitingCalls } from './import-record.ts';
import type { PageResult } from './page.ts';
import type { createStoreCallPage } from './store-call-page.ts';

/** Of an import that has more, the rest is read in pages with their analysis beside them. */
const CALLS_AT_ONCE = 100;
/** What takes longer is left to the workflow, which shows how far it is and takes the wishes of people. */
const LONG_MS = 5_000;

export interface AtOnceRequest extends OwnedImport {
  agentId: string;
  /** The poll that ordered it has taken the agent's versions. */
  versionsTaken: boolean;
  asking: Asking;
}

/** How far it came. What is left is the workflow's. */
export interface ImportedAtOnce {
  /** Null when this try of the import is over already: nothing was done. */
  begun: BegunImport | null;
  versionsTaken: boolean;
  /** In the order of the listing; calls of pages that are done are analysed. */
  pages: PageResult[];
  analysed: AnalyseResult | null;
  /** Nothing of the agent waits for its analysis, and its issues say what its calls say. */
  isSettled: boolean;
}

/** The activities that do it where an import takes longer. */
export interface ImportSteps {
  captureVersions: ReturnType<typeof createCaptureVersions>;
  storeCallPage: ReturnType<typeof createStoreCallPage>;
  analyseCalls: ReturnType<typeof createAnalyseCalls>;
  regroup: ReturnType<typeof createRecomputeIssues>;
}

/**
 * Begins an import, and does all of it where it is small: a poll that brings a call is one activity instead of a dozen. It
 * stops where a step fails, with what is done counted: the workflow takes that step then, and waits for it in its own words.
 */
export function createImportAtOnce(deps: ActivityDeps, steps: ImportSteps) {
  return async function importAtOnce(request: AtOnceRequest): Promise<ImportedAtOnce> {
    return withHeartbeat(
      () => ({}),
      async () => {
        const begun = await beginOwned(deps, request);
        const done: ImportedAtOnce = {
          begun,
          versionsTaken: false,
          pages: [],
          analysed: null,
          isSettled: false,
        };
        if (begun === null || begun.paused || isLong(begun)) return done;
        const { workspaceId, agentId, importId } = request;
        const owner = { workspaceId, agentId };
        await isTaken(() => storePages(steps, request, begun, done));
        const callIds = done.pages.flatMap((page) => (page.done ? page.totals.callIds : []));
        if (callIds.length > 0) {
          await isTaken(async () => {
            done.analysed = await steps.analyseCalls({ ...owner, callIds });
          });
        }
        if (!isListed(done.pages)) return done;
        const em = deps.database.within(workspaceId);
        const left = await readWaitingCalls(em, { ...owner, importId, limit: 1 });
        if (left.own.length + left.others.length > 0 || left.held !== null) return done;
        const isGrouped =
          (done.analysed?.analysed ?? 0) === 0 ||
          (await isTaken(() => steps.regroup({ ...owner, mode: 'incremental' })));
        return { ...done, isSettled: isGrouped };
      },
    );
  };
}

/** A backfill, or one that an earlier try has begun to read. */
const isLong = ({ plan, standing }: BegunImport) =>
  standing.pages > 0 || standing.listingEnded || (plan.source === 'platform' && laneOf(plan) === 'backfill');

async function storePages(
  steps: ImportSteps,
  request: AtOnceRequest,
  { plan, standing }: BegunImport,
  done: ImportedAtOnce,
): Promise<void> {
  const { workspaceId, agentId, importId, asking } = request;
  const owner = { workspaceId, agentId, importId };
  const untilMs = Date.now() + LONG_MS;
  let { cursor, listed } = { cursor: standing.cursor, listed: standing.counts.listed };
  let stored = 0;
  if (plan.source === 'platform' && !request.versionsTaken) await steps.captureVersions({ ...owner, asking });
  done.versionsTaken = true;
  while (!isListed(done.pages) && stored < CALLS_AT_ONCE && Date.now() < untilMs) {
    const { kind, source, from, to, limit } = plan;
    const take = limit === null ? null : limit - listed;
    const page = await steps.storeCallPage({
      ...owner,
      plan: { kind, source, from, to },
      cursor,
      take,
      partial: null,
      asking,
    });
    done.pages.push(page);
    if (!page.done) break;
    stored += page.totals.callIds.length;
    cursor = page.nextCursor;
    listed += page.totals.listed;
  }
}

/** A database that is away would be away for the workflow's steps too: then all of this is tried again instead. */
async function isTaken(step: () => Promise<unknown>): Promise<boolean> {
  try {
    await step();
    return true;
  } catch (error) {
    if (error instanceof CancelledFailure || isDatabaseAway(error)) throw error;
    if (!(error instanceof PlatformError))
      log.warn('a step of a small import failed, and is left to its workflow', { error });
    return false;
  }
}

function isListed(pages: readonly PageResult[]): boolean {
  const last = pages.at(-1);
  return last?.done === true && last.nextCursor === null;
}
