import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { createContext, useContext, useEffect } from 'react';
import type { Schemas } from '../client/api.ts';
import { Page } from '../ui/page.tsx';
import { ProblemNote, Skeleton } from '../ui/states.tsx';
import { agentQuery, rememberAgent } from './last-agent.ts';

type Agent = Schemas['Agent'];

const Shown = createContext<Agent | null>(null);

/** The agent that the page is about. */
export function useAgent(): Agent {
  const agent = useContext(Shown);
  if (!agent) throw new Error('This page stands outside of an agent.');
  return agent;
}

/** Why nothing can be changed on an agent that everybody reads; null where it can. */
export function readOnlyReason(agent: Agent): string | null {
  return agent.readOnly ? 'This is the shared demo agent. Copy it to your workspace to change it.' : null;
}

export function AgentFrame() {
  const { agentId } = useParams({ from: '/inside/a/$agentId' });
  const agent = useQuery(agentQuery(agentId));
  useEffect(() => {
    if (agent.data) rememberAgent(agent.data.id);
  }, [agent.data]);
  if (agent.data) {
    return (
      <Shown value={agent.data}>
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
