import { UnknownAgentError } from '../../src/db/agents/lock-agent.ts';
import { readGracePlan } from '../../src/db/issues/grace.ts';
import { resolveDueIssues } from '../../src/services/issues/recompute-issues.ts';
import type { GraceLook } from '../../src/temporal/grace-period.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

const NO_PLAN = { nextAt: null, open: 0, due: [], waitForCalls: 0, waitForAnalysis: 0, waitForImport: 0 };

/** Resolves what is due by the database's clock, and says what is due next. A second run changes nothing. */
export function createApplyDueIssues({ database }: ActivityDeps) {
  return async function applyDueIssues(request: { agentId: string; workspaceId: string }): Promise<GraceLook> {
    return withHeartbeat(
      () => ({}),
      async () => {
        const em = database.within(request.workspaceId);
        try {
          const { changed } = await resolveDueIssues(em, request.agentId);
          const { plan, now } = await readGracePlan(em, request.agentId);
          return { there: true, now, changed, plan: plan ?? NO_PLAN };
        } catch (error) {
          if (!(error instanceof UnknownAgentError)) throw error;
          return { there: false, now: new Date(0).toISOString(), changed: 0, plan: NO_PLAN };
        }
      },
    );
  };
}
