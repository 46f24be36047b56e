import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { RunPrice } from '../runs/run-price.tsx';

/** Plays every test three times: those that are stable gate from then on. */
export function Calibrate({ unless }: { unless: string | null }) {
  const agent = useAgent();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
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
      <Button unless={why} onClick={() => setOpen(true)}>
        Calibrate
      </Button>
      {open && (
        <Dialog title="Calibrate the tests" onClose={() => setOpen(false)}>
          <p className="mb-3 text-ink-2">
            Plays every test three times against the live version. Tests with the same result each time gate runs from
            then on.
          </p>
          <RunPrice repeats />
          <RefusalNote error={calibrate.error} />
          <div className="mt-4 flex gap-2">
            <Button kind="primary" busy={calibrate.isPending} onClick={() => void run()}>
              Start calibration
            </Button>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
