import type { EntityManager } from '../../src/db/database.ts';
import {
  importsBesidePolls,
  noteQuietPoll,
  type OtherImport,
  type PollWindow,
  pollWindow,
  type QuietPoll,
  takePollImport,
} from '../../src/db/imports/polls.ts';
import { PlatformError } from '../../src/platforms/port.ts';
import type { ImportRequest } from '../../src/temporal/agent-coordinator.ts';
import type { ActivityDeps } from '../deps.ts';
import { type AgentPlatform, openAgentPlatform } from '../shared/agent-platform.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import { takeVersions } from './capture-versions.ts';
import { readWaitingCalls } from './import-record.ts';
import { listPage } from './list-page.ts';
import { PageTally } from './page-tally.ts';

/** Some platforms list calls without a time apart. A window with more pages than these is read by an import. */
const PAGES_OF_A_LOOK = 5;

interface Agent {
  workspaceId: string;
  agentId: string;
}

export interface PollLook {
  /** The import that takes what there is, or null when there is nothing. */
  request: ImportRequest | null;
  /** The look took the agent's versions, so that the import need not. */
  versionsTaken: boolean;
  /** When the allowance turns that holds calls of the agent back; null where it holds none. */
  heldUntil: string | null;
  /** What goes on beside it. */
  open?: OtherImport[];
}

/** What was seen of a platform that tells of nothing new. */
interface NoNews extends QuietPoll {
  heldUntil: string | null;
}

/**
 * A whole poll where nothing is new: versions, the list since the bookmark, and calls that a crash left without analysis.
 * Where something is new, or the platform does not answer as it should, it makes the row of an import, which does the
 * work and its waiting. Null where there is nothing to poll from yet, or a poll is open whose end is to be waited for.
 */
export function createLookForCalls(deps: ActivityDeps) {
  return async function lookForCalls(agent: Agent): Promise<PollLook | null> {
    return withHeartbeat(
      () => ({}),
      async () => {
        const em = deps.database.within(agent.workspaceId);
        const window = await pollWindow(em, agent.agentId);
        if (window === null) return null;
        const { versionsTaken, quiet } = await look(deps, em, agent, window);
        const open = await importsBesidePolls(em, agent.agentId);
        if (quiet === null) {
          const request = await takePollImport(em, agent.agentId);
          return request && { request, versionsTaken, heldUntil: null, open };
        }
        const { heldUntil, ...found } = quiet;
        await noteQuietPoll(em, agent.agentId, window, found);
        return { request: null, versionsTaken, heldUntil, open };
      },
    );
  };
}

async function look(
  deps: ActivityDeps,
  em: EntityManager,
  agent: Agent,
  window: PollWindow,
): Promise<{ versionsTaken: boolean; quiet: NoNews | null }> {
  let versionsTaken = false;
  try {
    const platform = await openAgentPlatform(deps, em, agent.agentId);
    await takeVersions(deps, agent, platform);
    versionsTaken = true;
    return { versionsTaken, quiet: await findNoNews(deps, em, agent, window, platform) };
  } catch (error) {
    if (error instanceof PlatformError) return { versionsTaken, quiet: null };
    throw error;
  }
}

/** Null where an import is needed. */
async function findNoNews(
  deps: ActivityDeps,
  em: EntityManager,
  agent: Agent,
  window: PollWindow,
  platform: AgentPlatform,
): Promise<NoNews | null> {
  const waiting = await readWaitingCalls(em, { ...agent, importId: null, limit: 1 });
  if (waiting.others.length > 0) return null;
  const plan = { kind: 'poll', source: 'platform', ...window } as const;
  const tally = new PageTally(null);
  const stillFailed = new Set<string>();
  let cursor: string | null = null;
  for (let pages = 1; pages <= PAGES_OF_A_LOOK; pages += 1) {
    const page = await listPage(deps, platform, { ...agent, plan, cursor, take: null });
    const isNews = page.items.some(({ over, providerCallId }) => over && page.isWanted(providerCallId));
    if (isNews || page.stalled || page.announced.length > 0) return null;
    tally.list(page.items);
    for (const { ref, callId } of page.known.values()) if (callId === null) stillFailed.add(ref);
    cursor = page.nextCursor;
    if (cursor !== null) continue;
    const { listed, ongoing, oldestOngoingAt } = tally.totals();
    return {
      pages,
      listed,
      stillFailed: stillFailed.size,
      ongoing,
      oldestOngoingAt,
      heldUntil: waiting.held?.until ?? null,
    };
  }
  return null;
}
