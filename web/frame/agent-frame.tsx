import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { createContext, useContext, useEffect } from 'react';
import { CHANGES_FROM } from '../../src/domain/access/roles.ts';
import { useRoleRefusal } from '../client/admin-only.ts';
import type { Schemas } from '../client/api.ts';
import { Page } from '../ui/page.tsx';
import { ProblemNote, Skeleton } from '../ui/states.tsx';
import { agentQuery, rememberAgent } from './last-agent.ts';

type Agent = Schemas['Agent'];
/** With why whoever is signed in can change nothing of it; null where they can. */
export type ShownAgent = Agent & { unless: string | null };

const Shown = createContext<ShownAgent | null>(null);

/** The agent that the page is about. */
export function useAgent(): ShownAgent {
  const agent = useContext(Shown);
  if (!agent) throw new Error('This page stands outside of an agent.');
  return agent;
}

/** Why nothing can be changed on the agent, because everybody reads it or by the role of who is signed in; null where it can. */
export const readOnlyReason = (agent: ShownAgent): string | null =>
  agent.readOnly ? 'This is the shared demo agent. Copy it to your workspace to change it.' : agent.unless;

export function AgentFrame() {
  const { agentId } = useParams({ from: '/inside/a/$agentId' });
  const agent = useQuery(agentQuery(agentId));
  const unless = useRoleRefusal(CHANGES_FROM);
  useEffect(() => {
    if (agent.data) rememberAgent(agent.data.id);
  }, [agent.data]);
  if (agent.data) {
    return (
      <Shown value={{ ...agent.data, unless }}>
        <Outlet />
      </Shown>
    );
  }
  if (agent.error) {
    return (
      <Page title="No such agent">
        <ProblemNote error={agent.error} onRetry={() => void agent.refetch()} />
      </Page>
    );
  }
  return (
    <div className="p-6">
      <Skeleton />
    </div>
  );
}
