import { isDatabaseAway } from '../../db/away.ts';
import type { Database } from '../../db/database.ts';
import { agentsToTend } from '../../db/retention/agents.ts';
import { readWorkspaceRetention } from '../../db/system/retention.ts';
import { listWorkspaceIds } from '../../db/system/workspaces.ts';
import { retentionInForce } from '../../domain/retention/retention.ts';
import type { RetentionCursor, RetentionStep } from '../../temporal/keep-retention.ts';
import type { ErasingKnowledge } from '../erasures/erase-calls.ts';
import { dropDue } from './drop-due.ts';

/** Agents that one step looks at, where nothing or little is due. */
const AGENTS_AT_ONCE = 200;

/**
 * Goes on with a pass through all agents until one had much to remove or many were looked at. An agent on which it fails
 * is counted and left for the next pass.
 */
export async function walkAgents(
  database: Database,
  knows: ErasingKnowledge,
  after: RetentionCursor | null,
): Promise<RetentionStep> {
  const step: RetentionStep = { payloads: 0, transcripts: 0, calls: 0, failed: 0, failure: null, after, over: false };
  let looked = 0;
  for (const workspaceId of await listWorkspaceIds(database.unscoped())) {
    if (after !== null && workspaceId < after.workspaceId) continue;
    const em = database.within(workspaceId);
    const set = await readWorkspaceRetention(em, workspaceId);
    const from = after?.workspaceId === workspaceId ? after.agentId : null;
    for (const agent of await agentsToTend(em, workspaceId, from, AGENTS_AT_ONCE - looked)) {
      const owner = { workspaceId, agentId: agent.id };
      const more = await tend(step, () =>
        dropDue(database.within(workspaceId), knows, owner, retentionInForce(set, agent.retention)),
      );
      if (more) return step;
      step.after = owner;
      looked += 1;
    }
    if (looked >= AGENTS_AT_ONCE) return step;
  }
  return { ...step, over: true };
}

/** @returns whether the same agent is to be gone on with. */
async function tend(step: RetentionStep, drop: () => ReturnType<typeof dropDue>): Promise<boolean> {
  try {
    const { payloads, transcripts, calls, more } = await drop();
    step.payloads += payloads;
    step.transcripts += transcripts;
    step.calls += calls;
    return more;
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    step.failed += 1;
    step.failure = error instanceof Error ? error.name : 'unknown';
    return false;
  }
}
