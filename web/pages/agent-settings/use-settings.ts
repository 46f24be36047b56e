import { api } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { useAgent } from '../../frame/agent-frame.tsx';

/** Changes settings of the agent; what is left out stays. */
export function useSettings() {
  const agent = useAgent();
  const change = useChange();
  const update = api.useMutation('patch', '/app/agents/{agentId}');
  type Body = Parameters<typeof update.mutateAsync>[0]['body'];
  return {
    save: (body: Body) => change(update.mutateAsync({ params: { path: { agentId: agent.id } }, body })),
    busy: update.isPending,
    kept: update.isSuccess,
    error: update.error,
  };
}
