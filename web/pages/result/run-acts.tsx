import { useQueryClient } from '@tanstack/react-query';
import { RUN_WAITS } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { RefusalNote } from '../../ui/states.tsx';

const ACTS = {
  'try-now': { label: 'Try now', kind: 'plain' },
  cancel: { label: 'Cancel the run', kind: 'danger' },
} as const;

/** What can be done to a run that goes on. */
export function RunActs({ run, unless }: { run: Schemas['Run']; unless: string | null }) {
  return (
    <>
      {run.message?.startsWith(RUN_WAITS) && <RunAct act="try-now" run={run} unless={unless} />}
      <RunAct act="cancel" run={run} unless={unless} />
    </>
  );
}

function RunAct({ act, run, unless }: { act: keyof typeof ACTS; run: Schemas['Run']; unless: string | null }) {
  const agent = useAgent();
  const queries = useQueryClient();
  const asked = api.useMutation('post', `/app/agents/{agentId}/runs/{runId}/${act}`);
  const ask = async () => {
    await asked.mutateAsync({ params: { path: { agentId: agent.id, runId: run.id } } }).catch(() => null);
    void queries.invalidateQueries();
  };
  const { label, kind } = ACTS[act];
  return (
    <>
      <RefusalNote error={asked.error} />
      <Button kind={kind} busy={asked.isPending} unless={unless} onClick={() => void ask()}>
        {label}
      </Button>
    </>
  );
}
