import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../client/api.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { RefusalNote } from '../../ui/states.tsx';

/** Asks the platform for calls now, instead of at the next poll. */
export function StartImport({ unless }: { unless: string | null }) {
  const agent = useAgent();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const start = api.useMutation('post', '/app/agents/{agentId}/imports');
  const run = async () => {
    const started = await start.mutateAsync({ params: { path: { agentId: agent.id } }, body: {} }).catch(() => null);
    if (!started) return;
    void queries.invalidateQueries({ queryKey: ['get', '/app/agents/{agentId}/imports'] });
    await navigate({ to: '/a/$agentId/imports/$importId', params: { agentId: agent.id, importId: started.id } });
  };
  return (
    <>
      <RefusalNote error={start.error} />
      <Button kind="primary" busy={start.isPending} unless={unless} onClick={() => void run()}>
        Import now
      </Button>
    </>
  );
}
