import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { RunPrice } from './run-price.tsx';

interface StartRunProps {
  unless: string | null;
  /** The one test that is played; all of the agent without it. */
  testId?: string;
}

export function StartRun({ unless, testId }: StartRunProps) {
  const agent = useAgent();
  const [open, setOpen] = useState(false);
  const why = unless ?? (agent.counts.tests === 0 ? 'This agent has no tests yet.' : null);
  return (
    <>
      <Button kind="primary" unless={why} onClick={() => setOpen(true)}>
        {testId === undefined ? 'Start a run' : 'Run this test'}
      </Button>
      {open && <RunForm testId={testId} onClose={() => setOpen(false)} />}
    </>
  );
}

function RunForm({ testId, onClose }: { testId: string | undefined; onClose: () => void }) {
  const agent = useAgent();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const versions = api.useQuery('get', '/v1/agents/{agentId}/versions', {
    params: { path: { agentId: agent.id }, query: { limit: 100 } },
  });
  const [version, setVersion] = useState(agent.currentVersion);
  const [repeats, setRepeats] = useState(false);
  const [once] = useState(() => crypto.randomUUID());
  const start = api.useMutation('post', '/v1/agents/{agentId}/runs');
  const tests = testId === undefined ? { all: true as const } : { testIds: [testId] };
  const submit = async () => {
    const run = await start
      .mutateAsync({
        params: { path: { agentId: agent.id } },
        // A double click is one run.
        headers: { 'Idempotency-Key': once },
        body: { ...tests, version, ...(repeats ? { repeats: 3 as const } : {}) },
      })
      .catch(() => null);
    if (!run) return;
    void queries.invalidateQueries();
    await navigate({ to: '/a/$agentId/runs/$runId', params: { agentId: agent.id, runId: run.id } });
  };
  return (
    <Dialog title="Start a run" onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="text-ink-2">
          {testId === undefined ? 'Plays every test of this agent.' : 'Plays only this test.'} Tools answer from the
          tests, so nothing real happens.
        </p>
        <RunPrice testId={testId} repeats={repeats} />
        <Select label="Version" value={version} onChange={({ target }) => setVersion(Number(target.value))}>
          {versions.data?.data.map(({ version: each, isCurrent }) => (
            <option key={each} value={each}>
              Version {each}
              {isCurrent ? ' (live)' : ''}
            </option>
          ))}
        </Select>
        <label className="flex items-center gap-2">
          <input type="checkbox" checked={repeats} onChange={({ target }) => setRepeats(target.checked)} />
          Play each test three times and report how often it passed
        </label>
        <RefusalNote error={start.error} />
        <div className="flex gap-2">
          <Button kind="primary" type="submit" busy={start.isPending}>
            Start
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
