import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../client/api.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { RefusalNote } from '../../ui/states.tsx';

/** The caller of this call, with its facts and tool answers, as a test. */
export function MakeTest({ callId }: { callId: string }) {
  const agent = useAgent();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const make = api.useMutation('post', '/v1/agents/{agentId}/tests');
  const run = async () => {
    const params = { path: { agentId: agent.id } };
    const made = await make.mutateAsync({ params, body: { sourceCallId: callId } }).catch(() => null);
    if (!made) return;
    void queries.invalidateQueries();
    await navigate({ to: '/a/$agentId/tests/$testId', params: { agentId: agent.id, testId: made.id } });
  };
  return (
    <>
      <RefusalNote error={make.error} />
      <Button busy={make.isPending} unless={readOnlyReason(agent)} onClick={() => void run()}>
        Make a test
      </Button>
    </>
  );
}
