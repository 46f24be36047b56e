import { useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '../../client/api.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { RefusalNote } from '../../ui/states.tsx';

export function CancelRun({ run, unless }: { run: Schemas['Run']; unless: string | null }) {
  const agent = useAgent();
  const queries = useQueryClient();
  const cancel = api.useMutation('post', '/app/agents/{agentId}/runs/{runId}/cancel');
  const act = async () => {
    await cancel.mutateAsync({ params: { path: { agentId: agent.id, runId: run.id } } }).catch(() => null);
    void queries.invalidateQueries();
  };
  return (
    <>
      <RefusalNote error={cancel.error} />
      <Button kind="danger" busy={cancel.isPending} unless={unless} onClick={() => void act()}>
        Cancel the run
      </Button>
    </>
  );
}
