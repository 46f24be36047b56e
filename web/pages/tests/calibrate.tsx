import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../client/api.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { RefusalNote } from '../../ui/states.tsx';

/** Plays every test three times: those that are stable gate from then on. */
export function Calibrate({ unless }: { unless: string | null }) {
  const agent = useAgent();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const calibrate = api.useMutation('post', '/v1/agents/{agentId}/tests/calibrate');
  const why = unless ?? (agent.counts.tests === 0 ? 'This agent has no tests yet.' : null);
  const run = async () => {
    const params = { path: { agentId: agent.id } };
    const started = await calibrate.mutateAsync({ params, body: { all: true } }).catch(() => null);
    if (!started) return;
    void queries.invalidateQueries();
    await navigate({ to: '/a/$agentId/runs/$runId', params: { agentId: agent.id, runId: started.id } });
  };
  return (
    <>
      <RefusalNote error={calibrate.error} />
      <Button busy={calibrate.isPending} unless={why} onClick={() => void run()}>
        Calibrate, three plays each
      </Button>
    </>
  );
}
