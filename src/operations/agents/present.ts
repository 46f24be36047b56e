import type { AgentResource } from '../../contract/agent.ts';
import type { AgentView } from '../../db/agents/read-agents.ts';

/** The demo platform speaks this platform's shape; that it is a demo is told by `source`. */
export const DEMO_SHAPE = 'retell';

export function presentAgent(agent: AgentView): AgentResource {
  return {
    object: 'agent',
    id: agent.id,
    name: agent.name,
    provider: agent.provider === 'demo' ? DEMO_SHAPE : agent.provider,
    providerAgentId: agent.providerAgentId,
    source: agent.source,
    currentVersion: agent.currentVersion,
    setupStatus: agent.setupStatus,
    onboardingStep: agent.onboardingStep,
    readOnly: agent.readOnly,
    graceDays: agent.graceDays,
    createdAt: agent.createdAt,
    updatedAt: agent.updatedAt,
    counts: {
      calls: agent.callCount,
      openIssues: agent.openIssueCount,
      versions: agent.versionCount,
      tests: agent.testCount,
    },
  };
}
