import { AnalysisFailed } from '../../analyser/analyser.ts';
import type { AgentBriefResource } from '../../contract/brief.ts';
import { type BriefView, beginBrief, findBrief } from '../../db/agents/briefs.ts';
import type { AgentView } from '../../db/agents/read-agents.ts';
import type { EntityManager } from '../../db/database.ts';
import { readFlow } from '../../db/metrics/read-flow.ts';
import { coverableIntents } from '../../db/tests/test-coverage.ts';
import { currentConfiguration } from '../../db/versions/versions.ts';
import { isReserved } from '../../domain/calls/known-intent.ts';
import { withCallers, withCalls } from '../../domain/versions/brief-of-calls.ts';
import { DECIDE_WITHOUT_BRIEF, sendsCalls } from '../../domain/vocabulary.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { briefReadEntry } from '../../temporal/read-brief.ts';
import type { Context } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

/** The brief as it is kept; where none is, and no platform is read for one, what the agent's text and its calls say. */
export async function briefOf(context: BriefContext): Promise<BriefView> {
  const kept = await findBrief(context.em, context.agent.id);
  const { provider, setupStatus } = context.agent;
  const isRead = !sendsCalls(provider) && setupStatus === 'pending';
  return kept.brief === null && !isRead ? draftFromCalls(context) : kept;
}

export type BriefContext = Pick<Context, 'agent' | 'em' | 'services'>;

export const presentBrief = (
  { setupStatus }: Pick<AgentView, 'setupStatus'>,
  brief: BriefView,
): AgentBriefResource => ({ object: 'brief', setupStatus, ...brief });

async function draftFromCalls({ em, agent, services }: BriefContext): Promise<BriefView> {
  const { id, workspaceId, name, currentVersion } = agent;
  const configuration = await currentConfiguration(em, id);
  const { steps } = await readFlow(em, scopeOf(agent), currentVersion);
  if (configuration === null && steps.length === 0) return { brief: null, message: NOTHING_YET };
  const intents = (await coverableIntents(em, scopeOf(agent)))
    .filter((intent) => !isReserved(intent.id))
    .toSorted((a, b) => (b.calls ?? 0) - (a.calls ?? 0));
  try {
    const read = await services.analyser.readBrief(workspaceId, withCalls(configuration, name, steps));
    return { brief: withCallers(read, intents), message: null };
  } catch (error) {
    if (!(error instanceof AnalysisFailed)) throw error;
    return { brief: null, message: `No brief could be read. ${error.message} ${DECIDE_WITHOUT_BRIEF}` };
  }
}

const NOTHING_YET = 'There is nothing to read yet: no calls, and no prompt or tools of the agent.';

/** Has a worker read the agent's configuration and draft the brief from it. */
export async function orderBrief(
  em: EntityManager,
  agent: Pick<AgentView, 'id' | 'workspaceId' | 'name'>,
): Promise<void> {
  const { id: agentId, workspaceId, name: agentName } = agent;
  const read = await beginBrief(em, agentId);
  await addToOutbox(em, { entry: briefReadEntry({ workspaceId, agentId, agentName, read }), workspaceId, agentId });
}
